import type { Environment, Settings } from "../../../context.ts";

export type ProviderId = "oidc" | "google" | "microsoft";

/** An identity provider that the environment names completely. */
export interface OidcProvider {
  id: ProviderId;
  /** For people. */
  name: string;
  /** Its discovery document (OpenID Connect Discovery 1.0, section 4). */
  discovery: string;
  clientId: string;
  /** "" for a public client. */
  clientSecret: string;
  scopes: string;
  /** "" for our own callback address. */
  redirectUri: string;
  /** "" for what its discovery document says. */
  endSession: string;
}

type ProviderSettings = Partial<Settings>;

const wellKnown = "/.well-known/openid-configuration";
const defaultScopes = "openid email profile";

/** Every provider that is configured, in the order in which the sign-in page shows them. */
export function listProviders(settings: ProviderSettings): OidcProvider[] {
  const found: OidcProvider[] = [];
  const { OPENID_PROVIDER_URL: url, OAUTH_CLIENT_ID: clientId } = settings;
  if (url && clientId)
    found.push({
      id: "oidc",
      name: settings.OAUTH_PROVIDER_NAME ?? "SSO",
      discovery: discoveryOf(url),
      clientId,
      clientSecret: settings.OAUTH_CLIENT_SECRET ?? "",
      scopes: settings.OAUTH_SCOPES ?? defaultScopes,
      redirectUri: settings.OPENID_REDIRECT_URI ?? "",
      endSession: settings.OPENID_END_SESSION_ENDPOINT ?? "",
    });
  if (settings.GOOGLE_CLIENT_ID && settings.GOOGLE_CLIENT_SECRET)
    found.push({
      id: "google",
      name: "Google",
      discovery: discoveryOf("https://accounts.google.com"),
      clientId: settings.GOOGLE_CLIENT_ID,
      clientSecret: settings.GOOGLE_CLIENT_SECRET,
      scopes: defaultScopes,
      redirectUri: settings.GOOGLE_REDIRECT_URI ?? "",
      endSession: "",
    });
  if (settings.MICROSOFT_CLIENT_ID && settings.MICROSOFT_CLIENT_SECRET && settings.MICROSOFT_CLIENT_TENANT_ID)
    found.push({
      id: "microsoft",
      name: "Microsoft",
      discovery: discoveryOf(`https://login.microsoftonline.com/${settings.MICROSOFT_CLIENT_TENANT_ID}/v2.0`),
      clientId: settings.MICROSOFT_CLIENT_ID,
      clientSecret: settings.MICROSOFT_CLIENT_SECRET,
      scopes: defaultScopes,
      redirectUri: settings.MICROSOFT_REDIRECT_URI ?? "",
      endSession: "",
    });
  return found;
}

/** The configured provider of this id. */
export function findProvider(settings: ProviderSettings, id: string): OidcProvider | undefined {
  return listProviders(settings).find((provider) => provider.id === id);
}

function discoveryOf(address: string): string {
  return address.includes("/.well-known/") ? address : address.replace(/\/+$/, "") + wellKnown;
}

/** Variables that only make sense together. */
const together: readonly (readonly (keyof Environment)[])[] = [
  ["OPENID_PROVIDER_URL", "OAUTH_CLIENT_ID"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET", "MICROSOFT_CLIENT_TENANT_ID"],
];

/** What is wrong with the variables of single sign-on as a whole: a start with it would let nobody in, and not say why. */
export function providerProblems(environment: Environment): string[] {
  const problems: string[] = [];
  for (const names of together) {
    const missing = names.filter((name) => !environment[name]);
    const given = names.filter((name) => environment[name]);
    if (given.length > 0 && missing.length > 0)
      problems.push(
        `${given.join(" and ")} ${given.length > 1 ? "are" : "is"} set, so set ${missing.join(" and ")} too`,
      );
  }
  if (environment.OAUTH_CLIENT_SECRET && !environment.OAUTH_CLIENT_ID)
    problems.push("OAUTH_CLIENT_SECRET is set, so set OAUTH_CLIENT_ID and OPENID_PROVIDER_URL too");
  const method = environment.OAUTH_TOKEN_ENDPOINT_AUTH_METHOD ?? "auto";
  if (method.startsWith("client_secret") && environment.OAUTH_CLIENT_ID && !environment.OAUTH_CLIENT_SECRET)
    problems.push(`OAUTH_TOKEN_ENDPOINT_AUTH_METHOD is ${method}, so set OAUTH_CLIENT_SECRET too`);
  if (listProviders(environment).length === 0) {
    for (const name of ["ENABLE_PASSWORD_AUTH", "ENABLE_LOGIN_FORM"] as const) {
      if (environment[name] === false)
        problems.push(`${name} is false and no identity provider is configured: nobody could sign in`);
    }
  }
  return problems;
}

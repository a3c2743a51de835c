import * as z from "zod";
import type { Definition } from "../../../settings/definition.ts";
import { isProviderAddress } from "./provider-address.ts";

const providerAddress = z
  .string()
  .max(2000)
  .refine(
    (text) => URL.canParse(text) && isProviderAddress(new URL(text)),
    "an https address (http is allowed for loopback only, such as http://127.0.0.1:9000)",
  );
const address = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);
/** Without a query: the token request has to name exactly the same address. */
const callback = z.union([
  z.literal(""),
  z.url({ protocol: /^https?$/ }).regex(/^[^?#]*$/, "an address without ? and #"),
]);
const claim = z.string().max(200);
/** A list in a variable; the peer writes some of its lists as JSON, which is read too. */
const names = z.preprocess(readJsonList, z.array(z.string().min(1).max(300)).max(500));

const base = { where: "environment", section: "sso" } as const;
const on = { ...base, schema: z.boolean(), default: true, type: "boolean" } as const;
const off = { ...base, schema: z.boolean(), default: false, type: "boolean" } as const;
const claimName = { ...base, schema: claim, type: "text" } as const;
const optional = { ...base, schema: z.string().max(4000), default: "", type: "text" } as const;
const optionalAddress = { ...base, schema: address, default: "", type: "text" } as const;
const callbackAddress = { ...base, schema: callback, default: "", type: "text" } as const;
const list = { ...base, schema: names, type: "list", separator: "," } as const;

/** Single sign-on. All of it is said where the service is started: it decides who gets in. Names are the peer's. */
export const oidcSettings = {
  OPENID_PROVIDER_URL: {
    ...base,
    schema: z.union([z.literal(""), providerAddress]),
    default: "",
    type: "text",
    title: "Identity provider",
    description: "The issuer, or the address of the discovery document (https; http for loopback only).",
  },
  OAUTH_CLIENT_ID: { ...optional, title: "Client ID", description: "The ID of this service at the provider." },
  OAUTH_CLIENT_SECRET: {
    ...optional,
    secret: true,
    title: "Client secret",
    description: "Leave empty for a public client.",
  },
  OAUTH_PROVIDER_NAME: {
    ...base,
    schema: z.string().min(1).max(80),
    default: "SSO",
    type: "text",
    title: "Name of the provider",
    description: "Shown on the button of the sign-in page.",
  },
  OAUTH_SCOPES: {
    ...base,
    schema: z
      .string()
      .max(1000)
      .refine((text) => text.split(/\s+/).includes("openid"), "scopes that include openid"),
    default: "openid email profile",
    type: "text",
    title: "Scopes",
    description: "Scopes to request, separated by spaces; must include openid.",
  },
  OPENID_REDIRECT_URI: {
    ...callbackAddress,
    title: "Callback address",
    description: "As registered with the provider. If empty: <public address>/oauth/oidc/login/callback.",
  },
  GOOGLE_CLIENT_ID: { ...optional, title: "Google: client ID", description: "Adds Google as a provider." },
  GOOGLE_CLIENT_SECRET: {
    ...optional,
    secret: true,
    title: "Google: client secret",
    description: "The secret that Google issued.",
  },
  GOOGLE_REDIRECT_URI: {
    ...callbackAddress,
    title: "Google: callback address",
    description: "If empty: <public address>/oauth/google/login/callback.",
  },
  MICROSOFT_CLIENT_ID: {
    ...optional,
    title: "Microsoft: client ID",
    description: "Adds Microsoft Entra ID as a provider.",
  },
  MICROSOFT_CLIENT_SECRET: {
    ...optional,
    secret: true,
    title: "Microsoft: client secret",
    description: "The secret that Entra ID issued.",
  },
  MICROSOFT_CLIENT_TENANT_ID: {
    ...base,
    schema: z.union([
      z.literal(""),
      z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,200}$/, "the ID or domain of a tenant")
        .refine(
          (tenant) => !["common", "organizations", "consumers"].includes(tenant.toLowerCase()),
          "a single tenant: with common, organizations or consumers, people of every organization could sign in",
        ),
    ]),
    default: "",
    type: "text",
    title: "Microsoft: tenant",
    description: "The ID or domain of your tenant.",
  },
  MICROSOFT_REDIRECT_URI: {
    ...callbackAddress,
    title: "Microsoft: callback address",
    description: "If empty: <public address>/oauth/microsoft/login/callback.",
  },
  ENABLE_OAUTH_SIGNUP: {
    ...off,
    title: "Sign-up through single sign-on",
    description: "People get an account when they sign in through the provider for the first time.",
  },
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: {
    ...off,
    title: "Merge by e-mail",
    description:
      "People who sign in with the verified address of an existing account get that account. Its sessions end, and its password and API keys are deleted (administrators keep theirs).",
  },
  OAUTH_ALLOWED_DOMAINS: {
    ...list,
    default: ["*"],
    title: "E-mail domains",
    description: "Domains that may sign in, separated by commas. * allows all.",
  },
  OAUTH_SUB_CLAIM: {
    ...claimName,
    schema: claim.min(1),
    default: "sub",
    title: "Claim: identity",
    description: "The permanent ID of a person at the provider. With SCIM it must be the same as externalId.",
  },
  OAUTH_USERNAME_CLAIM: {
    ...claimName,
    default: "name",
    title: "Claim: name",
    description: "The claim with the person's name.",
  },
  OAUTH_EMAIL_CLAIM: {
    ...claimName,
    default: "email",
    title: "Claim: e-mail",
    description: "The claim with the e-mail address.",
  },
  OAUTH_PICTURE_CLAIM: {
    ...claimName,
    default: "picture",
    title: "Claim: picture",
    description: "The claim with the picture's URL. If empty, no picture is used.",
  },
  OAUTH_UPDATE_NAME_ON_LOGIN: {
    ...off,
    title: "Update the name at sign-in",
    description: "The name from the provider replaces the stored one.",
  },
  OAUTH_UPDATE_EMAIL_ON_LOGIN: {
    ...off,
    title: "Update the e-mail address at sign-in",
    description: "The verified address from the provider replaces the stored one, unless another account has it.",
  },
  OAUTH_UPDATE_PICTURE_ON_LOGIN: {
    ...off,
    title: "Update the picture at sign-in",
    description: "The picture from the provider replaces the stored one.",
  },
  ENABLE_OAUTH_ROLE_MANAGEMENT: {
    ...off,
    title: "Roles come from the provider",
    description: "The roles claim decides at each sign-in. People without one of the roles below cannot sign in.",
  },
  OAUTH_ROLES_CLAIM: {
    ...claimName,
    schema: claim.min(1),
    default: "roles",
    title: "Claim: roles",
    description: "Use dots for nested claims.",
  },
  OAUTH_ALLOWED_ROLES: {
    ...list,
    default: ["user", "admin"],
    title: "Roles that may sign in",
    description: "The provider's names, separated by commas.",
  },
  OAUTH_ADMIN_ROLES: {
    ...list,
    default: ["admin"],
    title: "Roles that make administrators",
    description: "The provider's names, separated by commas.",
  },
  ENABLE_OAUTH_GROUP_MANAGEMENT: {
    ...off,
    title: "Groups come from the provider",
    description: "At each sign-in people join and leave groups as the groups claim says.",
  },
  OAUTH_GROUPS_CLAIM: {
    ...claimName,
    schema: claim.min(1),
    default: "groups",
    title: "Claim: groups",
    description: "Use dots for nested claims.",
  },
  ENABLE_OAUTH_GROUP_CREATION: {
    ...off,
    title: "Create missing groups",
    description: "Creates groups that are in the claim but do not exist yet.",
  },
  OAUTH_BLOCKED_GROUPS: {
    ...list,
    default: [],
    title: "Groups to ignore",
    description: "Names, separated by commas. * matches anything.",
  },
  OAUTH_CODE_CHALLENGE_METHOD: {
    ...base,
    schema: z.enum(["S256"]),
    default: "S256",
    type: "choice",
    options: ["S256"],
    title: "PKCE method",
    description: "How the code challenge is derived. It is always sent.",
  },
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: {
    ...base,
    schema: z.enum(["auto", "client_secret_basic", "client_secret_post", "none"]),
    default: "auto",
    type: "choice",
    options: ["auto", "client_secret_basic", "client_secret_post", "none"],
    title: "How the client secret is sent",
    description: "Auto uses a method that the provider supports.",
  },
  OAUTH_TIMEOUT: {
    ...base,
    schema: z.number().int().min(1).max(60),
    default: 10,
    type: "number",
    title: "Provider timeout (seconds)",
    description: "For each request to the provider.",
  },
  OAUTH_AUTO_REDIRECT: {
    ...off,
    title: "Redirect to the provider immediately",
    description: "Only when there is exactly one provider.",
  },
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: {
    ...on,
    title: "Back-channel logout",
    description: "The provider can end sessions through /oauth/backchannel-logout.",
  },
  OPENID_END_SESSION_ENDPOINT: {
    ...base,
    schema: z.union([z.literal(""), providerAddress]),
    default: "",
    type: "text",
    title: "Sign-out address of the provider",
    description: "Where signing out continues. If empty, the address in the discovery document is used.",
  },
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: {
    ...optionalAddress,
    title: "After signing out",
    description:
      "Where people are sent after signing out. If the provider signs them out too, register this address there.",
  },
  ENABLE_LOGIN_FORM: {
    ...on,
    title: "Show the password form",
    description:
      "Shows e-mail and password on the sign-in page. When off, only the buttons of the providers are shown.",
  },
  ENABLE_PASSWORD_AUTH: {
    ...on,
    title: "Passwords",
    description: "Allows signing in and signing up with a password.",
  },
} as const satisfies Record<string, Definition>;

function readJsonList(value: unknown): unknown {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !value[0].startsWith("[")) return value;
  try {
    return JSON.parse(value.join(",")) as unknown;
  } catch {
    return value;
  }
}

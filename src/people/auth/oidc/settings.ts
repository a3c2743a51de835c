import * as z from "zod";
import type { Definition } from "../../../settings/definition.ts";
import { isProviderAddress } from "./provider-address.ts";

const providerAddress = z
  .string()
  .max(2000)
  .refine(
    (text) => URL.canParse(text) && isProviderAddress(new URL(text)),
    "an https address; http on loopback only, such as http://127.0.0.1:9000",
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
    description: "Its issuer, or the address of its discovery document (https; http on loopback only).",
  },
  OAUTH_CLIENT_ID: { ...optional, title: "Client ID", description: "What the provider calls this service." },
  OAUTH_CLIENT_SECRET: {
    ...optional,
    secret: true,
    title: "Client secret",
    description: "What the provider knows this service by; none for a public client.",
  },
  OAUTH_PROVIDER_NAME: {
    ...base,
    schema: z.string().min(1).max(80),
    default: "SSO",
    type: "text",
    title: "Name of the provider",
    description: "On the button of the sign-in page.",
  },
  OAUTH_SCOPES: {
    ...base,
    schema: z
      .string()
      .max(1000)
      .refine((text) => text.split(/\s+/).includes("openid"), "scopes with openid among them"),
    default: "openid email profile",
    type: "text",
    title: "Scopes",
    description: "What is asked of the provider, separated by blanks; openid has to be there.",
  },
  OPENID_REDIRECT_URI: {
    ...callbackAddress,
    title: "Callback address",
    description: "As registered at the provider; empty: <public address>/oauth/oidc/login/callback.",
  },
  GOOGLE_CLIENT_ID: { ...optional, title: "Google: client ID", description: "Adds Google as a provider." },
  GOOGLE_CLIENT_SECRET: {
    ...optional,
    secret: true,
    title: "Google: client secret",
    description: "As Google gave it.",
  },
  GOOGLE_REDIRECT_URI: {
    ...callbackAddress,
    title: "Google: callback address",
    description: "Empty: <public address>/oauth/google/login/callback.",
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
    description: "As Entra ID gave it.",
  },
  MICROSOFT_CLIENT_TENANT_ID: {
    ...base,
    schema: z.union([
      z.literal(""),
      z
        .string()
        .regex(/^[A-Za-z0-9.-]{1,200}$/, "the id or the domain of a tenant")
        .refine(
          (tenant) => !["common", "organizations", "consumers"].includes(tenant.toLowerCase()),
          "one tenant: common, organizations and consumers would let in the people of every organization",
        ),
    ]),
    default: "",
    type: "text",
    title: "Microsoft: tenant",
    description: "The id or the domain of your tenant.",
  },
  MICROSOFT_REDIRECT_URI: {
    ...callbackAddress,
    title: "Microsoft: callback address",
    description: "Empty: <public address>/oauth/microsoft/login/callback.",
  },
  ENABLE_OAUTH_SIGNUP: {
    ...off,
    title: "New people may come by single sign-on",
    description: "Whoever the provider lets in gets an account at the first sign-in.",
  },
  OAUTH_MERGE_ACCOUNTS_BY_EMAIL: {
    ...off,
    title: "Merge by e-mail",
    description:
      "Who signs in with a verified address that an account has here already gets that account; sessions that it had end, and its password and API keys go (an administrator's stay).",
  },
  OAUTH_ALLOWED_DOMAINS: {
    ...list,
    default: ["*"],
    title: "E-mail domains",
    description: "Domains whose people may sign in, separated by commas; * for all.",
  },
  OAUTH_SUB_CLAIM: {
    ...claimName,
    schema: claim.min(1),
    default: "sub",
    title: "Claim: identity",
    description: "What names a person at the provider for good; for SCIM it has to be what comes as externalId.",
  },
  OAUTH_USERNAME_CLAIM: { ...claimName, default: "name", title: "Claim: name", description: "What people are called." },
  OAUTH_EMAIL_CLAIM: { ...claimName, default: "email", title: "Claim: e-mail", description: "Their address." },
  OAUTH_PICTURE_CLAIM: {
    ...claimName,
    default: "picture",
    title: "Claim: picture",
    description: "The address of their picture; empty: none is taken.",
  },
  OAUTH_UPDATE_NAME_ON_LOGIN: {
    ...off,
    title: "Renew the name at sign-in",
    description: "The provider's name replaces the one that is here.",
  },
  OAUTH_UPDATE_EMAIL_ON_LOGIN: {
    ...off,
    title: "Renew the address at sign-in",
    description: "The provider's verified address replaces the one that is here, unless another account has it.",
  },
  OAUTH_UPDATE_PICTURE_ON_LOGIN: {
    ...off,
    title: "Renew the picture at sign-in",
    description: "The provider's picture replaces the one that is here.",
  },
  ENABLE_OAUTH_ROLE_MANAGEMENT: {
    ...off,
    title: "Roles come from the provider",
    description: "At each sign-in the roles claim decides; who has none of the roles below is refused.",
  },
  OAUTH_ROLES_CLAIM: {
    ...claimName,
    schema: claim.min(1),
    default: "roles",
    title: "Claim: roles",
    description: "Dotted where nested.",
  },
  OAUTH_ALLOWED_ROLES: {
    ...list,
    default: ["user", "admin"],
    title: "Roles that let in",
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
    description: "Dotted where nested.",
  },
  ENABLE_OAUTH_GROUP_CREATION: {
    ...off,
    title: "Make missing groups",
    description: "A group of the claim that is not here is made.",
  },
  OAUTH_BLOCKED_GROUPS: {
    ...list,
    default: [],
    title: "Groups to leave alone",
    description: "Names, separated by commas; * stands for anything.",
  },
  OAUTH_CODE_CHALLENGE_METHOD: {
    ...base,
    schema: z.enum(["S256"]),
    default: "S256",
    type: "choice",
    options: ["S256"],
    title: "Proof of the code (PKCE)",
    description: "How the proof is derived; always sent.",
  },
  OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: {
    ...base,
    schema: z.enum(["auto", "client_secret_basic", "client_secret_post", "none"]),
    default: "auto",
    type: "choice",
    options: ["auto", "client_secret_basic", "client_secret_post", "none"],
    title: "How the client secret is sent",
    description: "Auto takes what the provider says that it can do.",
  },
  OAUTH_TIMEOUT: {
    ...base,
    schema: z.number().int().min(1).max(60),
    default: 10,
    type: "number",
    title: "Wait for the provider (seconds)",
    description: "For each call to it.",
  },
  OAUTH_AUTO_REDIRECT: {
    ...off,
    title: "Go to the provider at once",
    description: "The sign-in page does so when there is one provider only.",
  },
  ENABLE_OAUTH_BACKCHANNEL_LOGOUT: {
    ...on,
    title: "Back-channel logout",
    description: "The provider may end sessions at /oauth/backchannel-logout.",
  },
  OPENID_END_SESSION_ENDPOINT: {
    ...base,
    schema: z.union([z.literal(""), providerAddress]),
    default: "",
    type: "text",
    title: "Sign-out address of the provider",
    description: "Where signing out goes on; empty: what its discovery document says.",
  },
  WEBUI_AUTH_SIGNOUT_REDIRECT_URL: {
    ...optionalAddress,
    title: "After signing out",
    description: "Where people come to; the provider has to know it when it signs them out too.",
  },
  ENABLE_LOGIN_FORM: {
    ...on,
    title: "Show the form",
    description: "E-mail and password on the sign-in page; without it there are the providers' buttons only.",
  },
  ENABLE_PASSWORD_AUTH: {
    ...on,
    title: "Passwords",
    description: "Signing in and signing up with a password; when off, both are refused.",
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

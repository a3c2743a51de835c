import ipaddr from "ipaddr.js";
import * as z from "zod";
import type { Definition } from "../settings/definition.ts";

/** What can stand behind `Bearer ` in a header. */
const token = z.string().regex(/^[\x21-\x7e]{1,1000}$/, "visible ASCII characters without spaces");

const range = z
  .string()
  .refine((text) => ipaddr.isValid(text) || ipaddr.isValidCIDR(text), "addresses or ranges such as 192.0.2.0/24");

/** Provisioning (SCIM 2.0). From the environment only: whoever administers the service cannot open this door by a page. */
export const scimSettings = {
  SCIM_ENABLED: {
    schema: z.boolean(),
    default: false,
    where: "environment",
    section: "scim",
    type: "boolean",
    aliases: ["ENABLE_SCIM"],
    requires: ["SCIM_TOKEN"],
    title: "Provisioning (SCIM)",
    description: "An identity provider can create, change and switch off accounts and groups.",
  },
  SCIM_TOKEN: {
    schema: z.union([z.literal(""), token]),
    default: "",
    where: "environment",
    section: "scim",
    type: "text",
    secret: true,
    title: "Token of the identity provider",
    description: "A long random text that the identity provider sends as its Bearer token.",
  },
  SCIM_TOKEN_PREVIOUS: {
    schema: z.union([z.literal(""), token]),
    default: "",
    where: "environment",
    section: "scim",
    type: "text",
    secret: true,
    title: "Previous token",
    description: "Also accepted, until the identity provider has the new token.",
  },
  SCIM_AUTH_PROVIDER: {
    schema: z.union([
      z.literal(""),
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, "only letters, digits and _ . -"),
    ]),
    default: "",
    where: "environment",
    section: "scim",
    type: "text",
    title: "Sign-in provider of provisioned people",
    description: "ID of the sign-in provider that externalId belongs to, such as oidc or microsoft.",
  },
  SCIM_IP_ALLOWLIST: {
    schema: z.array(range).max(200),
    default: [],
    where: "environment",
    section: "scim",
    type: "list",
    separator: ",",
    requires: ["SCIM_IP_HEADER"],
    title: "Allowed addresses",
    description: "Addresses or ranges that may provision, separated by commas. If empty, all addresses may.",
  },
  SCIM_IP_HEADER: {
    schema: z.union([z.literal(""), z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "a header name")]),
    default: "",
    where: "environment",
    section: "scim",
    type: "text",
    title: "Header with the caller's address",
    description:
      "The header in which the proxy sends the caller's address: CF-Connecting-IP on Cloudflare, otherwise often X-Real-IP or X-Forwarded-For.",
  },
} as const satisfies Record<string, Definition>;

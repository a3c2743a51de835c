import * as z from "zod";
import type { Definition } from "../../../settings/definition.ts";

/** Headers that say something else already, or that browsers, proxies and the runtime set as they like. */
const taken =
  /^(authorization|proxy-.*|cookie2?|set-cookie2?|host|origin|referer|user-agent|connection|upgrade|via|date|te|trailer|transfer-encoding|keep-alive|expect|forwarded|from|range|if-.*|accept.*|cache-control|pragma|priority|dnt|upgrade-insecure-requests|x-requested-with|content-.*|access-control-.*|sec-.*|x-forwarded-.*|x-real-ip|x-request-id|cf-.*|x-parley-.*|x-service-.*)$/;

/** A field name (RFC 9110, section 5.1) in small letters, as headers are compared. */
const headerName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "a header name")
  .transform((name) => name.toLowerCase())
  .refine((name) => !taken.test(name), "a header that the service does not use otherwise");

/** What decides about API keys. */
export const apiKeySettings = {
  ENABLE_API_KEYS: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "keys",
    type: "boolean",
    title: "Enable API keys",
    description:
      "People may create keys for scripts. Everyone except administrators also needs the permission API keys. When off, no key works.",
  },
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: {
    schema: z.boolean(),
    default: false,
    where: "anywhere",
    section: "keys",
    type: "boolean",
    aliases: ["ENABLE_API_KEY_ENDPOINT_RESTRICTIONS"],
    title: "API key endpoint restrictions",
    description: "Keys can call only the endpoints listed below. If the list is empty, they can call none.",
  },
  API_KEYS_ALLOWED_ENDPOINTS: {
    schema: z.string().max(10_000),
    default: "",
    where: "anywhere",
    section: "keys",
    type: "text",
    aliases: ["API_KEY_ALLOWED_ENDPOINTS"],
    title: "Allowed endpoints",
    description:
      "Separated by commas, for example: GET /api/models, /api/chat/completions, /api/v1/users/:id/info, /api/v1/chats/*. Without a method, all methods are allowed. /* matches everything below.",
  },
  CUSTOM_API_KEY_HEADER: {
    schema: headerName,
    default: "x-api-key",
    where: "environment",
    section: "keys",
    type: "text",
    title: "API key header",
    description: "The header for the key when a proxy uses Authorization itself.",
  },
  USER_PERMISSIONS_FEATURES_API_KEYS: {
    schema: z.boolean().nullable(),
    // Says nothing unless it is set: then what administrators chose counts.
    default: null,
    where: "environment",
    section: "keys",
    type: "boolean",
    title: "API keys for everyone",
    description: "Overrides this default permission. If not set, the default permissions on the groups page apply.",
  },
} as const satisfies Record<string, Definition>;

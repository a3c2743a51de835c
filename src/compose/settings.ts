import * as z from "zod";
import { channelSettings } from "../channels/settings.ts";
import { fileSettings } from "../documents/files/settings.ts";
import { knowledgeSettings } from "../documents/knowledge/settings.ts";
import { retrievalSettings } from "../documents/retrieval/settings.ts";
import { parseDuration } from "../lib/duration.ts";
import { connectionSettings } from "../models/connections/settings.ts";
import { apiKeySettings } from "../people/auth/api-keys/settings.ts";
import { oidcSettings } from "../people/auth/oidc/settings.ts";
import { pluginSettings } from "../plugins/settings.ts";
import { scimSettings } from "../scim/settings.ts";
import type { Definition } from "../settings/definition.ts";
import { usageSettings } from "../usage/settings.ts";
import { webhookSettings } from "../webhooks/settings.ts";

const boolean = z.boolean();
const text = z.string().max(4000);
const url = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);
const urls = z.array(z.url({ protocol: /^https?$/ })).max(50);

/**
 * Every setting there is; those of a slice stand in its own `settings.ts`. The environment wins over the database, the
 * database over the default; `where: "environment"` settings are not editable at run time. Names are the peer's where it
 * has them.
 */
export const definitions = {
  ...apiKeySettings,
  ...oidcSettings,
  ...scimSettings,
  ...connectionSettings,
  ...pluginSettings,
  ...fileSettings,
  ...knowledgeSettings,
  ...retrievalSettings,
  ...usageSettings,
  ...channelSettings,
  ...webhookSettings,
  ENV: {
    schema: z.enum(["dev", "prod"]),
    default: "prod",
    where: "environment",
    section: "service",
    type: "choice",
    options: ["dev", "prod"],
    title: "Mode",
    description: "dev serves the API documentation at /docs and /openapi.json.",
  },
  WEBUI_NAME: {
    schema: z.string().min(1).max(80),
    default: "Parley",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Name",
    description: "Shown on the sign-in page and in tab titles.",
  },
  WEBUI_URL: {
    schema: url,
    default: "",
    where: "anywhere",
    section: "general",
    type: "text",
    title: "Public address",
    description:
      "The address at which people reach the service. If it is https, the session cookie is sent over https only.",
  },
  ENABLE_SIGNUP: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "People may sign up",
    description: "When off, only administrators and the identity provider can create accounts.",
  },
  DEFAULT_USER_ROLE: {
    schema: z.enum(["pending", "user"]),
    default: "pending",
    where: "anywhere",
    section: "accounts",
    type: "choice",
    options: ["pending", "user"],
    title: "Role of new people",
    description: "Pending people have to wait until an administrator activates them.",
  },
  JWT_EXPIRES_IN: {
    schema: z
      .string()
      .refine(
        (value) => parseDuration(value) !== undefined,
        "a number with a unit (ms, s, m, h, d, w) such as 4w, or -1 for never",
      ),
    default: "4w",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Session lifetime",
    description: "A number with a unit, such as 12h or 4w. -1: sessions never expire.",
  },
  SHOW_ADMIN_DETAILS: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "accounts",
    type: "boolean",
    title: "Show an administrator's contact",
    description: "People who wait for approval see the name and address of an administrator.",
  },
  ADMIN_EMAIL: {
    schema: z.union([z.literal(""), z.email()]),
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Contact address",
    description: "Shown to people who wait for approval. If empty, the first administrator's address.",
  },
  PENDING_USER_OVERLAY_TITLE: {
    schema: z.string().max(200),
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Waiting page: title",
    description: "If empty, the built-in title.",
  },
  PENDING_USER_OVERLAY_CONTENT: {
    schema: text,
    default: "",
    where: "anywhere",
    section: "accounts",
    type: "text",
    title: "Waiting page: text",
    description: "If empty, the built-in text.",
  },
  DEFAULT_MODEL_VISIBILITY: {
    schema: z.enum(["everyone", "admins"]),
    default: "everyone",
    where: "anywhere",
    section: "models",
    type: "choice",
    options: ["everyone", "admins"],
    title: "Access to models without grants",
    description: "Who can see models without any grants.",
  },
  DEFAULT_MODELS: {
    schema: text,
    default: "",
    where: "anywhere",
    section: "models",
    type: "text",
    title: "Default model",
    description: "Model IDs, separated by commas. New chats use the first one that the person can see.",
  },
  ENABLE_TITLE_GENERATION: {
    schema: boolean,
    default: true,
    where: "anywhere",
    section: "chat",
    type: "boolean",
    title: "Generate titles",
    description: "A model writes a title for each new chat in the background.",
  },
  TASK_MODEL: {
    schema: z.string().max(256),
    default: "",
    where: "anywhere",
    section: "chat",
    type: "text",
    title: "Model for titles",
    description: "A model ID. If empty, the model of the chat.",
  },
  UPSTREAM_TIMEOUT: {
    schema: z.number().int().min(1).max(3600),
    default: 300,
    where: "anywhere",
    section: "connections",
    type: "number",
    aliases: ["AIOHTTP_CLIENT_TIMEOUT"],
    title: "Provider timeout (seconds)",
    description: "How long a provider may send no data, before the answer starts and during it.",
  },
  OPENAI_API_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["OPENAI_API_BASE_URL"],
    title: "OpenAI-compatible connections",
    description: "Base addresses, separated by semicolons.",
  },
  OPENAI_API_KEYS: {
    schema: z.array(z.string()).max(50),
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["OPENAI_API_KEY"],
    secret: true,
    title: "Keys of the OpenAI-compatible connections",
    description: "In the same order as the addresses, separated by semicolons.",
  },
  ANTHROPIC_API_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["ANTHROPIC_API_BASE_URL"],
    title: "Connections with a Messages API",
    description: "Base addresses, separated by semicolons.",
  },
  ANTHROPIC_API_KEYS: {
    schema: z.array(z.string()).max(50),
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["ANTHROPIC_API_KEY"],
    secret: true,
    title: "Keys of the connections with a Messages API",
    description: "In the same order as the addresses, separated by semicolons.",
  },
  LOCALMODEL_BASE_URLS: {
    schema: urls,
    default: [],
    where: "environment",
    section: "connections",
    type: "list",
    aliases: ["LOCALMODEL_BASE_URL", "OLLAMA_BASE_URLS", "OLLAMA_BASE_URL"],
    title: "Local runtimes",
    description: "Base addresses, separated by semicolons.",
  },
  OUTBOUND_ALLOWED_PRIVATE_HOSTS: {
    schema: z
      .array(z.string().regex(/^[^\s/:]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/i, "host or host:port"))
      .max(200),
    default: [],
    where: "environment",
    section: "network",
    type: "list",
    separator: ",",
    title: "Allowed private addresses",
    description: "host or host:port, separated by commas. People and plugins may call these although they are private.",
  },
} as const satisfies Record<string, Definition>;

export type SettingName = keyof typeof definitions;

/** Effective values by name. */
export type Settings = { readonly [N in SettingName]: z.output<(typeof definitions)[N]["schema"]> };

export const settingNames = Object.keys(definitions) as SettingName[];

/** What the environment says: values that are set, under their own names. These are locked. */
export type Environment = Partial<Settings>;

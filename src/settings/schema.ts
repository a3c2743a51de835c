import * as z from "zod";
import { outsidePictureModes } from "../shared/outside-pictures.ts";
import { bannerList } from "./banners/schema.ts";

/** Sections of the settings page, in order. */
export const settingSections = [
  "general",
  "accounts",
  "limits",
  "retention",
  "mail",
  "keys",
  "sso",
  "scim",
  "chat",
  "channels",
  "models",
  "documents",
  "retrieval",
  "web",
  "images",
  "audio",
  "plugins",
  "tools",
  "connections",
  "network",
  "service",
] as const;

/** What settings hold ids of: pages offer what there is, so nobody types an id. */
export const pickedThings = ["model", "group", "organization", "connection"] as const;

/** A value of any setting. Null in a change means: back to the default. */
const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** Settings by name. */
export const settingValues = z.record(z.string(), value);
export type SettingValues = z.infer<typeof settingValues>;

export const settingsChange = z.record(z.string().max(200), z.unknown());

/** Settings in the form of another client. */
export const clientConfig = z.record(z.string(), z.unknown());

export const settingsSchema = z.object({
  settings: z.array(
    z.object({
      name: z.string(),
      section: z.enum(settingSections),
      type: z.enum(["boolean", "text", "number", "choice", "list"]),
      options: z.array(z.string()).optional(),
      picks: z.object({ what: z.enum(pickedThings), many: z.literal(true).optional() }).optional(),
      default: value.nullable(),
      /** What is in force; null for secrets. */
      value: value.nullable(),
      /** False for what only the environment can hold. */
      editable: z.boolean(),
      /** Fixed by the environment, or not editable at all. */
      locked: z.boolean(),
      secret: z.boolean(),
      /** Of secrets: whether there is a value. */
      is_set: z.boolean().optional(),
      title: z.string(),
      description: z.string(),
    }),
  ),
});
export type SettingsSchema = z.infer<typeof settingsSchema>;

/** The response of `GET /api/config` for everyone, with more fields for signed-in callers. Names are Open WebUI's. */
export const publicConfig = z.object({
  /** Only, and then true, while there is no administrator. */
  onboarding: z.literal(true).optional(),
  status: z.literal(true),
  name: z.string(),
  version: z.string(),
  default_locale: z.string(),
  oauth: z.object({ providers: z.record(z.string(), z.string()), auto_redirect: z.boolean() }),
  features: z.record(z.string(), z.boolean()),
  /** How pictures of other sites are shown. */
  outside_pictures: z.enum(outsidePictureModes).optional(),
  /** Notices above every page, from top to bottom. */
  banners: bannerList.optional(),
  /** Who writes down and reads aloud: `openai` is a connection, `web` the browser, `off` nobody. */
  audio: z
    .object({
      stt: z.object({ engine: z.string() }),
      tts: z.object({ engine: z.string(), voice: z.string(), split_on: z.string() }),
    })
    .optional(),
  default_models: z.string().optional(),
  default_pinned_models: z.string().optional(),
  default_prompt_suggestions: z.array(z.object({ title: z.array(z.string()), content: z.string() })).optional(),
  /** What may be uploaded: megabytes of a file, files of a message, endings without the dot (empty: all). */
  file: z.object({ max_size: z.number(), max_count: z.number(), extensions: z.array(z.string()) }).optional(),
  /** What everyone may do without a group. */
  permissions: z.record(z.string(), z.record(z.string(), z.boolean())).optional(),
  ui: z.object({ pending_user_overlay_title: z.string(), pending_user_overlay_content: z.string() }).optional(),
});
export type PublicConfig = z.infer<typeof publicConfig>;

export const version = z.object({
  version: z.string(),
  deployment_id: z.string(),
  /** What the service was built from; null if that is not known. */
  commit: z.string().nullable(),
});

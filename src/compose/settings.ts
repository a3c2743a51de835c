import type * as z from "zod";
import { audioSettings } from "../audio/settings.ts";
import { channelSettings } from "../channels/settings.ts";
import { codeRunSettings } from "../chat/code-runs/settings.ts";
import { chatSettings } from "../chat/settings.ts";
import { fileSettings } from "../documents/files/settings.ts";
import { knowledgeSettings } from "../documents/knowledge/settings.ts";
import { retrievalSettings } from "../documents/retrieval/settings.ts";
import { feedbackSettings } from "../feedback/settings.ts";
import { imageSettings } from "../images/settings.ts";
import { retentionSettings } from "../life/retention/settings.ts";
import { machineSettings } from "../machine/settings.ts";
import { mailSettings } from "../mail/settings.ts";
import { memorySettings } from "../memories/settings.ts";
import { metricSettings } from "../metrics/settings.ts";
import { connectionSettings } from "../models/connections/settings.ts";
import { directConnectionSettings } from "../models/direct-connections/settings.ts";
import { modelSettings } from "../models/settings.ts";
import { apiKeySettings } from "../people/auth/api-keys/settings.ts";
import { oidcSettings } from "../people/auth/oidc/settings.ts";
import { accountSettings } from "../people/settings.ts";
import { limitSettings } from "../people/totals/settings.ts";
import { pictureSettings } from "../pictures/settings.ts";
import { pluginSettings } from "../plugins/settings.ts";
import { scimSettings } from "../scim/settings.ts";
import type { Definition } from "../settings/definition.ts";
import { generalSettings } from "../settings/settings.ts";
import { traceSettings } from "../settings/trace-settings.ts";
import { usageSettings } from "../usage/settings.ts";
import { webSettings } from "../web/settings.ts";
import { webhookSettings } from "../webhooks/settings.ts";

/**
 * All settings; those of a slice are in its own `settings.ts`. The environment overrides the database, the database
 * overrides the default; `where: "environment"` settings cannot be changed at run time. Names are Open WebUI's where it
 * has them.
 */
export const definitions = {
  ...generalSettings,
  ...pictureSettings,
  ...accountSettings,
  ...limitSettings,
  ...retentionSettings,
  ...machineSettings,
  ...apiKeySettings,
  ...oidcSettings,
  ...scimSettings,
  ...modelSettings,
  ...connectionSettings,
  ...directConnectionSettings,
  ...pluginSettings,
  ...fileSettings,
  ...knowledgeSettings,
  ...retrievalSettings,
  ...webSettings,
  ...imageSettings,
  ...audioSettings,
  ...usageSettings,
  ...channelSettings,
  ...webhookSettings,
  ...mailSettings,
  ...metricSettings,
  ...traceSettings,
  ...chatSettings,
  ...codeRunSettings,
  ...memorySettings,
  ...feedbackSettings,
} as const satisfies Record<string, Definition>;

export type SettingName = keyof typeof definitions;

/** Effective values by name. */
export type Settings = { readonly [N in SettingName]: z.output<(typeof definitions)[N]["schema"]> };

export const settingNames = Object.keys(definitions) as SettingName[];

/** Values from the environment, under their own names. These are locked. */
export type Environment = Partial<Settings>;

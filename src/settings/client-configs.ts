import { requireAdmin } from "../access.ts";
import type { SettingName } from "../compose/settings.ts";
import type { Context } from "../context.ts";
import { isRecord } from "../lib/json.ts";
import { changeSettings, settingNamesOf } from "./change-settings.ts";
import type { Definition } from "./definition.ts";

/** Open WebUI's configuration of a subject: a place in its document for each setting of a section. */
interface ClientConfig {
  path: string;
  /** The section of the settings that it shows. */
  section: Definition["section"];
  /** Where a setting stands: the field around it, if there is one, and its own name there. */
  place(name: SettingName): [group: string | undefined, field: string];
}

export const clientConfigs: readonly ClientConfig[] = [
  { path: "/api/v1/retrieval/config", section: "web", place: (name) => ["web", name] },
  { path: "/api/v1/images/config", section: "images", place: (name) => [undefined, name] },
  {
    path: "/api/v1/audio/config",
    section: "audio",
    place(name) {
      const [, group = "", field = ""] = /^AUDIO_(STT|TTS)_(.+)$/.exec(name) ?? [];
      return [group.toLowerCase(), field];
    },
  },
];

/** The settings of a section in Open WebUI's form; secrets are empty. @throws AppError `forbidden` */
export function getClientConfig(ctx: Context, { section, place }: ClientConfig): Record<string, unknown> {
  requireAdmin(ctx);
  const document: Record<string, unknown> = {};
  for (const name of namesOf(ctx, section)) {
    const [group, field] = place(name);
    const definition: Definition = ctx.registry.definitions[name];
    const holder = group === undefined ? document : ((document[group] ??= {}) as Record<string, unknown>);
    holder[field] = definition.secret ? "" : ctx.settings[name];
  }
  return document;
}

/**
 * Changes the settings that the document names. Fields that mean nothing here are skipped, and so are empty secrets:
 * clients send back what they were shown.
 * @throws AppError as `changeSettings`
 */
export async function changeClientConfig(
  ctx: Context,
  { section, place }: ClientConfig,
  given: Record<string, unknown>,
): Promise<SettingsChange> {
  requireAdmin(ctx);
  const change: SettingsChange = {};
  for (const name of namesOf(ctx, section)) {
    const [group, field] = place(name);
    const holder = group === undefined ? given : given[group];
    const value = isRecord(holder) && Object.hasOwn(holder, field) ? holder[field] : undefined;
    const { secret }: Definition = ctx.registry.definitions[name];
    if (value === undefined || (secret && value === "")) continue;
    change[name] = value;
  }
  return changeSettings(ctx, change);
}

type SettingsChange = Record<string, unknown>;

function namesOf(ctx: Context, section: Definition["section"]): SettingName[] {
  return settingNamesOf(ctx).filter((name) => ctx.registry.definitions[name].section === section);
}

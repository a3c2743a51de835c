import type { SettingsSchema } from "../../../../settings/schema.ts";
import { settingWords } from "../../../languages/setting-words.ts";
import { api } from "../../../lib/api.ts";

/** One setting as the service describes it; the value of a secret is null. */
export type Setting = SettingsSchema["settings"][number];
export type SettingValue = Setting["value"];

/** All settings, with their titles and descriptions in the language of the page. */
export async function loadSettings(signal?: AbortSignal): Promise<Setting[]> {
  const [{ settings }, words] = await Promise.all([
    api<SettingsSchema>("GET", "/api/v1/auths/admin/config/schema", { signal }),
    settingWords(),
  ]);
  return settings.map((setting) => {
    const known = words[setting.name];
    return known ? { ...setting, title: known[0], description: known[1] } : setting;
  });
}

/** Stores what is named and leaves the rest. */
export function saveSettings(values: Record<string, SettingValue>): Promise<unknown> {
  return api("POST", "/api/v1/auths/admin/config", { body: values });
}

/** A value as text for a field. */
export function toText(value: SettingValue): string {
  if (Array.isArray(value)) return value.join("\n");
  return value === null ? "" : String(value);
}

/** What was typed, as the setting's own type; undefined when it is not one. */
export function fromText(setting: Setting, text: string): SettingValue | undefined {
  if (setting.type === "list")
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
  if (setting.type !== "number") return text;
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

export function sameValue(one: SettingValue | undefined, other: SettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

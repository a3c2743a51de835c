import type { SettingsSchema } from "../../../../settings/schema.ts";
import { api } from "../../../lib/api.ts";

/** One setting as the service describes it; the value of a secret is null. */
export type Setting = SettingsSchema["settings"][number];
export type SettingValue = Setting["value"];

export async function loadSettings(signal?: AbortSignal): Promise<Setting[]> {
  return (await api<SettingsSchema>("GET", "/api/v1/auths/admin/config/schema", { signal })).settings;
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

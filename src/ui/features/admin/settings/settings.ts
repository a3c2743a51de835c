import { api } from "../../../lib/api.ts";

export type SettingValue = string | number | boolean | string[] | null;

/** One setting as the service describes it. */
export interface Setting {
  name: string;
  section: string;
  type: "boolean" | "text" | "number" | "choice" | "list";
  options?: string[];
  default: SettingValue;
  value: SettingValue;
  /** Set by the environment. */
  locked: boolean;
  /** False for settings that only the environment can hold. */
  editable?: boolean;
  secret: boolean;
  title: string;
  description: string;
}

export async function loadSettings(signal?: AbortSignal): Promise<Setting[]> {
  return (await api<{ settings: Setting[] }>("GET", "/api/v1/auths/admin/config/schema", { signal })).settings;
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
  if (setting.type === "list") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (setting.type !== "number") return text;
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

export function sameValue(one: SettingValue | undefined, other: SettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

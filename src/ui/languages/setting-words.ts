import type { SettingName } from "../../compose/settings.ts";
import { type Language, language } from "../lib/language.ts";

/** Title and description of each setting, as the service has them in English. */
export type SettingWords = Readonly<Record<SettingName, readonly [title: string, description: string]>>;

const load: Record<Exclude<Language, "en">, () => Promise<{ default: SettingWords }>> = {
  de: () => import("./de/settings.ts"),
  es: () => import("./es/settings.ts"),
  fr: () => import("./fr/settings.ts"),
  "pt-BR": () => import("./pt-BR/settings.ts"),
  ar: () => import("./ar/settings.ts"),
  ja: () => import("./ja/settings.ts"),
  "zh-CN": () => import("./zh-CN/settings.ts"),
};

/** The words in the language of the page; none in English, or where they cannot be loaded. */
export async function settingWords(): Promise<Readonly<Record<string, SettingWords[SettingName]>>> {
  if (language === "en") return {};
  return (await load[language]().catch(() => undefined))?.default ?? {};
}

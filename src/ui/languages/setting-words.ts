import { type Loaders, loadTexts } from "./translator.ts";

/** Title and description of each setting by its name, as the service has them in English; a test asks for all. */
export type SettingWords = Readonly<Record<string, readonly [title: string, description: string]>>;

const load: Loaders<SettingWords> = {
  de: () => import("./de/settings.ts"),
  es: () => import("./es/settings.ts"),
  fr: () => import("./fr/settings.ts"),
  "pt-BR": () => import("./pt-BR/settings.ts"),
  ar: () => import("./ar/settings.ts"),
  ja: () => import("./ja/settings.ts"),
  "zh-CN": () => import("./zh-CN/settings.ts"),
};

/** The words in the language of the page; none in English, or where they cannot be loaded. */
export async function settingWords(): Promise<SettingWords> {
  return (await loadTexts(load)) ?? {};
}

import { type Language, language } from "../lib/language.ts";

/** Texts by the id of their place; see app-texts.ts. */
type Texts = Readonly<Record<string, unknown>>;

/** By language, what imports the texts. */
export type Loaders<T> = Readonly<Record<Exclude<Language, "en">, () => Promise<{ default: T }>>>;

/** The texts in the language of the page; undefined in English, or where they cannot be loaded because the network fails just now. */
export async function loadTexts<T>(load: Loaders<T>): Promise<T | undefined> {
  if (language === "en") return undefined;
  return (await load[language]().catch(() => undefined))?.default;
}

/**
 * Loads the language of the page.
 *
 * @param load its texts, by language
 * @returns what gives the texts of one place in that language
 */
export async function translator(load: Loaders<Texts>) {
  const translated = await loadTexts(load);
  /**
   * @param id of the place
   * @param english what the code is written with, and what is shown where there is no translation
   */
  return <T>(id: string, english: T): T => (translated?.[id] as T | undefined) ?? english;
}

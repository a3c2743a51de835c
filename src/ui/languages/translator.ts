import { type Language, language } from "../lib/language.ts";

/** Texts by the id of their place; see app-texts.ts. */
type Texts = Readonly<Record<string, unknown>>;

/**
 * Loads the language of the page.
 *
 * @param load its texts, by language
 * @returns what gives the texts of one place in that language
 */
export async function translator(load: Record<Exclude<Language, "en">, () => Promise<{ default: Texts }>>) {
  // Without its texts, because the network failed just now, the page is in English.
  const loaded = language === "en" ? undefined : await load[language]().catch(() => undefined);
  const translated = loaded?.default;
  /**
   * @param id of the place
   * @param english what the code is written with, and what is shown where there is no translation
   */
  return <T>(id: string, english: T): T => (translated?.[id] as T | undefined) ?? english;
}

import { inLanguage } from "../../../languages/app.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of the choice of emoji. */
export const texts = inLanguage("channels/emoji", {
  title: "Emoji",
  insert: "Insert emoji",
  search: "Search emoji",
  found: (n: number) => (n === 1 ? "1 emoji" : `${number.format(n)} emoji`),
  none: (query: string) => `No emoji for “${query}”.`,
  loading: "Loading more emoji",
  failed: "More emoji couldn't be loaded.",
  usual: "Often used",
  /** By the number of their group. */
  groups: {
    0: "Smileys",
    1: "People",
    3: "Animals and nature",
    4: "Food and drink",
    5: "Travel and places",
    6: "Activities",
    7: "Objects",
    8: "Symbols",
    9: "Flags",
  } as Readonly<Record<number, string>>,
});

import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Emojis",
  insert: "Emoji einfügen",
  search: "Emojis suchen",
  found: (n) => plural(n, { one: "# Emoji", other: "# Emojis" }),
  none: (query) => `Kein Emoji passt zu „${query}“.`,
  loading: "Weitere Emojis werden geladen",
  failed: "Weitere Emojis konnten nicht geladen werden.",
  usual: "Häufig verwendet",
  groups: {
    0: "Smileys",
    1: "Personen",
    3: "Tiere und Natur",
    4: "Essen und Trinken",
    5: "Reisen und Orte",
    6: "Aktivitäten",
    7: "Objekte",
    8: "Symbole",
    9: "Flaggen",
  },
} satisfies AppTexts["channels/emoji"];

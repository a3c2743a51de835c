import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Émojis",
  insert: "Insérer un émoji",
  search: "Rechercher un émoji",
  found: (n) => plural(n, { one: "# émoji", other: "# émojis" }),
  none: (query) => `Aucun émoji pour « ${query} ».`,
  loading: "Chargement d’autres émojis",
  failed: "Impossible de charger d’autres émojis.",
  usual: "Souvent utilisés",
  /** By the number of their group. */
  groups: {
    0: "Smileys",
    1: "Personnes",
    3: "Animaux et nature",
    4: "Nourriture et boissons",
    5: "Voyages et lieux",
    6: "Activités",
    7: "Objets",
    8: "Symboles",
    9: "Drapeaux",
  },
} satisfies AppTexts["channels/emoji"];

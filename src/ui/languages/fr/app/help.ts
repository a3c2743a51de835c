import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "Retour aux discussions",
  title: "Aide",
  sub: "Comment fonctionne Parley, pour toutes les personnes qui l’utilisent, l’exploitent ou l’étendent.",
  all: "Toutes les pages",
  search: "Rechercher dans l’aide",
  searchFailed: "Impossible de rechercher dans les pages d’aide",
  none: (query) => `Aucune page ne contient « ${query} ».`,
  failed: "Impossible de charger la page",
  missing: "Il n’y a aucune page d’aide à cette adresse.",
  contents: "Sur cette page",
} satisfies AppTexts["help"];

import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Annonces",
  sub: "Affichées en haut de chaque page, pour toutes les personnes connectées.",
  none: "Il n’y a aucune annonce.",
  add: "Ajouter une annonce",
  failed: "Impossible de charger les annonces",
  notSaved: "Impossible d’enregistrer les annonces",
  saved: "Annonces : enregistré. Elles s’affichent quand les personnes ouvrent ou rechargent une page.",
  changes: "Annonces",
  of: (n) => `Annonce ${n}`,
  type: "Type",
  types: { info: "Information", success: "Bonne nouvelle", warning: "Avertissement", error: "Problème" },
  heading: "Titre (facultatif)",
  content: "Texte",
  contentHint: "Markdown, par exemple **gras** et [liens](https://example.com).",
  missing: "Écrivez ce que l’annonce doit dire.",
  dismissible: "Les personnes peuvent la fermer",
  dismissibleHint: "Elle réapparaît quand vous la modifiez.",
  remove: (n) => `Retirer l’annonce ${n}`,
  up: (n) => `Monter l’annonce ${n}`,
  down: (n) => `Descendre l’annonce ${n}`,
} satisfies AdminTexts["admin/banners"];

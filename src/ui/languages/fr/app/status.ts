import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "Définir un statut",
  title: "Votre statut",
  text: "Que faites-vous ?",
  placeholder: "p. ex. En réunion",
  emoji: "Choisir un emoji",
  clearAfter: "L’effacer",
  ends: {
    never: "Jamais",
    halfHour: "Dans 30 minutes",
    hour: "Dans 1 heure",
    fourHours: "Dans 4 heures",
    today: "Aujourd’hui",
    week: "Cette semaine",
    kept: "À l’heure prévue",
  },
  hint: "Les personnes de votre organisation le voient dans les canaux.",
  save: "Enregistrer",
  clear: "Effacer le statut",
  failed: "Impossible d’enregistrer le statut",
  usual: {
    meeting: "En réunion",
    lunch: "En pause déjeuner",
    home: "En télétravail",
    holiday: "En congé",
    sick: "En arrêt maladie",
  },
} satisfies AppTexts["status"];

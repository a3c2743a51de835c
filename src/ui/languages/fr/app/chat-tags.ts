import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "Étiquettes…",
  label: "Étiquettes",
  /** Before the names, for screen readers. */
  spoken: "Étiquettes :",
  row: "Étiquettes de cette discussion",
  edit: "Modifier les étiquettes",
  show: (name) => `Afficher les discussions avec l’étiquette ${name}`,
  filter: {
    label: "Uniquement les discussions avec cette étiquette",
    clear: (name) => `Ne plus filtrer par ${name}`,
    none: (name) => `Aucune discussion n’a l’étiquette « ${name} ».`,
    noneFound: (query, name) => `Aucune discussion avec l’étiquette « ${name} » ne correspond à « ${query} ».`,
  },
  dialog: {
    title: (name) => `Étiquettes de « ${name} »`,
    add: "Ajouter une étiquette",
    addAction: "Ajouter",
    placeholder: "Un mot ou deux",
    none: "Cette discussion n’a pas encore d’étiquette.",
    remove: (name) => `Retirer l’étiquette ${name}`,
    known: "Vos autres étiquettes",
    addKnown: (name) => `Ajouter l’étiquette ${name}`,
    failed: "Impossible de modifier les étiquettes",
    loadFailed: "Impossible de charger les étiquettes",
    added: (name) => `Étiquette ajoutée : ${name}`,
    removed: (name) => `Étiquette retirée : ${name}`,
    done: "Terminé",
  },
} satisfies AppTexts["chat/tags"];

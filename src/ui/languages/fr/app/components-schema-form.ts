import type { AppTexts } from "../../app-texts.ts";
import { number, plural } from "../format.ts";

const characters = (count: number): string => plural(count, { one: "# caractère", other: "# caractères" });
const entries = (count: number): string => plural(count, { one: "# entrée", other: "# entrées" });

export default {
  required: "Ce champ est obligatoire.",
  noNumber: "Saisissez un nombre.",
  noInteger: "Saisissez un nombre entier.",
  noText: "Saisissez du texte.",
  noChoice: "Choisissez l’une des valeurs.",
  noJson: "Ce JSON n’est pas valide.",
  noMatch: (pattern) => `Cette valeur ne correspond pas au modèle ${pattern}`,
  atLeast: (value) => `Au moins ${number.format(value)}.`,
  atMost: (value) => `Au plus ${number.format(value)}.`,
  moreThan: (value) => `Plus de ${number.format(value)}.`,
  lessThan: (value) => `Moins de ${number.format(value)}.`,
  multipleOf: (value) => `Un multiple de ${number.format(value)}.`,
  tooShort: (length) => `Au moins ${characters(length)}.`,
  tooLong: (length) => `Au plus ${characters(length)}.`,
  tooFew: (count) => `Au moins ${entries(count)}.`,
  tooMany: (count) => `Au plus ${entries(count)}.`,
  isDefault: "Par défaut",
  backToDefault: "Valeur par défaut",
  backToDefaultOf: (label) => ` pour ${label}`,
  choose: "Choisir",
  json: "Saisissez du JSON.",
  entry: (label, at) => `${label}, entrée ${at}`,
  add: "Ajouter une entrée",
  addTo: (label) => `Ajouter une entrée à ${label}`,
  removeEntry: (label, at) => `Retirer l’entrée ${at} (${label})`,
  noEntries: "Aucune entrée.",
  none: "Il n’y a aucun paramètre ici.",
} satisfies AppTexts["components/schema-form"];

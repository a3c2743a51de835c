import type { AppTexts } from "../../app-texts.ts";
import { number, plural } from "../format.ts";

const characters = (count: number): string => plural(count, { one: "# Zeichen", other: "# Zeichen" });
const entries = (count: number): string => plural(count, { one: "# Eintrag", other: "# Einträge" });

export default {
  required: "Dieses Feld ist erforderlich.",
  noNumber: "Geben Sie eine Zahl ein.",
  noInteger: "Geben Sie eine ganze Zahl ein.",
  noText: "Geben Sie Text ein.",
  noChoice: "Wählen Sie einen der Werte.",
  noJson: "Das ist kein gültiges JSON.",
  noMatch: (pattern) => `Dies entspricht nicht dem Muster ${pattern}`,
  atLeast: (value) => `Mindestens ${number.format(value)}.`,
  atMost: (value) => `Höchstens ${number.format(value)}.`,
  moreThan: (value) => `Mehr als ${number.format(value)}.`,
  lessThan: (value) => `Weniger als ${number.format(value)}.`,
  multipleOf: (value) => `Ein Vielfaches von ${number.format(value)}.`,
  tooShort: (length) => `Mindestens ${characters(length)}.`,
  tooLong: (length) => `Höchstens ${characters(length)}.`,
  tooFew: (count) => `Mindestens ${entries(count)}.`,
  tooMany: (count) => `Höchstens ${entries(count)}.`,
  isDefault: "Standard",
  backToDefault: "Standard verwenden",
  backToDefaultOf: (label) => ` für ${label}`,
  choose: "Auswählen",
  json: "Geben Sie JSON ein.",
  entry: (label, at) => `${label}, Eintrag ${at}`,
  add: "Eintrag hinzufügen",
  addTo: (label) => `Eintrag zu ${label} hinzufügen`,
  removeEntry: (label, at) => `Eintrag ${at} von ${label} entfernen`,
  noEntries: "Keine Einträge.",
  none: "Hier gibt es keine Einstellungen.",
} satisfies AppTexts["components/schema-form"];

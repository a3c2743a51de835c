import { inLanguage } from "../../languages/app.ts";
import { locale } from "../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of forms that are made from a schema. */
export const texts = inLanguage("components/schema-form", {
  required: "This field is required.",
  noNumber: "Enter a number.",
  noInteger: "Enter a whole number.",
  noText: "Enter text.",
  noChoice: "Choose one of the values.",
  noJson: "This is not valid JSON.",
  noMatch: (pattern: string) => `This doesn't match the pattern ${pattern}`,
  atLeast: (value: number) => `At least ${number.format(value)}.`,
  atMost: (value: number) => `At most ${number.format(value)}.`,
  moreThan: (value: number) => `More than ${number.format(value)}.`,
  lessThan: (value: number) => `Less than ${number.format(value)}.`,
  multipleOf: (value: number) => `A multiple of ${number.format(value)}.`,
  tooShort: (length: number) => `At least ${number.format(length)} ${length === 1 ? "character" : "characters"}.`,
  tooLong: (length: number) => `At most ${number.format(length)} ${length === 1 ? "character" : "characters"}.`,
  tooFew: (count: number) => `At least ${number.format(count)} ${count === 1 ? "entry" : "entries"}.`,
  tooMany: (count: number) => `At most ${number.format(count)} ${count === 1 ? "entry" : "entries"}.`,
  isDefault: "Default",
  backToDefault: "Use the default",
  backToDefaultOf: (label: string) => ` for ${label}`,
  choose: "Choose",
  json: "Enter JSON.",
  entry: (label: string, at: number) => `${label}, entry ${at}`,
  add: "Add an entry",
  addTo: (label: string) => `Add an entry to ${label}`,
  removeEntry: (label: string, at: number) => `Remove entry ${at} of ${label}`,
  noEntries: "No entries.",
  none: "There are no settings here.",
});

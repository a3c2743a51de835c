import { locale } from "../locale.ts";
import { plurals } from "../plurals.ts";

export const number = new Intl.NumberFormat(locale);
export const plural = plurals("fr");
export const percent = new Intl.NumberFormat(locale, { style: "percent" });
export const list = new Intl.ListFormat(locale, { type: "conjunction" });
export const anyOf = new Intl.ListFormat(locale, { type: "disjunction" });
export const units = new Intl.ListFormat(locale, { type: "unit", style: "short" });
export const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });
export const seconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });
export const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

/** `de` before a name, shortened before a vowel. */
export const de = (name: string): string => (/^[aeiouàâäéèêëîïôöùûüœæ]/iu.test(name) ? `d’${name}` : `de ${name}`);

export const people = (count: number): string => plural(count, { one: "# personne", other: "# personnes" });
export const chats = (count: number): string => plural(count, { one: "# discussion", other: "# discussions" });
export const files = (count: number): string => plural(count, { one: "# fichier", other: "# fichiers" });
export const endpoints = (count: number): string =>
  plural(count, { one: "# point de terminaison", other: "# points de terminaison" });

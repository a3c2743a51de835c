import { locale } from "../locale.ts";
import { plurals } from "../plurals.ts";

export const number = new Intl.NumberFormat(locale);
export const plural = plurals("es");
export const percent = new Intl.NumberFormat(locale, { style: "percent" });
export const list = new Intl.ListFormat(locale, { type: "conjunction" });
export const anyOf = new Intl.ListFormat(locale, { type: "disjunction" });
export const units = new Intl.ListFormat(locale, { type: "unit", style: "short" });
export const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });
export const seconds = new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });
export const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

export const people = (count: number): string => plural(count, { one: "# persona", other: "# personas" });
export const chats = (count: number): string => plural(count, { one: "# chat", other: "# chats" });
export const files = (count: number): string => plural(count, { one: "# archivo", other: "# archivos" });
export const days = (count: number): string => plural(count, { one: "# día", other: "# días" });
export const endpoints = (count: number): string => plural(count, { one: "# endpoint", other: "# endpoints" });

import { locale } from "../locale.ts";

export const number = new Intl.NumberFormat(locale);
export const percent = new Intl.NumberFormat(locale, { style: "percent" });
export const list = new Intl.ListFormat(locale, { type: "conjunction" });
export const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

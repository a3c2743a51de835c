import { locale } from "../../lib/language.ts";
import { plurals } from "../plurals.ts";

export const number = new Intl.NumberFormat(locale);
export const plural = plurals("ar");

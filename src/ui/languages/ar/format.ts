import { locale } from "../locale.ts";
import { plurals } from "../plurals.ts";

export const number = new Intl.NumberFormat(locale);
export const plural = plurals("ar");
export const percent = new Intl.NumberFormat(locale, { style: "percent" });
export const list = new Intl.ListFormat(locale, { type: "conjunction" });
export const anyOf = new Intl.ListFormat(locale, { type: "disjunction" });
export const units = new Intl.ListFormat(locale, { type: "unit", style: "short" });
export const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte" });
export const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
export const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

/** @param dual what the endings of the dual follow: `ان`, or `ين` after another word that governs it */
function noun(zero: string, one: string, dual: string, few: string, many: string, other: string) {
  return (count: number, place: "subject" | "governed" = "subject"): string =>
    plural(count, {
      zero: place === "subject" ? zero : `# ${other}`,
      one,
      two: `${dual}${place === "subject" ? "ان" : "ين"}`,
      few: `# ${few}`,
      many: `# ${many}`,
      other: `# ${other}`,
    });
}

export const people = noun("لا أحد", "شخص واحد", "شخص", "أشخاص", "شخصًا", "شخص");
export const members = noun("لا أعضاء", "عضو واحد", "عضو", "أعضاء", "عضوًا", "عضو");
export const chats = noun("لا محادثات", "محادثة واحدة", "محادثت", "محادثات", "محادثة", "محادثة");
export const messages = noun("لا رسائل", "رسالة واحدة", "رسالت", "رسائل", "رسالة", "رسالة");
export const files = noun("لا ملفات", "ملف واحد", "ملف", "ملفات", "ملفًا", "ملف");
export const models = noun("لا نماذج", "نموذج واحد", "نموذج", "نماذج", "نموذجًا", "نموذج");
export const functions = noun("لا وظائف", "وظيفة واحدة", "وظيفت", "وظائف", "وظيفة", "وظيفة");
export const prompts = noun("لا موجّهات", "موجّه واحد", "موجّه", "موجّهات", "موجّهًا", "موجّه");
export const groups = noun("لا مجموعات", "مجموعة واحدة", "مجموعت", "مجموعات", "مجموعة", "مجموعة");
export const pages = noun("لا صفحات", "صفحة واحدة", "صفحت", "صفحات", "صفحة", "صفحة");
export const passages = noun("لا مقاطع", "مقطع واحد", "مقطع", "مقاطع", "مقطعًا", "مقطع");
export const results = noun("لا نتائج", "نتيجة واحدة", "نتيجت", "نتائج", "نتيجة", "نتيجة");
export const replies = noun("لا ردود", "رد واحد", "رد", "ردود", "ردًا", "رد");
export const endpoints = (count: number): string =>
  plural(count, {
    zero: "لا نقاط نهاية",
    one: "نقطة نهاية واحدة",
    two: "نقطتا نهاية",
    few: "# نقاط نهاية",
    many: "# نقطة نهاية",
    other: "# نقطة نهاية",
  });
export const entries = noun("لا إدخالات", "إدخال واحد", "إدخال", "إدخالات", "إدخالًا", "إدخال");
export const characters = noun("لا أحرف", "حرف واحد", "حرف", "أحرف", "حرفًا", "حرف");
export const others = (count: number): string =>
  plural(count, {
    zero: "لا أحد",
    one: "شخص آخر",
    two: "شخصان آخران",
    few: "# آخرون",
    many: "# آخرون",
    other: "# آخرون",
  });
export const days = noun("لا أيام", "يوم واحد", "يوم", "أيام", "يومًا", "يوم");
export const seconds = noun("لا ثوانٍ", "ثانية واحدة", "ثانيت", "ثوانٍ", "ثانية", "ثانية");
export const minutes = noun("لا دقائق", "دقيقة واحدة", "دقيقت", "دقائق", "دقيقة", "دقيقة");
export const secondsUnit = new Intl.NumberFormat(locale, { style: "unit", unit: "second", maximumFractionDigits: 1 });

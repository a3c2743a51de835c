import type { AppTexts } from "../../app-texts.ts";
import { anyOf, megabytes, number, passages, pages, percent, plural } from "../format.ts";

/** Units that are counted one by one; how far a file of bytes is, is said in percent. */
const nouns = {
  pages: { one: "الصفحة", reading: (count: number) => pages(count) },
  slides: {
    one: "الشريحة",
    reading: (count: number) =>
      plural(count, {
        zero: "لا شرائح",
        one: "شريحة واحدة",
        two: "شريحتان",
        few: "# شرائح",
        many: "# شريحة",
        other: "# شريحة",
      }),
  },
  sheets: {
    one: "الورقة",
    reading: (count: number) =>
      plural(count, {
        zero: "لا أوراق",
        one: "ورقة واحدة",
        two: "ورقتان",
        few: "# أوراق",
        many: "# ورقة",
        other: "# ورقة",
      }),
  },
};

export default {
  tooLarge: (name, most) => `${name} أكبر من الحد المسموح به، وهو ${megabytes.format(most)}.`,
  empty: (name) => `${name} فارغ.`,
  ending: (name, endings) => `لا يمكن رفع ملفات مثل ${name}. الأنواع المسموح بها: ${anyOf.format(endings)}.`,
  folder: (name) => `تعذّرت قراءة ${name}. لا يمكن إرفاق المجلدات. اختر الملفات التي فيها.`,
  uploadWaiting: "في انتظار الرفع",
  uploading: (part) => `جارٍ الرفع، ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "اكتمل الرفع، جارٍ الحفظ",
  uploadOffline: "لا اتصال. سيُستأنف تلقائيًا.",
  uploadFailed: "فشل الرفع",
  stopped: "أُوقف الرفع.",
  /** What is being done with a file, or what became of it, in few words. */
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "غير مقروء";
    if (status === "completed") return "جاهز";
    if (status === "failed") return error || "تعذّرت قراءته";
    if (stage === "embedding")
      return total === undefined
        ? "جارٍ تجهيزه للبحث"
        : `جارٍ تجهيزه للبحث، ${number.format(done)} من ${passages(total, "governed")}`;
    if (stage !== "extracting") return "في انتظار القراءة";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `جارٍ قراءة ${noun.one} ${number.format(Math.min(done + 1, total))} من ${number.format(total)}`;
      return done > 0 ? `جارٍ القراءة، حتى الآن: ${noun.reading(done)}` : "جارٍ القراءة";
    }
    return total === undefined
      ? "جارٍ القراءة"
      : `جارٍ القراءة، ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];

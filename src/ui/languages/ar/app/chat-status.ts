import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { list, number, pages, passages, percent, plural } from "../format.ts";

const progress = progressIn(number, percent);
const more = (count: number): string =>
  plural(count, { one: "واحد آخر", two: "اثنين آخرين", few: "# آخرين", many: "# آخرين", other: "# آخرين" });
const others = (count: number): string => (count > 0 ? ` و${more(count)}` : "");
const named = (names: readonly string[], count: number): string =>
  list.format(count > 0 ? [...names, more(count)] : names);
const documents = (count: number): string =>
  plural(count, {
    one: "مستند واحد",
    two: "مستندين",
    few: "# مستندات",
    many: "# مستندًا",
    other: "# مستند",
  });

export default {
  searching: (names, count) => `يجري البحث في ${named(names, count)}`,
  found: (found, inDocuments) => `عُثر على ${passages(found, "governed")} في ${documents(inDocuments)}`,
  nothingFound: (names, count) => `لم يُعثر على شيء في ${named(names, count)}`,
  nothingToSearch: () => "لم يكن هناك ما يُبحث فيه",
  reading: (name, count, ...how) => `تجري قراءة ${name}${progress(...how)}${others(count)}`,
  preparing: (name, count, ...how) => `يجري تحضير ${name}${progress(...how)}${others(count)}`,
  waitingFor: (name, count) => `في انتظار ${name}${others(count)}`,
  searchingWeb: () => "يجري البحث في الويب",
  searchingWebFor: (queries) => `يجري البحث في الويب عن ${queries.map((query) => `«${query}»`).join("، ")}`,
  readingPages: (count) => `تجري قراءة ${pages(count, "governed")}`,
  readPages: (count) => `تمت قراءة ${pages(count, "governed")}`,
  readSomePages: (read, found) => `تمت قراءة ${number.format(read)} من أصل ${pages(found, "governed")}`,
  nothingOnWeb: () => "لم يُعثر على شيء في الويب",
  makingPicture: () => "يجري إنشاء صورة",
  madePictures: (count) =>
    plural(count, {
      one: "تم إنشاء صورة",
      two: "تم إنشاء صورتين",
      few: "تم إنشاء # صور",
      many: "تم إنشاء # صورة",
      other: "تم إنشاء # صورة",
    }),
  changedPicture: () => "تم تغيير الصورة",
  summarizing: () => "يجري تلخيص الرسائل السابقة",
  summarizedEarly: () => "لُخّصت الرسائل السابقة لأن المحادثة تكاد تكون أطول مما يحتمله هذا النموذج",
  summarizedLate: () => "لُخّصت الرسائل السابقة لأن المحادثة كانت أطول مما يحتمله هذا النموذج",
  notSummarized: () => "تعذّر تلخيص الرسائل السابقة",
} satisfies AppTexts["chat/status"];

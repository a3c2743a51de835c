import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "الرموز التعبيرية",
  insert: "إدراج رمز تعبيري",
  search: "البحث في الرموز التعبيرية",
  found: (n) =>
    plural(n, {
      zero: "لا رموز تعبيرية",
      one: "رمز تعبيري واحد",
      two: "رمزان تعبيريان",
      few: "# رموز تعبيرية",
      many: "# رمزًا تعبيريًا",
      other: "# رمز تعبيري",
    }),
  none: (query) => `لا رموز تعبيرية لـ «${query}».`,
  loading: "جارٍ تحميل المزيد من الرموز التعبيرية",
  failed: "تعذّر تحميل المزيد من الرموز التعبيرية.",
  usual: "كثيرة الاستخدام",
  /** By the number of their group. */
  groups: {
    0: "وجوه",
    1: "أشخاص",
    3: "حيوانات وطبيعة",
    4: "طعام وشراب",
    5: "سفر وأماكن",
    6: "أنشطة",
    7: "أشياء",
    8: "رموز",
    9: "أعلام",
  },
} satisfies AppTexts["channels/emoji"];

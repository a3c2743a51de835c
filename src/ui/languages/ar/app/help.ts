import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "العودة إلى المحادثات",
  title: "المساعدة",
  sub: "كيف يعمل Parley، لكل من يستخدمه أو يشغّله أو يوسّعه.",
  all: "كل الصفحات",
  search: "البحث في المساعدة",
  searchFailed: "تعذّر البحث في صفحات المساعدة",
  none: (query) => `لا توجد صفحة تتضمن «${query}».`,
  failed: "تعذّر تحميل الصفحة",
  missing: "لا توجد صفحة مساعدة على هذا العنوان.",
  contents: "في هذه الصفحة",
} satisfies AppTexts["help"];

import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "اللافتات",
  sub: "تنبيهات أعلى كل صفحة، لكل من سجّل الدخول.",
  none: "لا لافتات.",
  add: "إضافة لافتة",
  failed: "تعذّر تحميل اللافتات",
  notSaved: "تعذّر حفظ اللافتات",
  saved: "تم حفظ اللافتات. يراها الأشخاص عند فتح صفحة أو إعادة تحميلها.",
  changes: "اللافتات",
  of: (n) => `اللافتة ${number.format(n)}`,
  type: "النوع",
  types: { info: "معلومة", success: "خبر سار", warning: "تحذير", error: "مشكلة" },
  heading: "العنوان (اختياري)",
  content: "النص",
  contentHint: "Markdown، مثل **غامق** و[روابط](https://example.com).",
  missing: "اكتب ما ينبغي أن تقوله اللافتة.",
  dismissible: "يمكن للأشخاص إغلاقها",
  dismissibleHint: "تعود إليهم عندما تغيّرها.",
  remove: (n) => `إزالة اللافتة ${number.format(n)}`,
  up: (n) => `نقل اللافتة ${number.format(n)} إلى أعلى`,
  down: (n) => `نقل اللافتة ${number.format(n)} إلى أسفل`,
} satisfies AdminTexts["admin/banners"];

import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  pdf: (name) => `صفحات ${name}`,
  page: (page, of) => `الصفحة ${number.format(page)} من ${number.format(of)}`,
  pageOnly: (page) => `الصفحة ${number.format(page)}`,
  zoomIn: "تكبير",
  zoomOut: "تصغير",
  goTo: "الصفحة",
  pdfFailed: "تعذّر عرض الصفحات. نزّل الملف لعرضه.",
  pdfEncrypted: "هذا الملف محمي بكلمة مرور، لذا لا يمكن عرض صفحاته.",
  pageFailed: "تعذّر عرض هذه الصفحة.",
  text: (name) => `نص ${name}`,
  textFailed: "تعذّر تحميل النص",
  earlier: "النص السابق",
  later: "النص التالي",
  noText: "لا نص في هذا الملف.",
  changed: "أُعيدت قراءة الملف منذ ذلك الحين. ربما تغيّر موضع هذا المقطع.",
} satisfies AppTexts["components/file-preview"];

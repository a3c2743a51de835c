import type { AppTexts } from "../../app-texts.ts";
import { number } from "../format.ts";

export default {
  copy: "نسخ",
  copied: "تم النسخ",
  notCopied: "فشل النسخ",
  copyCode: "نسخ الشيفرة",
  wrap: "التفاف",
  wrapLines: "التفاف الأسطر",
  footnotes: "الحواشي",
  footnote: (at) => `الحاشية ${at}`,
  footnoteBack: (at) => `العودة إلى موضع ذكر الحاشية ${number.format(at)}`,
  code: "شيفرة",
  codeIn: (language) => `شيفرة بلغة ${language}`,
  plainCode: "نص",
  table: "جدول",
  picture: (what, host) => (what ? `صورة: ${what} (${host})` : `صورة (${host})`),
  pictureFrom: (host) => `من ${host}`,
  showPicture: (what, host) => (what ? `عرض الصورة: ${what} (${host})` : `عرض الصورة (${host})`),
  showPictureHint: "يجلب Parley الصورة، ولا يعرف الموقع الآخر من أنت.",
  openPicture: "فتح",
  openPictureOf: (host) => `فتح الصورة على ${host}`,
  taskDone: "منجزة",
  taskOpen: "غير منجزة",
} satisfies AppTexts["lib/markdown"];

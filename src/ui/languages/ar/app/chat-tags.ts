import type { AppTexts } from "../../app-texts.ts";

export default {
  menu: "الوسوم …",
  label: "الوسوم",
  /** Before the names, for screen readers. */
  spoken: "الوسوم:",
  row: "وسوم هذه المحادثة",
  edit: "تغيير الوسوم",
  show: (name) => `عرض المحادثات ذات الوسم ${name}`,
  filter: {
    label: "المحادثات ذات هذا الوسم فقط",
    clear: (name) => `إيقاف التصفية حسب ${name}`,
    none: (name) => `لا محادثات لها الوسم «${name}».`,
    noneFound: (query, name) => `لا محادثات لها الوسم «${name}» وتطابق «${query}».`,
  },
  dialog: {
    title: (name) => `وسوم «${name}»`,
    add: "إضافة وسم",
    addAction: "إضافة",
    placeholder: "كلمة أو كلمتان",
    none: "لا وسوم لهذه المحادثة بعد.",
    remove: (name) => `إزالة الوسم ${name}`,
    known: "وسومك الأخرى",
    addKnown: (name) => `إضافة الوسم ${name}`,
    failed: "تعذّر تغيير الوسوم",
    loadFailed: "تعذّر تحميل الوسوم",
    added: (name) => `أُضيف ${name}`,
    removed: (name) => `أُزيل ${name}`,
    done: "تم",
  },
} satisfies AppTexts["chat/tags"];

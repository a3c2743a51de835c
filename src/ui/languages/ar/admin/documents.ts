import type { AdminTexts } from "../../admin-texts.ts";
import { number, passages } from "../format.ts";

export default {
  title: "المستندات",
  sub: "كيف تُقرأ الملفات ويُبحث فيها.",
  failed: "تعذّر تحميل الإعدادات",
  stateFailed: "تعذّر تحميل حالة الفهرس",
  tiles: { completed: "الملفات القابلة للبحث", pending: "قيد القراءة", failed: "تعذّرت قراءتها" },
  search: {
    title: "البحث",
    keywordOnly: "لم يُحدَّد نموذج تضمين، لذا يعثر البحث على الكلمات دون المعنى. حدّد نموذجًا أدناه.",
    serving: (model, dimension) =>
      dimension === null
        ? `يعثر البحث على الكلمات والمعنى باستخدام ${model}.`
        : `يعثر البحث على الكلمات والمعنى باستخدام ${model} (عدد الأبعاد: ${number.format(dimension)}).`,
    first: (model) => `يفهرس ${model} المقاطع. إلى أن ينتهي يعثر البحث على الكلمات فقط.`,
    next: (model, serving) => `يفهرس ${model} المقاطع. إلى أن ينتهي يستخدم البحث ${serving}.`,
    done: (done, total) => `${number.format(done)} من ${passages(total, "governed")}`,
    stopped: (reason) => `فشلت الفهرسة: ${reason} تُعاد المحاولة تلقائيًا.`,
    progress: "المقاطع المفهرسة",
  },
  settings: {
    documents: { title: "الملفات", sub: "ما يمكن رفعه، وكيف تُقرأ الملفات." },
    retrieval: { title: "المقاطع والبحث", sub: "كيف تُقسَّم النصوص ويُبحث فيها." },
  },
} satisfies AdminTexts["admin/documents"];

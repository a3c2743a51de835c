import type { AdminTexts } from "../../admin-texts.ts";
import { secondsUnit } from "../format.ts";

export default {
  title: "الصور والصوت",
  sub: "أي الاتصالات تنشئ الصور، وتدوّن ما يقوله الأشخاص، وتقرأ الإجابات بصوت عالٍ.",
  failed: "تعذّر تحميل الإعدادات",
  images: { title: "صور من النماذج", sub: "يتلقى النموذج الوصف والصور المطلوب تغييرها." },
  audio: { title: "الصوت", sub: "يمكن لكل شخص اختيار صوت وسرعة من الإعدادات، الصوت." },
  engines: { "": "متصفح كل شخص", openai: "اتصال", off: "لا شيء" },
  none: "بلا",
  trial: {
    title: "تجربة",
    sub: "يسأل النموذج المحفوظ أعلاه. تصير الصورة ملفًا من ملفاتك.",
    prompt: "الوصف",
    standard: "منارة عند الغسق بأسلوب النقش على الخشب",
    test: "إنشاء صورة",
    testing: "جارٍ إنشاء صورة. قد يستغرق ذلك دقيقة.",
    testStale: "تغيّر الوصف منذ آخر صورة.",
    testFailed: "لم تُنشأ صورة",
    made: (seconds) => `أُنشئت خلال ${secondsUnit.format(seconds)}.`,
    missing: "أدخِل وصفًا.",
  },
} satisfies AdminTexts["admin/media"];

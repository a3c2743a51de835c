import type { AppTexts } from "../../app-texts.ts";

export default {
  title: "خطافات الويب",
  lead: "عناوين تتيح للبوتات والأنظمة الأخرى النشر في هذه القناة. يمكن لكل من لديه عنوان منها أن ينشر.",
  add: "خطاف ويب جديد",
  none: "لا خطافات ويب بعد. أنشئ واحدًا ليتمكن برنامج نصي أو نظام آخر من النشر هنا.",
  failed: "تعذّر تحميل خطافات الويب",
  lastUsed: "آخر استخدام",
  neverUsed: "لم يُستخدم قط",
  url: "العنوان",
  urlHint: "أبقِه سريًا: يمكن لكل من لديه العنوان أن ينشر.",
  curl: "النشر من طرفية",
  curlHint: "مع ترويسة Idempotency-Key يظهر المنشور المُرسل مرتين مرة واحدة.",
  lost: "لا يمكن عرض العنوان لأن المفتاح الذي شُفّر به لم يعد مستخدمًا. لا يزال العنوان يعمل. لرؤية عنوان، أنشئ واحدًا جديدًا.",
  example: "السفينة **وصلت**",

  tool: "ما الذي ينشر",
  setups: {
    curl: { label: "برنامج نصي", steps: "أرسل JSON يتضمن الحقل content بصيغة Markdown." },
    slack: {
      label: "متوافق مع Slack",
      steps: "ألصق العنوان حيث يطلب البرنامج خطاف الويب الوارد من Slack. تدعم ذلك Jenkins وGitLab وArgo CD.",
      example: "باستخدام عميل Slack نفسه",
    },
    discord: {
      label: "متوافق مع Discord",
      steps: "ألصق العنوان حيث يطلب البرنامج خطاف ويب من Discord.",
    },
    alertmanager: { steps: "أضف مستقبِلًا إلى إعدادات Alertmanager، ووجّه التنبيهات إليه." },
    grafana: {
      steps: "في Grafana، افتح Alerting ثم Contact points، وأضف واحدة من النوع Webhook، وألصق العنوان في حقل URL.",
      example: "أو كملف للتهيئة",
    },
    uptimeKuma: {
      steps:
        "في Uptime Kuma، افتح Settings ثم Notifications ثم Setup notification. اختر Webhook، وألصق العنوان في Post URL، واختر Preset - application/json.",
    },
    github: {
      steps:
        "في المستودع، افتح Settings ثم Webhooks ثم Add webhook. ألصق العنوان في Payload URL. يعمل نوعا المحتوى كلاهما. اختر الأحداث التي تريدها.",
    },
    titleMessage: {
      label: "عنوان ورسالة",
      steps: "للبرامج التي تكتب نص طلبها بنفسك، وتلك التي ترسل عنوانًا مع رسالة، مثل Apprise وntfy.",
      example: "نص الطلب",
    },
  },

  threads: "سلاسل الردود",
  threadsHint:
    "تصير المنشورات عن تنبيه واحد أو طلب سحب أو عملية تشغيل سلسلة ردود، ويعرض أول منشور فيها الحالة الراهنة.",

  requests: {
    title: "أحدث الطلبات",
    reload: "إعادة التحميل",
    failed: "تعذّر تحميل الطلبات",
    none: "لم يصل شيء إلى هذا العنوان بعد.",
    posted: "نُشر",
    repeated: "أُرسل مجددًا",
    refused: (status) => `رُفض (${status})`,
    unknown: "صيغة غير معروفة",
  },

  test: "إرسال منشور اختباري",
  testContent: (name) => `هذا اختبار لخطاف الويب ${name}.`,
  tested: "نُشر الاختبار في القناة.",
  testFailed: "تعذّر نشر الاختبار",
  edit: "تغيير الاسم أو الصورة",
  rotate: "عنوان جديد",
  remove: "حذف",

  dialog: {
    create: "خطاف ويب جديد",
    edit: "تعديل خطاف الويب",
    name: "الاسم",
    nameHint: "يظهر فوق منشوراته.",
    nameMissing: "أدخِل اسمًا.",
    editHint: "تحتفظ المنشورات السابقة باسمها وصورتها، ويبقى العنوان كما هو.",
    make: "إنشاء خطاف الويب",
    save: "حفظ",
    makeFailed: "تعذّر إنشاء خطاف الويب",
    saveFailed: "تعذّر حفظ التغيير",
  },

  askRotate: {
    title: (name) => `استبدال عنوان ${name}؟`,
    text: "يتوقف العنوان الحالي عن العمل فورًا. أعطِ العنوان الجديد لكل من ينشر به.",
    action: "استبدال العنوان",
    failed: "تعذّر استبدال العنوان",
    done: (name) => `صار لـ ${name} عنوان جديد.`,
  },
  askRemove: {
    title: (name) => `حذف ${name}؟`,
    text: "يتوقف عنوانه عن العمل فورًا، وتبقى منشوراته في القناة باسم «خطاف ويب محذوف».",
    action: "حذف خطاف الويب",
    failed: "تعذّر حذف خطاف الويب",
    done: (name) => `حُذف ${name}.`,
  },
} satisfies AppTexts["channels/webhooks"];

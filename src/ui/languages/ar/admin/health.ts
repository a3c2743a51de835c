import type { AdminTexts } from "../../admin-texts.ts";
import { list, models, number } from "../format.ts";

export default {
  title: "حالة الخدمة",
  sub: "الفحوص الثلاثة نفسها التي يجريها برنامج المراقبة، تُجرى الآن من هذا المتصفح.",
  again: "إعادة الفحص",
  copy: "نسخ",
  levels: {
    1: { name: "الخدمة وقاعدة البيانات", how: "GET /health" },
    2: { name: "النماذج في القائمة", how: "GET /api/models" },
    3: { name: "نموذج يجيب", how: "POST /api/chat/completions" },
  },
  state: { waiting: "جارٍ الفحص", ok: "سليم", failed: "فشل", idle: "لم يُفحص بعد" },
  reasons: {
    database_unreachable: "قاعدة البيانات لا تستجيب. لا يمكن لأحد تسجيل الدخول أو قراءة المحادثات إلى أن تستجيب.",
    database_slow: "تستغرق قاعدة البيانات أكثر من 1.5 ثانية للاستجابة.",
    schema_outdated: "مخطط قاعدة البيانات أقدم مما يحتاج إليه هذا الإصدار. شغّل عمليات الترحيل.",
  },
  noAnswer: "الخدمة لا تستجيب.",
  models: (count) => models(count),
  noModels: "لا نموذج في القائمة: لا يمكن الوصول إلى أي موفّر، أو لا موفّر موصول.",
  unreachable: (names) => `لا تستجيب: ${names}.`,
  ask: "سؤال نموذج",
  model: "النموذج",
  question: "أجب بكلمة واحدة: جاهز",
  answered: (answer) => `أجاب: «${answer}»`,
  empty: "أرسل النموذج إجابة فارغة.",
  levelThreeHint: "يرسل هذا سؤالًا قصيرًا واحدًا إلى النموذج. قد يفرض الموفّر رسومًا عليه.",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} م.ث`,
  monitor: {
    title: "لبرنامج المراقبة",
    text: "يجري الأمر أدناه الفحوص الثلاثة كلها من الخارج. رمز خروجه هو رقم أول فحص فشل. أنشئ له حسابًا منفصلًا.",
  },
  runners: {
    title: "المشغّلات الخارجية",
    ready: "جاهز",
    failed: "غير جاهز",
    problems: {
      unreachable: "لا يستجيب.",
      token: "لديه RUNNER_TOKEN مختلف.",
      answer: "لا يستجيب كمشغّل.",
      protocol: "إصداره لا يطابق هذه الخدمة.",
      detached: "لم يعد مذكورًا في RUNNERS، لذلك لا تعمل إضافاته.",
    },
    wall: "لا تصل إضافاته إلى الشبكة إلا عبر الوكيل المحمي.",
    noWall: (why) => `يمكن لإضافاته تجاوز الوكيل المحمي لأن النظام لا يمنحها شبكة خاصة بها: ${why}`,
    state: (version, used, max) =>
      `Python ${version}، العمليات المستخدمة: ${number.format(used)} من ${number.format(max)}`,
    plugins: (names) => `الإضافات: ${list.format(names)}`,
    noPlugins: "لا تعمل أي إضافة هنا.",
  },
  version: (version) => `الإصدار ${version}`,
} satisfies AdminTexts["admin/health"];

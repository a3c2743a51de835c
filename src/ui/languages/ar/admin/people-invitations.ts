import type { AdminTexts } from "../../admin-texts.ts";
import { days, number } from "../format.ts";

export default {
  invite: "دعوة",
  card: "الدعوات",
  table: "الدعوات",
  columns: { who: "لمن", role: "الدور", from: "الداعي", ends: "تنتهي", state: "الحالة", actions: "الإجراءات" },
  anyone: "كل من لديه الرابط",
  roles: { user: "عضو", admin: "مسؤول" },
  states: {
    open: "مفتوحة",
    void: "لم تعد صالحة",
    used: "مستخدمة",
    expired: "منتهية",
    revoked: "مسحوبة",
  },
  usedBy: (name) => `استخدمها ${name}`,
  voidHint: "تغيّر شيء تحتاج إليه الدعوة: لم تعد مجموعة أو المؤسسة موجودة، أو لم يعد يُسمح للداعي بإرسال دعوات.",
  failed: "تعذّر تحميل الدعوات",
  takeBack: "سحب",
  takeBackOf: (who) => ` دعوة ${who}`,
  takeBackTitle: "سحب الدعوة؟",
  takeBackText: "يتوقف رابطها عن العمل فورًا.",
  takeBackFailed: "تعذّر سحب الدعوة",
  takenBack: "تم سحب الدعوة.",
  dialog: {
    title: "دعوة شخص",
    text: "تحصل على رابط ينشئ حسابًا واحدًا. يختار الشخص اسمه وكلمة مروره بنفسه.",
    email: "عناوين البريد الإلكتروني (اختياري)",
    emailHint: "يحصل كل عنوان على رابط لا يمكن لغيره استخدامه. افصل بينها بفواصل أو مسافات أو أسطر.",
    emailWrong: "أدخِل عنوان بريد إلكتروني مثل ada@harbour.example.",
    tooMany: (most) => `${number.format(most)} عنوان في المرة الواحدة على الأكثر.`,
    refused: (lines) => `لم تتم دعوة هذه العناوين:\n${lines}`,
    reasons: {
      invalid_email: "ليس عنوان بريد إلكتروني",
      email_taken: "لديه حساب بالفعل",
      limit_reached: "لديك دعوات مفتوحة أكثر من اللازم",
    },
    send: "إرسال الرابط بالبريد الإلكتروني",
    role: "الدور",
    organization: "المؤسسة",
    byRules: "كما تحدّد قواعد التعيين",
    groups: "المجموعات",
    searchGroups: "البحث في المجموعات",
    chosen: (count) => (count === 0 ? "لم تُحدَّد مجموعة" : `المحدّدة: ${number.format(count)}`),
    noGroups: "لا مجموعات.",
    days: "ينتهي الرابط بعد",
    dayCount: (count) => days(count, "governed"),
    action: (count) => (count < 2 ? "إنشاء الدعوة" : `إنشاء الدعوات (${number.format(count)})`),
    failed: "تعذّر إنشاء الدعوة",
    madeTitle: (count) => (count === 1 ? "الدعوة جاهزة" : `الدعوات جاهزة (${number.format(count)})`),
    sent: (emails) =>
      emails.length === 1
        ? `رسالة تتضمن الرابط في طريقها إلى ${emails[0]}. يمكنك نسخه أيضًا.`
        : `الرسائل التي تتضمن الروابط في طريقها إلى أصحابها (${number.format(emails.length)}). يمكنك نسخ الروابط أيضًا.`,
    copy: (count) =>
      count === 1
        ? "أرسل هذا الرابط إلى الشخص. يُعرض مرة واحدة فقط ويعمل مرة واحدة."
        : "أرسل كل رابط إلى الشخص المذكور قبله. تُعرض الروابط مرة واحدة فقط، ويعمل كل منها مرة واحدة.",
    link: (count) => (count === 1 ? "الرابط" : "الروابط"),
    done: "تم",
  },
  reset: {
    action: "رابط كلمة مرور جديدة",
    title: (name) => `كلمة مرور جديدة لـ ${name}`,
    text: "تحصل على رابط يختار به الشخص كلمة مرور جديدة. يعمل مرة واحدة ولمدة يوم. استخدامه ينهي كل جلسات الحساب.",
    make: "إنشاء الرابط",
    failed: "تعذّر إنشاء الرابط",
    ready: "أرسل هذا الرابط إلى الشخص بطريقة آمنة. يُعرض مرة واحدة فقط.",
    link: "الرابط",
    done: "تم",
  },
} satisfies AdminTexts["admin/people/invitations"];

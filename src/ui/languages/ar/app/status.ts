import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "تعيين حالة",
  title: "حالتك",
  text: "ماذا تفعل الآن؟",
  placeholder: "مثال: في اجتماع",
  emoji: "اختيار رمز تعبيري",
  clearAfter: "مسحها",
  ends: {
    never: "أبدًا",
    halfHour: "بعد 30 دقيقة",
    hour: "بعد ساعة",
    fourHours: "بعد 4 ساعات",
    today: "اليوم",
    week: "هذا الأسبوع",
    kept: "في الوقت المحدد",
  },
  hint: "يراها الأشخاص في مؤسستك ضمن القنوات.",
  save: "حفظ",
  clear: "مسح الحالة",
  failed: "تعذّر حفظ الحالة",
  usual: {
    meeting: "في اجتماع",
    lunch: "استراحة الغداء",
    home: "أعمل من المنزل",
    holiday: "في إجازة",
    sick: "إجازة مرضية",
  },
} satisfies AppTexts["status"];

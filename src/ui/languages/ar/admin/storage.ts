import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  disk: {
    title: "القرص",
    used: "المستخدَم من كل ما على هذا القرص",
    free: (size) => `المتاح ${size}`,
    low: (min) => `تُرفض عمليات الرفع لأن المتاح على القرص أقل من ${min}. أخلِ مساحة على القرص.`,
    parts: {
      database: "قاعدة البيانات",
      log: "سجل قاعدة البيانات",
      objects: "الملفات والنصوص",
      sessions: "الجلسات والقنوات",
      backups: "النسخ الاحتياطية",
    },
    hint: "تُخلى مساحة الملفات المحذوفة خلال ساعة.",
    failed: "تعذّر تحميل بيانات القرص والنسخ الاحتياطية",
  },
  backups: {
    title: "النسخ الاحتياطية",
    now: "نسخ احتياطي الآن",
    progress: (percent) => `جارٍ النسخ الاحتياطي: ${number.format(percent)} %`,
    startFailed: "تعذّر بدء النسخ الاحتياطي",
    late: "تأخرت نسخة احتياطية. يوضح السببَ آخرُ خطأ أدناه أو سجل الخدمة.",
    last: "آخر نسخة احتياطية",
    none: "لا شيء بعد",
    lastHint: (size, seconds) => `${size}، استغرقت ${seconds} ث`,
    next: "النسخة الاحتياطية التالية",
    noSchedule: "لا جدول. عيّن BACKUP_SCHEDULE لإنشاء نسخ احتياطية بانتظام.",
    to: "تُحفظ في",
    keep: "عدد النسخ المحفوظة",
    failed: "آخر خطأ",
  },
} satisfies AdminTexts["admin/storage"];

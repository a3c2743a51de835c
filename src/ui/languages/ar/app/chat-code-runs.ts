import type { AppTexts } from "../../app-texts.ts";
import { number, secondsUnit } from "../format.ts";

export default {
  run: "تشغيل",
  runOf: (language) => `تشغيل هذه الشيفرة (${language})`,
  again: "إعادة التشغيل",
  stop: "إيقاف",
  running: "الشيفرة قيد التشغيل",
  done: (time) => `انتهت بعد ${secondsUnit.format(time)}`,
  stopped: "متوقفة",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `السطر ${number.format(line)}: ${name}: ${message}` : `السطر ${number.format(line)}: ${name}`,
  tooSlow: (time) => `استغرقت أكثر من ${secondsUnit.format(time)} فأُوقفت.`,
  reasons: {
    timeout: "استغرقت وقتًا طويلًا فأُوقفت.",
    stopped: "استخدمت ذاكرة كثيرة، أو وقتًا طويلًا دون توقف، فأُوقفت.",
    paused: "أُوقفت شيفرتك عدة مرات. انتظر دقيقة ثم أعد المحاولة.",
  },
  traceback: "موضع الفشل",
  output: "مخرجات الشيفرة",
  nothing: "لم تطبع شيئًا.",
  cut: "لا تُعرض مخرجات أخرى.",
  result: "النتيجة",
  files: "ملفات الشيفرة",
  leftOut: (names) => `كبيرة جدًا أو زائدة عن الحد: ${names}`,
  download: "تنزيل",
  downloadOf: (name) => `تنزيل ${name}`,
  keep: "حفظ في ملفاتي",
  keepOf: (name) => `حفظ ${name} في ملفاتي`,
  kept: "تم الحفظ",
  keepFailed: (name) => `تعذّر حفظ ${name}`,
  filesUnreadable: "تعذّرت قراءة ملفات المحادثة، لذا تعمل الشيفرة من دونها.",
  unloaded: "تعذّر تحميل إطار الشيفرة.",
  tooMuch: "طبعت الشيفرة الكثير دفعة واحدة فأُوقفت.",
  unreachable: "تعذّر تشغيل الشيفرة",
  step: {
    running: "يشغّل شيفرة",
    done: "شغّل شيفرة",
    failed: "شغّل شيفرة فشلت",
    code: "الشيفرة",
  },
} satisfies AppTexts["chat/code-runs"];

import type { AppTexts } from "../../app-texts.ts";
import { chats, days, messages, number, percent, plural } from "../format.ts";

export default {
  title: "بياناتك",
  sub: "صدّر المحادثات واستوردها، واطّلع على ما تشاركه.",
  take: {
    title: "تصدير",
    text: "نزّل ملفًا واحدًا يتضمن كل محادثاتك وفروعها. يمكنك استيراده في Parley أو Open WebUI.",
    action: "تصدير كل المحادثات",
    file: "parley-chats.json",
    notAllowed: "تحتاج إلى الإذن «تصدير المحادثات». يمكن لأحد المسؤولين منحك إياه.",
  },
  copy: {
    text: "أو نزّل كل ما يتعلق بك في ملف zip: المحادثات والملفات والمعرفة والموجّهات ورسائل القنوات والاستخدام وإدخالات سجل التدقيق. لا يتضمن كلمات مرور أو مفاتيح. يمكنك استيراد المحادثات منه أدناه، ويمكن لمسؤول Parley آخر استيراد الباقي. تنزيل واحد في كل مرة.",
    action: "تنزيل بياناتي",
    file: "parley-data.zip",
  },
  bring: {
    title: "استيراد",
    text: "ملف محادثات مصدَّر من Parley أو Open WebUI أو LibreChat، أو ملف zip لبياناتك في Parley، أو ملف zip الذي يرسله إليك ChatGPT أو Claude. تُضاف المحادثات إلى محادثاتك.",
    action: "اختيار ملف",
    notAllowed: "تحتاج إلى الإذن «استيراد المحادثات». يمكن لأحد المسؤولين منحك إياه.",
    progress: (name, done) => `${name}: ${percent.format(done)}`,
    stop: "إيقاف",
    stopped: "توقف الاستيراد. المحادثات المستوردة حتى الآن في قائمتك.",
    failed: "تعذّر استيراد الملف كاملًا",
  },
  report: {
    imported: (chatCount, messageCount) =>
      `تم استيراد ${chats(chatCount, "governed")}. عدد الرسائل: ${number.format(messageCount)}.`,
    nothing: "لا يتضمن الملف محادثات.",
    incomplete: "الملف غير مكتمل. تم استيراد كل ما قبل الجزء المفقود.",
    messagesLeftOut: (value) => `تعذّرت قراءة ${messages(value, "governed")}.`,
    messagesMoved: (value) =>
      plural(value, {
        zero: "لا رسائل بدأت فرعًا جديدًا.",
        one: "رسالة واحدة دون رسالة أصلية تبدأ الآن فرعًا خاصًا بها.",
        two: "رسالتان دون رسالة أصلية تبدآن الآن فرعين خاصين بهما.",
        few: "# رسائل دون رسالة أصلية تبدأ الآن فروعًا خاصة بها.",
        many: "# رسالة دون رسالة أصلية تبدأ الآن فروعًا خاصة بها.",
        other: "# رسالة دون رسالة أصلية تبدأ الآن فروعًا خاصة بها.",
      }),
    filesLeftOut: (value) =>
      plural(value, {
        zero: "لا ملفات ناقصة.",
        one: "ملف واحد أو صورة واحدة لم يتضمنها الملف.",
        two: "ملفان أو صورتان لم يتضمنها الملف.",
        few: "# ملفات وصور لم يتضمنها الملف.",
        many: "# ملفًا وصورة لم يتضمنها الملف.",
        other: "# ملف وصورة لم يتضمنها الملف.",
      }),
    foldersLeftOut: (value) =>
      plural(value, {
        zero: "لا محادثات كانت في مجلدات.",
        one: "محادثة واحدة كانت في مجلد، وهي الآن في القائمة.",
        two: "محادثتان كانتا في مجلدات، وهما الآن في القائمة.",
        few: "# محادثات كانت في مجلدات، وهي الآن في القائمة.",
        many: "# محادثة كانت في مجلدات، وهي الآن في القائمة.",
        other: "# محادثة كانت في مجلدات، وهي الآن في القائمة.",
      }),
    leftOut: (value) => `تم تخطي ${chats(value, "governed")}:`,
    entry: (position, title, reason) => `${title === "" ? `المحادثة ${number.format(position)}` : title}: ${reason}`,
    more: (value) => `و${number.format(value)} غيرها`,
  },
  kept: {
    title: "مدة الاحتفاظ ببياناتك",
    failed: "تعذّر تحميل مدة الاحتفاظ ببياناتك",
    forever: "إلى أن تحذفها.",
    chats: (count) => `تُزال المحادثات بعد ${days(count, "governed")} من آخر تغيير فيها.`,
    files: (count) =>
      `تُزال الملفات بعد ${days(count, "governed")} من رفعها، ما لم تكن في محادثة أو قناة أو قاعدة معرفة.`,
    channel_messages: (count) => `تُزال رسائل القنوات بعد ${days(count, "governed")} من نشرها.`,
    logs: (count) => `تُزال سجلات استدعاءاتك واستجابات API المخزّنة بعد ${days(count, "governed")}.`,
  },
  shared: {
    title: "المحادثات المشتركة",
    none: "لم تشارك أي محادثات.",
    failed: "تعذّر تحميل المحادثات المشتركة",
    columns: { title: "المحادثة", who: "من يمكنه قراءتها", when: "كما في", actions: "الإجراءات" },
    who: { everyone: "الجميع", some: "أشخاص محدّدون", home: "الجميع هنا", nobody: "أنت فقط" },
    withdraw: "إزالة",
    withdrawOf: (title) => ` رابط ${title}`,
    withdrawn: (title) => `أُزيل رابط ${title}.`,
    withdrawFailed: "تعذّرت إزالة الرابط",
    more: "عرض المزيد",
  },
} satisfies AppTexts["settings/data"];

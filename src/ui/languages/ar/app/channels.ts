import type { AppTexts } from "../../app-texts.ts";
import { characters, list, members, number, others, people, plural, replies } from "../format.ts";

const newMessages = (n: number): string =>
  plural(n, {
    zero: "لا رسائل جديدة",
    one: "رسالة جديدة",
    two: "رسالتان جديدتان",
    few: "# رسائل جديدة",
    many: "# رسالة جديدة",
    other: "# رسالة جديدة",
  });

export default {
  channels: "القنوات",
  direct: "الرسائل المباشرة",
  untitled: "محادثة",

  rail: {
    add: "قناة أو محادثة جديدة",
    make: "قناة جديدة",
    browse: "تصفّح القنوات",
    write: "رسالة جديدة",
    all: "كل القنوات",
    failed: "تعذّر تحميل القنوات",
    empty: "ستظهر قنواتك هنا.",
    unread: (n, isMore) => (isMore ? `أكثر من ${number.format(n)} غير مقروءة` : `${number.format(n)} غير مقروءة`),
    mentions: (n) =>
      plural(n, {
        zero: "لا إشارات إليك",
        one: "إشارة واحدة إليك",
        two: "إشارتان إليك",
        few: "# إشارات إليك",
        many: "# إشارة إليك",
        other: "# إشارة إليك",
      }),
    private: "قناة خاصة",
    public: "قناة عامة",
    more: (n) => `${number.format(n)}+`,
  },

  home: {
    title: "القنوات",
    lead: "حيث يتحدث فريقك والبوتات والنماذج معًا.",
    empty: "لست في أي قناة بعد. تصفّح القنوات، أو أنشئ أول قناة.",
    none: "لا رسائل بعد",
    people: (n) => people(n),
  },

  page: {
    loadFailed: "تعذّر تحميل القناة",
    messagesFailed: "تعذّر تحميل الرسائل",
    notFound: "هذه القناة غير موجودة، أو أنها خاصة ولست عضوًا فيها.",
    notAllowed: "لا يقرأ هذه القناة إلا أعضاؤها. يمكن لمدير القناة إضافتك. وبصفتك مسؤولًا، لا يزال بإمكانك تغيير إعداداتها.",
    switchedOff: "القنوات متوقفة هنا. يمكن لأحد المسؤولين تشغيلها.",
    noRight: "لا يُسمح لحسابك باستخدام القنوات. يمكن لأحد المسؤولين السماح بذلك.",
    others: "كل القنوات",
    empty: (name) => `هذه بداية ${name}. اكتب أول رسالة.`,
    emptyPreview: "لا رسائل بعد.",
    beginning: (name) => `بداية ${name}`,
    log: (name) => `الرسائل في ${name}`,
    earlier: "عرض الرسائل الأقدم",
    later: "عرض الرسائل الأحدث",
    latest: "الأحدث",
    newBelow: newMessages,
    newLine: "جديد",
    today: "اليوم",
    yesterday: "أمس",
    members: (n) => members(n),
    pins: "الرسائل المثبّتة",
    search: "البحث في هذه القناة",
    settings: "إعدادات القناة",
    actions: "مزيد من إجراءات القناة",
    said: (name, text) => `${name}: ${text}`,
    manySaid: newMessages,
  },

  mention: {
    by: (name) => `أشار إليك ${name} في سلسلة ردود:`,
    more: (n) => `و${number.format(n)} غيرها`,
  },

  preview: {
    text: (name) => `أنت تتصفح ${name}. انضم لتصلك رسائلها. نشر رسالة يضمّك إليها أيضًا.`,
    join: "الانضمام إلى القناة",
    failed: "تعذّر الانضمام إلى القناة",
  },

  composer: {
    label: (name) => `رسالة إلى ${name}`,
    labelThread: "الرد في هذه السلسلة",
    placeholder: (name) => `اكتب إلى ${name}`,
    placeholderThread: "رد",
    attach: "إرفاق ملفات",
    quoting: (name) => `اقتباس من ${name}`,
    dropQuote: "إزالة الاقتباس",
    tooLong: (over) => `الرسالة أطول من المسموح به بمقدار ${characters(over, "governed")}. اختصرها أو أرفقها كملف.`,
  },

  message: {
    edited: "معدّلة",
    pinned: "مثبّتة",
    deleted: "حُذفت هذه الرسالة.",
    bot: "خطاف ويب",
    service: "حساب خدمة",
    model: "نموذج",
    streaming: "يكتب الآن",
    failed: "لم يجب النموذج",
    sending: "جارٍ الإرسال",
    waiting: "في انتظار الاتصال",
    notSent: "لم تُرسل",
    again: "إعادة الإرسال",
    discard: "تجاهل",
    from: (name, when) => `${name}، ${when}`,
    replies: (n) => replies(n),
    latestReply: "الأحدث",
    quoted: (name) => `ردًا على ${name}`,
    quoteGone: "ردًا على رسالة محذوفة",
    showAll: "عرض الكل",
    showLess: "عرض أقل",
  },

  actions: {
    label: (name) => `إجراءات رسالة ${name}`,
    react: "تفاعل",
    quote: "اقتباس",
    thread: "رد في سلسلة",
    edit: "تعديل",
    pin: "تثبيت في القناة",
    unpin: "إلغاء التثبيت",
    copy: "نسخ النص",
    copyLink: "نسخ الرابط",
    remove: "حذف",
    stop: "إيقاف الإجابة",
    regenerate: "إعادة الإجابة",
    copied: "تم النسخ.",
    failed: "لم ينجح ذلك. الرسالة كما هي.",
    notCopied: "منع المتصفح النسخ.",
  },

  remove: {
    title: "حذف هذه الرسالة؟",
    text: "ستُحذف لدى كل من في القناة.",
    textThread: "سيُحذف نصها لدى الجميع، وتبقى الردود.",
    action: "حذف الرسالة",
    failed: "تعذّر حذف الرسالة",
  },

  edit: {
    label: "تعديل رسالتك",
    save: "حفظ",
    cancel: "إلغاء",
    hint: "اضغط Escape للإلغاء، وEnter للحفظ.",
    failed: "تعذّر حفظ التغيير",
  },

  reactions: {
    label: "التفاعلات",
    choose: "اختيار تفاعل",
    more: "إضافة تفاعل",
    by: (emoji, names, rest) => `${emoji} ${list.format(rest > 0 ? [...names, others(rest)] : names)}`,
    you: "أنت",
  },

  thread: {
    title: "سلسلة الردود",
    failed: "تعذّر تحميل سلسلة الردود",
    gone: "لم تعد هذه الرسالة موجودة.",
    none: "لا ردود بعد.",
    replies: (n) => replies(n),
    log: "الردود",
  },

  pins: {
    title: "الرسائل المثبّتة",
    none: "لا رسائل مثبّتة. ثبّت الرسائل التي ينبغي أن يجدها الآخرون لاحقًا.",
    failed: "تعذّر تحميل الرسائل المثبّتة",
    show: "عرض في القناة",
    more: "عرض المزيد",
  },

  search: {
    title: "البحث",
    label: "البحث في هذه القناة",
    hint: "أدخِل كلمات من الرسالة.",
    none: (query) => `لا رسائل تطابق «${query}».`,
    failed: "فشل البحث",
    results: (n) =>
      plural(n, {
        zero: "لم يُعثر على رسائل",
        one: "عُثر على رسالة واحدة",
        two: "عُثر على رسالتين",
        few: "عُثر على # رسائل",
        many: "عُثر على # رسالة",
        other: "عُثر على # رسالة",
      }),
    inThread: "في سلسلة ردود",
    palette: "رسائل القنوات",
    paletteChannels: "القنوات",
  },

  panels: { members: "الأعضاء", webhooks: "خطافات الويب", file: "الملف" },

  typing: (names, rest) => {
    const who = list.format(rest > 0 ? [...names, others(rest)] : names);
    const writing = plural(names.length + rest, { one: "يكتب الآن", two: "يكتبان الآن", other: "يكتبون الآن" });
    return `${who} ${writing}`;
  },

  keys: {
    group: "القناة",
    send: "إرسال",
    newline: "سطر جديد",
    editLast: "تعديل رسالتك الأخيرة (في حقل فارغ)",
    close: "إغلاق سلسلة الردود أو اللوحة",
  },
} satisfies AppTexts["channels"];

import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

const units = { tokens: "رمز", requests: "طلب" };

export default {
  usage: {
    title: "الاستخدام",
    sub: "من يستخدم أي نماذج وكم يستخدمها، في المتصفح وبمفاتيح API وفي البرامج الأخرى. الأيام بتوقيت UTC.",
    subOfOrganization: "كيف يستخدم أشخاص مؤسستك النماذج. الأيام بتوقيت UTC.",
    person: "الشخص",
    anybody: "الجميع",
    group: "المجموعة",
    allGroups: "كل المجموعات",
    organization: "المؤسسة",
    allOrganizations: "كل المؤسسات",
  },
  quotas: {
    title: "الحصص",
    sub: "حدود للرموز والطلبات. تُرفض الطلبات التي تتجاوز الحد إلى أن تنتهي الساعة أو اليوم أو الشهر (UTC).",
    add: "إضافة حصة",
    failed: "تعذّر تحميل الحصص",
    none: "لا حصص بعد. تمنع الحصة شخصًا أو مفتاحًا أو مجموعة من استهلاك كل شيء.",
    table: "الحصص",
    who: "تسري على",
    what: "النموذج",
    amount: "الحد",
    actions: "الإجراءات",
    everyone: "الجميع",
    each: "لكل شخص",
    shared: "مشتركة",
    noLimit: "بلا حد",
    ofService: "محدّدة للخدمة كلها",
    units: { tokens: units.tokens, requests: units.requests },
    periods: { hour: "كل ساعة", day: "كل يوم", month: "كل شهر" },
    scopes: { everyone: "الجميع", organization: "مؤسسة", group: "مجموعة", person: "شخص", key: "مفتاح API" },
    allModels: "كل النماذج",
    actionsFor: (who) => `إجراءات حصة ${who}`,
    change: "تغيير الحد",
    remove: "حذف",
    order:
      "يسري على كل شخص الحد الأكثر تحديدًا: حده الخاص، وإلا فأكبر حدود مجموعاته، وإلا فحد المؤسسة، وإلا فحد الجميع. تسري الحدود المشتركة وحدود المفاتيح إضافة إلى ذلك.",
  },
  dialog: {
    addTitle: "إضافة حصة",
    changeTitle: (who) => `تغيير حصة ${who}`,
    scope: "تسري على",
    subject: { organization: "المؤسسة", group: "المجموعة", person: "الشخص", key: "مفتاح API" },
    personPlaceholder: "الاسم أو البريد الإلكتروني",
    choose: "اختيار",
    shared: "حد واحد مشترك بين الجميع",
    sharedHint: "وإلا فلكل شخص المقدار كاملًا.",
    unit: "الوحدة",
    period: "لكل",
    units: { tokens: "الرموز", requests: "الطلبات" },
    periods: { hour: "ساعة", day: "يوم", month: "شهر" },
    model: "النموذج",
    modelHint: "يسري الحد على هذا النموذج والنماذج المبنية عليه فقط.",
    allModels: "كل النماذج",
    amount: "الحد",
    amountHint: "0 يرفض كل الطلبات.",
    noLimit: "بلا حد",
    noLimitHint: "يعفي من الحصص الأعم.",
    addAction: "إضافة الحصة",
    changeAction: "تغيير الحد",
    addFailed: "تعذّرت إضافة الحصة",
    changeFailed: "تعذّر تغيير الحصة",
    subjectMissing: "اختر من تسري عليه.",
    amountWrong: "أدخِل عددًا صحيحًا، 0 أو أكثر، دون فواصل.",
    added: "تسري الحصة الآن. يُحتسب الاستخدام في الفترة الحالية.",
    changed: "يسري الحد الجديد الآن.",
  },
  remove: {
    title: "حذف هذه الحصة؟",
    text: (who, what) => `لن يسري هذا الحد على ${who} بعد الآن: ${what}. ربما تبقى حصص أعم سارية.`,
    action: "حذف الحصة",
    failed: "تعذّر حذف الحصة",
    done: "حُذفت الحصة",
  },
  amount: (amount, unit, period) => {
    const counted =
      unit === units.tokens
        ? plural(amount, {
            zero: "# رمز",
            one: "رمز واحد",
            two: "رمزان",
            few: "# رموز",
            many: "# رمزًا",
            other: "# رمز",
          })
        : plural(amount, {
            zero: "# طلب",
            one: "طلب واحد",
            two: "طلبان",
            few: "# طلبات",
            many: "# طلبًا",
            other: "# طلب",
          });
    return `${counted} ${period}`;
  },
} satisfies AdminTexts["admin/usage"];

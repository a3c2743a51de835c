import type { AppTexts } from "../../app-texts.ts";
import { plural } from "../format.ts";

export default {
  label: "أشخاص ونماذج وقنوات",
  people: "الأشخاص",
  models: "النماذج",
  channels: "القنوات",
  model: "يجيب في سلسلة الردود",
  outside: "ليس في القناة",
  loading: "جارٍ البحث",
  none: "لا أحد للإشارة إليه هنا",
  noChannels: "لا قنوات للإشارة إليها هنا",
  failed: "تعذّر تحميل الأشخاص",
  found: (n) =>
    plural(n, {
      zero: "لا أسماء",
      one: "اسم واحد",
      two: "اسمان",
      few: "# أسماء",
      many: "# اسمًا",
      other: "# اسم",
    }),
  begin: "الإشارة إلى شخص",
} satisfies AppTexts["channels/mentions"];

import type { AdminTexts } from "../../admin-texts.ts";
import { number, results } from "../format.ts";

export default {
  title: "البحث في الويب",
  sub: "للأسئلة التي تكون إجاباتها على الويب. يشغّله الأشخاص للمحادثة.",
  failed: "تعذّر تحميل الإعدادات",
  settings: { title: "الموفّر والصفحات", sub: "يتلقى الموفّر عبارات البحث، ولا شيء آخر من المحادثة." },
  engines: {
    "": "بلا",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "موفّرك الخاص (JSON)",
    mcp: "أداة من خادم MCP",
  },
  none: "بلا",
  trial: {
    title: "تجربة",
    sub: "يسأل الموفّر المحفوظ أعلاه.",
    query: "عبارة البحث",
    standard: "ساعات عمل الميناء",
    test: "بحث",
    testing: "جارٍ البحث",
    testStale: "ابحث مجددًا: تغيّرت عبارة البحث.",
    testFailed: "فشل البحث",
    found: (count, milliseconds) =>
      count === 0
        ? "أجاب الموفّر، لكنه لم يعثر على شيء في المواقع المسموح بها."
        : `${results(count)} خلال ${number.format(milliseconds)} م.ث:`,
    missing: "أدخِل عبارة بحث.",
  },
} satisfies AdminTexts["admin/web-search"];

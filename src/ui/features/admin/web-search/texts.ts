import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

/** Texts of the page of web search. */
export const texts = inLanguage("admin/web-search", {
  title: "Web search",
  sub: "For questions whose answers are on the web. People switch it on for a chat.",
  failed: "The settings couldn't be loaded",
  settings: { title: "Provider and pages", sub: "The provider gets the queries, and nothing else of a chat." },
  engines: {
    "": "None",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "Your own provider (JSON)",
    mcp: "A tool of an MCP server",
  } as Record<string, string>,
  none: "None",
  trial: {
    title: "Try it",
    sub: "Asks the provider that is saved above.",
    query: "Query",
    standard: "opening hours of the harbour",
    test: "Search",
    testing: "Searching",
    testStale: "Search again: the query has changed.",
    testFailed: "The search failed",
    found: (count: number, milliseconds: number) =>
      count === 0
        ? "The provider answered, but found nothing on allowed sites."
        : `${count === 1 ? "1 result" : `${number.format(count)} results`} in ${number.format(milliseconds)} ms:`,
    missing: "Enter a query.",
  },
});

const number = new Intl.NumberFormat(locale);

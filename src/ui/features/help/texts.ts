import { inLanguage } from "../../languages/app.ts";

/** What Help says around its pages. */
export const texts = inLanguage("help", {
  back: "Back to chats",
  title: "Help",
  sub: "How Parley works, for everyone who uses, runs or extends it.",
  all: "All pages",
  search: "Search help",
  searchFailed: "The help pages could not be searched",
  none: (query: string) => `No page contains “${query}”.`,
  failed: "The page could not be loaded",
  missing: "There is no help page at this address.",
  contents: "On this page",
});

import { inLanguage } from "../../../languages/admin.ts";

/** Texts of the card in which administrators write notices. */
export const texts = inLanguage("admin/banners", {
  title: "Banners",
  sub: "Notices above every page, for everyone who is signed in.",
  none: "There are no banners.",
  add: "Add a banner",
  failed: "The banners couldn't be loaded",
  notSaved: "The banners couldn't be saved",
  saved: "Banners: saved. People see them when they next open or reload a page.",
  changes: "Banners",
  of: (n: number) => `Banner ${n}`,
  type: "Kind",
  types: { info: "Information", success: "Good news", warning: "Warning", error: "Problem" },
  heading: "Title (optional)",
  content: "Text",
  contentHint: "Markdown, such as **bold** and [links](https://example.com).",
  missing: "Write what the banner should say.",
  dismissible: "People can close it",
  dismissibleHint: "It comes back for them when you change it.",
  remove: (n: number) => `Remove banner ${n}`,
  up: (n: number) => `Move banner ${n} up`,
  down: (n: number) => `Move banner ${n} down`,
});

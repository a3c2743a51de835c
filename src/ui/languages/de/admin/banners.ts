import type { AdminTexts } from "../../admin-texts.ts";

export default {
  title: "Banner",
  sub: "Hinweise über jeder Seite, für alle, die angemeldet sind.",
  none: "Es gibt keine Banner.",
  add: "Banner hinzufügen",
  failed: "Die Banner konnten nicht geladen werden",
  notSaved: "Die Banner konnten nicht gespeichert werden",
  saved: "Banner: gespeichert. Sie erscheinen, wenn jemand das nächste Mal eine Seite öffnet oder neu lädt.",
  changes: "Banner",
  of: (n) => `Banner ${n}`,
  type: "Art",
  types: { info: "Information", success: "Gute Nachricht", warning: "Warnung", error: "Problem" },
  heading: "Titel (optional)",
  content: "Text",
  contentHint: "Markdown, etwa **fett** und [Links](https://example.com).",
  missing: "Schreiben Sie, was im Banner stehen soll.",
  dismissible: "Kann geschlossen werden",
  dismissibleHint: "Erscheint wieder, wenn Sie es ändern.",
  remove: (n) => `Banner ${n} entfernen`,
  up: (n) => `Banner ${n} nach oben`,
  down: (n) => `Banner ${n} nach unten`,
} satisfies AdminTexts["admin/banners"];

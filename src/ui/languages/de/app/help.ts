import type { AppTexts } from "../../app-texts.ts";

export default {
  back: "Zurück zu den Chats",
  title: "Hilfe",
  sub: "Wie Parley funktioniert, für alle, die es verwenden, betreiben oder erweitern.",
  all: "Alle Seiten",
  search: "Hilfe durchsuchen",
  searchFailed: "Die Hilfeseiten konnten nicht durchsucht werden",
  none: (query) => `Keine Seite enthält „${query}“.`,
  failed: "Die Seite konnte nicht geladen werden",
  missing: "Unter dieser Adresse gibt es keine Hilfeseite.",
  contents: "Auf dieser Seite",
} satisfies AppTexts["help"];

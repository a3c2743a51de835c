import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Websuche",
  sub: "Für Fragen, deren Antworten im Web stehen. Man schaltet sie für einen Chat ein.",
  failed: "Die Einstellungen konnten nicht geladen werden",
  settings: {
    title: "Anbieter und Seiten",
    sub: "Der Anbieter erhält die Suchanfragen und sonst nichts aus einem Chat.",
  },
  engines: {
    "": "Keiner",
    searxng: "SearXNG",
    brave: "Brave",
    tavily: "Tavily",
    google_pse: "Google Programmable Search",
    external: "Eigener Anbieter (JSON)",
    mcp: "Ein Tool eines MCP-Servers",
  },
  none: "Kein Server",
  trial: {
    title: "Ausprobieren",
    sub: "Fragt den oben gespeicherten Anbieter.",
    query: "Suchanfrage",
    standard: "Öffnungszeiten des Hafens",
    test: "Suchen",
    testing: "Suche läuft",
    testStale: "Suchen Sie erneut: Die Suchanfrage wurde geändert.",
    testFailed: "Die Suche ist fehlgeschlagen",
    found: (count, milliseconds) =>
      count === 0
        ? "Der Anbieter hat geantwortet, aber auf erlaubten Websites nichts gefunden."
        : `${plural(count, { one: "# Ergebnis", other: "# Ergebnisse" })} in ${number.format(milliseconds)} ms:`,
    missing: "Geben Sie eine Suchanfrage ein.",
  },
} satisfies AdminTexts["admin/web-search"];

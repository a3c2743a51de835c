import type { AdminTexts } from "../../admin-texts.ts";
import { inSeconds } from "../format.ts";

export default {
  title: "Bilder und Stimme",
  sub: "Welche Verbindungen Bilder erstellen, Gesprochenes aufschreiben und Antworten vorlesen.",
  failed: "Die Einstellungen konnten nicht geladen werden",
  images: {
    title: "Bilder von Modellen",
    sub: "Das Modell erhält die Beschreibung und die Bilder, die geändert werden sollen.",
  },
  audio: {
    title: "Stimme",
    sub: "Jede Person kann unter „Einstellungen“, „Stimme“ eine Stimme und ein Tempo wählen.",
  },
  engines: {
    "": "Der Browser der Person",
    openai: "Eine Verbindung",
    off: "Nichts",
  },
  none: "Keine Verbindung",
  trial: {
    title: "Ausprobieren",
    sub: "Fragt das oben gespeicherte Modell. Das Bild wird eine Ihrer Dateien.",
    prompt: "Beschreibung",
    standard: "Ein Leuchtturm in der Dämmerung, als Holzschnitt",
    test: "Bild erstellen",
    testing: "Das Bild wird erstellt. Das kann eine Minute dauern.",
    testStale: "Die Beschreibung wurde seit dem letzten Bild geändert.",
    testFailed: "Es wurde kein Bild erstellt",
    made: (seconds) => `Erstellt in ${inSeconds.format(seconds)}.`,
    missing: "Geben Sie eine Beschreibung ein.",
  },
} satisfies AdminTexts["admin/media"];

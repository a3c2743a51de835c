import type { AdminTexts } from "../../admin-texts.ts";
import { plural } from "../format.ts";

export default {
  title: "Übersicht",
  sub: (name) => `Wie es ${name} geht und was Ihre Aufmerksamkeit braucht.`,
  tiles: { people: "Personen", waiting: "Wartend", connections: "Verbindungen", models: "Modelle" },
  history: {
    title: "Verlauf",
    span: "Zeitraum",
    spans: { hour: "Letzte Stunde", day: "Letzte 24 Stunden", week: "Letzte 7 Tage" },
    loading: "Die Zahlen werden geladen",
    failed: "Die Zahlen konnten nicht geladen werden",
    empty: "Noch keine Zahlen",
    emptyText: "Die ersten Zahlen erscheinen innerhalb von zwei Minuten.",
    notKept: "Auf dieser Plattform werden keine Zahlen aufgezeichnet. Verwenden Sie deren eigene Auswertung.",
    time: "Zeit",
    nothing: "nicht aufgezeichnet",
    seconds: (count) => `${count} s`,
    label: (title, span) => `${title}. ${span}.`,
    plots: {
      requests: { title: "Anfragen", parts: { lower: "Beantwortet", upper: "Fehlgeschlagen" } },
      firstByte: { title: "Zeit bis zum ersten Wort", parts: { lower: "Durchschnitt" } },
      tokens: { title: "Tokens", parts: { lower: "Eingabe", upper: "Ausgabe" } },
      jobs: { title: "Arbeit in Warteschlangen", parts: { lower: "Spitze" } },
      people: { title: "Personen mit geöffneter Seite", parts: { lower: "Spitze" } },
      disk: { title: "Festplatte", parts: { lower: "Belegt", upper: "Frei" } },
    },
  },
  attention: {
    title: "Braucht Aufmerksamkeit",
    none: "Nichts braucht Ihre Aufmerksamkeit.",
    unknown: "Es konnte nicht geprüft werden, was Ihre Aufmerksamkeit braucht.",
    waiting: (count) =>
      plural(count, { one: "# Person wartet auf Freischaltung.", other: "# Personen warten auf Freischaltung." }),
    waitingAction: "Personen ansehen",
    down: (name) => `Die Verbindung ${name} antwortet nicht.`,
    downAction: "Verbindung ansehen",
    noConnection: "Es ist kein Modell verbunden. Bis dahin antwortet nur der eingebaute Guide.",
    noConnectionAction: "Modell verbinden",
    noModels: "Es sind keine Modelle aufgeführt, obwohl es Verbindungen gibt. Gerade kann niemand chatten.",
    noModelsAction: "Verbindungen ansehen",
    sick: (reason) => `Der Dienst hat ein Problem. ${reason}`,
    sickAction: "Zustand ansehen",
    webhook:
      "Der Webhook des Dienstes wurde ausgeschaltet, weil sein Empfänger keine Zustellungen mehr angenommen hat.",
    webhookAction: "Grund ansehen",
    diskLow: (size) => `Die Festplatte ist fast voll: ${size} sind frei, und Uploads werden abgelehnt.`,
    backupLate: "Ein Backup ist überfällig.",
    storageAction: "Speicher ansehen",
    onlyAdmin:
      "Sie sind der einzige Administrator. Wenn Sie Ihr Passwort verlieren, kann Ihnen niemand wieder Zugriff geben.",
    onlyAdminAction: "Administrator hinzufügen",
  },
  health: { title: "Zustand", more: "Alle Prüfungen" },
  failed: {
    people: "Die Personen konnten nicht gezählt werden",
    connections: "Die Verbindungen konnten nicht geladen werden",
  },
} satisfies AdminTexts["admin/overview"];

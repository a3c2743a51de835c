import type { AdminTexts } from "../../admin-texts.ts";
import { list, number, plural } from "../format.ts";

export default {
  title: "Zustand",
  sub: "Dieselben drei Prüfungen wie die eines Monitors, jetzt von diesem Browser aus.",
  again: "Erneut prüfen",
  copy: "Kopieren",
  levels: {
    1: { name: "Dienst und Datenbank", how: "GET /health" },
    2: { name: "Modelle werden aufgeführt", how: "GET /api/models" },
    3: { name: "Ein Modell antwortet", how: "POST /api/chat/completions" },
  },
  state: { waiting: "Wird geprüft", ok: "OK", failed: "Fehlgeschlagen", idle: "Noch nicht geprüft" },
  reasons: {
    database_unreachable: "Die Datenbank antwortet nicht. Bis sie es tut, kann sich niemand anmelden oder Chats lesen.",
    database_slow: "Die Datenbank braucht mehr als 1,5 Sekunden für eine Antwort.",
    schema_outdated: "Das Schema der Datenbank ist älter, als diese Version braucht. Führen Sie die Migrationen aus.",
  },
  noAnswer: "Der Dienst antwortet nicht.",
  models: (count) => plural(count, { one: "# Modell", other: "# Modelle" }),
  noModels: "Es wird kein Modell aufgeführt: Alle Anbieter sind unerreichbar, oder keiner ist verbunden.",
  unreachable: (names) => `Antwortet nicht: ${names}.`,
  ask: "Modell fragen",
  model: "Modell",
  question: "Antworte mit einem Wort: bereit",
  answered: (answer) => `Antwort: „${answer}“`,
  empty: "Das Modell hat eine leere Antwort gesendet.",
  levelThreeHint: "Dabei geht eine kurze Frage an das Modell. Ein Anbieter kann sie berechnen.",
  time: (milliseconds) => `${number.format(Math.round(milliseconds))} ms`,
  monitor: {
    title: "Für Ihren Monitor",
    text: "Der Befehl unten führt alle drei Prüfungen von außen aus. Sein Exit-Code ist die Nummer der ersten fehlgeschlagenen Prüfung. Erstellen Sie dafür ein eigenes Konto.",
  },
  runners: {
    title: "Native Runner",
    ready: "Bereit",
    failed: "Nicht bereit",
    problems: {
      unreachable: "Er antwortet nicht.",
      token: "Er hat ein anderes RUNNER_TOKEN.",
      answer: "Er antwortet nicht wie ein Runner.",
      protocol: "Seine Version passt nicht zu diesem Dienst.",
      detached: "RUNNERS nennt ihn nicht mehr, darum laufen seine Plugins nicht.",
    },
    wall: "Seine Plugins erreichen das Netzwerk nur über den geschützten Proxy.",
    noWall: (why) =>
      `Seine Plugins können den geschützten Proxy umgehen, weil das System ihnen kein eigenes Netzwerk gibt: ${why}`,
    state: (version, used, max) =>
      `Python ${version}, ${number.format(used)} von ${number.format(max)} Prozessen in Gebrauch`,
    plugins: (names) => `Plugins: ${list.format(names)}`,
    noPlugins: "Hier läuft kein Plugin.",
  },
  version: (version) => `Version ${version}`,
} satisfies AdminTexts["admin/health"];

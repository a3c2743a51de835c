import type { AppTexts } from "../../app-texts.ts";
import { number, inSeconds } from "../format.ts";

export default {
  run: "Ausführen",
  runOf: (language) => `Diesen Code ausführen (${language})`,
  again: "Erneut ausführen",
  stop: "Stoppen",
  running: "Der Code läuft",
  done: (time) => `Fertig nach ${inSeconds.format(time)}`,
  stopped: "Gestoppt",
  failed: (name, message) => (message ? `${name}: ${message}` : name),
  failedAt: (name, message, line) =>
    message ? `Zeile ${number.format(line)}: ${name}: ${message}` : `Zeile ${number.format(line)}: ${name}`,
  tooSlow: (time) => `Er hat länger gebraucht als ${inSeconds.format(time)} und wurde gestoppt.`,
  reasons: {
    timeout: "Er hat zu lange gebraucht und wurde gestoppt.",
    stopped: "Er hat zu viel Arbeitsspeicher oder zu lange ohne Pause gerechnet und wurde gestoppt.",
    paused: "Ihr Code wurde mehrmals gestoppt. Warten Sie eine Minute, und versuchen Sie es erneut.",
  },
  traceback: "Wo es fehlgeschlagen ist",
  output: "Ausgabe des Codes",
  nothing: "Er hat nichts ausgegeben.",
  cut: "Weitere Ausgabe wird nicht angezeigt.",
  result: "Ergebnis",
  files: "Dateien des Codes",
  leftOut: (names) => `Zu groß oder zu viele: ${names}`,
  download: "Herunterladen",
  downloadOf: (name) => `${name} herunterladen`,
  keep: "Zu meinen Dateien",
  keepOf: (name) => `${name} zu meinen Dateien hinzufügen`,
  kept: "Behalten",
  keepFailed: (name) => `${name} konnte nicht behalten werden`,
  filesUnreadable: "Dateien des Chats konnten nicht gelesen werden, daher läuft der Code ohne sie.",
  unloaded: "Der Rahmen für den Code konnte nicht geladen werden.",
  tooMuch: "Der Code hat zu viel auf einmal ausgegeben und wurde gestoppt.",
  unreachable: "Der Code konnte nicht ausgeführt werden",
  step: {
    running: "Führt Code aus",
    done: "Hat Code ausgeführt",
    failed: "Hat Code ausgeführt, der fehlschlug",
    code: "Code",
  },
} satisfies AppTexts["chat/code-runs"];

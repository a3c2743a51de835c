import type { AppTexts } from "../../app-texts.ts";
import { number, plural, percent, chats } from "../format.ts";

const messages = (value: number): string => plural(value, { one: "# Nachricht", other: "# Nachrichten" });
const days = (value: number): string => plural(value, { one: "# Tag", other: "# Tage" });
const afterDays = (value: number): string => plural(value, { one: "# Tag", other: "# Tagen" });

export default {
  title: "Ihre Daten",
  sub: "Chats exportieren und importieren, und sehen, was Sie teilen.",
  take: {
    title: "Export",
    text: "Laden Sie eine Datei mit allen Ihren Chats und Zweigen herunter. Sie können sie in Parley oder Open WebUI importieren.",
    action: "Alle Chats exportieren",
    file: "parley-chats.json",
    notAllowed: "Sie brauchen die Berechtigung „Chats exportieren“. Ein Administrator kann sie erteilen.",
  },
  copy: {
    text: "Oder laden Sie alles über Sie als Zip-Datei herunter: Chats, Dateien, Wissen, Prompts, Kanalnachrichten, Nutzung und Einträge im Audit-Protokoll. Passwörter und Schlüssel sind nicht enthalten. Die Chats daraus können Sie unten importieren, den Rest kann ein Administrator eines anderen Parley importieren. Nur ein Download zur selben Zeit.",
    action: "Meine Daten herunterladen",
    file: "parley-data.zip",
  },
  bring: {
    title: "Import",
    text: "Eine Datei mit Chats, exportiert aus Parley, Open WebUI oder LibreChat, die Zip-Datei Ihrer Daten in Parley oder die Zip-Datei, die ChatGPT oder Claude Ihnen sendet. Die Chats werden zu Ihren hinzugefügt.",
    action: "Datei auswählen",
    notAllowed: "Sie brauchen die Berechtigung „Chats importieren“. Ein Administrator kann sie erteilen.",
    progress: (name, done) => `${name}: ${percent.format(done)}`,
    stop: "Stoppen",
    stopped: "Gestoppt. Die bisher importierten Chats sind in Ihrer Liste.",
    failed: "Die Datei konnte nicht vollständig importiert werden",
  },
  report: {
    imported: (imported, written) => `${chats(imported)} mit ${messages(written)} importiert.`,
    nothing: "Die Datei enthält keine Chats.",
    incomplete: "Die Datei ist unvollständig. Alles vor dem fehlenden Teil wurde importiert.",
    messagesLeftOut: (value) =>
      plural(value, {
        one: "# Nachricht konnte nicht gelesen werden.",
        other: "# Nachrichten konnten nicht gelesen werden.",
      }),
    messagesMoved: (value) =>
      plural(value, {
        one: "# Nachricht hatte keine übergeordnete Nachricht und beginnt jetzt einen eigenen Zweig.",
        other: "# Nachrichten hatten keine übergeordnete Nachricht und beginnen jetzt eigene Zweige.",
      }),
    filesLeftOut: (value) =>
      plural(value, {
        one: "# Datei oder Bild war nicht in der Datei enthalten.",
        other: "# Dateien und Bilder waren nicht in der Datei enthalten.",
      }),
    foldersLeftOut: (value) =>
      plural(value, {
        one: "# Chat war in einem Ordner und steht jetzt in der Liste.",
        other: "# Chats waren in Ordnern und stehen jetzt in der Liste.",
      }),
    leftOut: (value) => plural(value, { one: "# Chat wurde übersprungen:", other: "# Chats wurden übersprungen:" }),
    entry: (position, title, reason) => `${title === "" ? `Chat ${number.format(position)}` : title}: ${reason}`,
    more: (value) => plural(value, { one: "und # weiterer", other: "und # weitere" }),
  },
  kept: {
    title: "Wie lange Ihre Daten aufbewahrt werden",
    failed: "Wie lange Ihre Daten aufbewahrt werden, konnte nicht geladen werden",
    forever: "Bis Sie sie löschen.",
    chats: (value) => `Chats werden ${days(value)} nach der letzten Änderung entfernt.`,
    files: (value) =>
      `Dateien werden ${days(value)} nach dem Hochladen entfernt, sofern kein Chat, kein Kanal und keine Wissensdatenbank sie enthält.`,
    channel_messages: (value) => `Kanalnachrichten werden ${days(value)} nach dem Schreiben entfernt.`,
    logs: (value) =>
      `Aufzeichnungen Ihrer Aufrufe und gespeicherte API-Antworten werden nach ${afterDays(value)} entfernt.`,
  },
  shared: {
    title: "Geteilte Chats",
    none: "Sie haben keine Chats geteilt.",
    failed: "Die geteilten Chats konnten nicht geladen werden",
    columns: { title: "Chat", who: "Wer ihn lesen kann", when: "Stand", actions: "Aktionen" },
    who: { everyone: "Alle", some: "Ausgewählte Personen", home: "Alle hier", nobody: "Nur Sie" },
    withdraw: "Entfernen",
    withdrawOf: (title) => `: Link von ${title}`,
    withdrawn: (title) => `Der Link von ${title} wurde entfernt.`,
    withdrawFailed: "Der Link konnte nicht entfernt werden",
    more: "Mehr anzeigen",
  },
} satisfies AppTexts["settings/data"];

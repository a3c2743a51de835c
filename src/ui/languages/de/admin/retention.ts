import type { AdminTexts } from "../../admin-texts.ts";
import { number } from "../format.ts";

export default {
  title: "Datenaufbewahrung",
  sub: "Wie viele Tage die Daten der Personen dieser Organisation aufbewahrt werden. Ein leeres Feld verwendet den Standard aus den Einstellungen. 0 bewahrt Daten unbegrenzt auf.",
  name: "Aufbewahrungsfristen",
  fields: {
    chats: "Chats",
    files: "Dateien",
    channel_messages: "Kanalnachrichten",
    logs: "Protokolle",
  },
  hints: {
    chats: "Tage nach der letzten Änderung. Auch angeheftete und archivierte Chats werden entfernt.",
    files:
      "Tage nach dem Hochladen. Dateien in einem Chat, einem Kanal, einem Modell oder einer Wissensdatenbank bleiben erhalten.",
    channel_messages: "Tage nach dem Schreiben.",
    logs: "Modellaufrufe, das Audit-Protokoll, Webhook-Zustellungen und gespeicherte API-Antworten.",
  },
  wrong: "Geben Sie eine ganze Zahl von Tagen bis 36.500 ein, oder lassen Sie das Feld leer.",
  saved: "Gespeichert. Die Fristen gelten innerhalb einer Stunde.",
  preview: {
    action: "Ansehen, was jetzt entfernt würde",
    again: "Neu zählen",
    counting: "Wird gezählt. Das kann eine Weile dauern.",
    failed: "Was entfernt würde, konnte nicht gezählt werden",
    nothing: "Jetzt würde nichts entfernt.",
    caption: "Was jetzt entfernt würde",
    columns: { kind: "Was", count: "Anzahl", bytes: "Größe", oldest: "Älteste" },
    kinds: {
      chats: "Chats",
      files: "Dateien",
      channel_messages: "Kanalnachrichten",
      calls: "Modellaufrufe",
      audit_events: "Einträge im Audit-Protokoll",
      deliveries: "Webhook-Zustellungen",
      responses: "Gespeicherte API-Antworten",
    },
    count: (value) => number.format(value),
    fix: "Korrigieren Sie zuerst die Werte.",
  },
} satisfies AdminTexts["admin/retention"];

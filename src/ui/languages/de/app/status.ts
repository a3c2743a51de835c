import type { AppTexts } from "../../app-texts.ts";

export default {
  set: "Status setzen",
  title: "Ihr Status",
  text: "Was machen Sie gerade?",
  placeholder: "z. B. In einer Besprechung",
  emoji: "Emoji auswählen",
  clearAfter: "Löschen",
  ends: {
    never: "Nie",
    halfHour: "In 30 Minuten",
    hour: "In 1 Stunde",
    fourHours: "In 4 Stunden",
    today: "Heute",
    week: "Diese Woche",
    kept: "Zur eingestellten Zeit",
  },
  hint: "Personen Ihrer Organisation sehen ihn in Kanälen.",
  save: "Speichern",
  clear: "Status löschen",
  failed: "Der Status konnte nicht gespeichert werden",
  usual: {
    meeting: "In einer Besprechung",
    lunch: "In der Mittagspause",
    home: "Im Homeoffice",
    holiday: "Im Urlaub",
    sick: "Krank",
  },
} satisfies AppTexts["status"];

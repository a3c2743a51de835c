import type { AppTexts } from "../../app-texts.ts";

export default {
  label: "Personen, Modelle und Kanäle",
  people: "Personen",
  models: "Modelle",
  channels: "Kanäle",
  model: "Antwortet im Thread",
  outside: "Nicht im Kanal",
  loading: "Suche läuft",
  none: "Hier kann niemand erwähnt werden",
  noChannels: "Hier können keine Kanäle erwähnt werden",
  failed: "Die Personen konnten nicht geladen werden",
  found: (count) => (count === 1 ? "1 Name" : `${count} Namen`),
  begin: "Jemanden erwähnen",
} satisfies AppTexts["channels/mentions"];

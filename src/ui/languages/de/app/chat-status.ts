import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { list, number, percent, plural } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? ` und ${number.format(more)} weitere` : "");
const named = (names: readonly string[], more: number): string =>
  list.format(more > 0 ? [...names, `${number.format(more)} weiteren`] : names);
const pages = (count: number): string => plural(count, { one: "# Seite", other: "# Seiten" });

export default {
  searching: (names, more) => `Suche in ${named(names, more)}`,
  found: (passages, documents) =>
    `${plural(passages, { one: "# Passage", other: "# Passagen" })} in ${plural(documents, { one: "# Dokument", other: "# Dokumenten" })} gefunden`,
  nothingFound: (names, more) => `Nichts gefunden in ${named(names, more)}`,
  nothingToSearch: () => "Es gab nichts zu durchsuchen",
  reading: (name, more, ...how) => `Lese ${name}${progress(...how)}${others(more)}`,
  preparing: (name, more, ...how) => `Bereite ${name} vor${progress(...how)}${others(more)}`,
  waitingFor: (name, more) => `Warte auf ${name}${others(more)}`,
  searchingWeb: () => "Suche im Web",
  searchingWebFor: (queries) => `Suche im Web nach ${queries.map((query) => `„${query}“`).join(", ")}`,
  readingPages: (count) => `Lese ${pages(count)}`,
  readPages: (count) => `${pages(count)} gelesen`,
  readSomePages: (read, found) => `${number.format(read)} von ${pages(found)} gelesen`,
  nothingOnWeb: () => "Im Web wurde nichts gefunden",
  makingPicture: () => "Erstelle ein Bild",
  madePictures: (count) => plural(count, { one: "# Bild erstellt", other: "# Bilder erstellt" }),
  changedPicture: () => "Bild geändert",
  summarizing: () => "Fasse frühere Nachrichten zusammen",
  summarizedEarly: () =>
    "Frühere Nachrichten wurden zusammengefasst, weil die Unterhaltung für dieses Modell fast zu lang ist",
  summarizedLate: () =>
    "Frühere Nachrichten wurden zusammengefasst, weil die Unterhaltung für dieses Modell zu lang war",
  notSummarized: () => "Frühere Nachrichten konnten nicht zusammengefasst werden",
} satisfies AppTexts["chat/status"];

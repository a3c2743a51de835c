import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Dokumente",
  sub: "Wie Dateien gelesen und durchsucht werden.",
  failed: "Die Einstellungen konnten nicht geladen werden",
  stateFailed: "Der Status des Index konnte nicht geladen werden",
  tiles: { completed: "Durchsuchbare Dateien", pending: "Wird gelesen", failed: "Nicht lesbar" },
  search: {
    title: "Suche",
    keywordOnly:
      "Es ist kein Embedding-Modell ausgewählt, daher findet die Suche Wörter, aber keine Bedeutung. Wählen Sie unten eines aus.",
    serving: (model, dimension) =>
      dimension === null
        ? `Die Suche findet Wörter und Bedeutung, mit ${model}.`
        : `Die Suche findet Wörter und Bedeutung, mit ${model} (${number.format(dimension)} Dimensionen).`,
    first: (model) => `${model} indexiert die Passagen. Bis das fertig ist, findet die Suche nur Wörter.`,
    next: (model, serving) => `${model} indexiert die Passagen. Bis das fertig ist, verwendet die Suche ${serving}.`,
    done: (done, total) => `${number.format(done)} von ${plural(total, { one: "# Passage", other: "# Passagen" })}`,
    stopped: (reason) => `Die Indexierung ist fehlgeschlagen: ${reason} Sie wird automatisch wiederholt.`,
    progress: "Indexierte Passagen",
  },
  settings: {
    documents: { title: "Dateien", sub: "Was hochgeladen werden kann und wie Dateien gelesen werden." },
    retrieval: { title: "Passagen und Suche", sub: "Wie Texte aufgeteilt und durchsucht werden." },
  },
} satisfies AdminTexts["admin/documents"];

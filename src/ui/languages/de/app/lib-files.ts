import type { AppTexts } from "../../app-texts.ts";
import { anyOf, megabytes, number, percent, plural } from "../format.ts";

const nouns = {
  pages: { one: "Seite", reading: (count: number) => plural(count, { one: "# Seite", other: "# Seiten" }) },
  slides: { one: "Folie", reading: (count: number) => plural(count, { one: "# Folie", other: "# Folien" }) },
  sheets: { one: "Blatt", reading: (count: number) => plural(count, { one: "# Blatt", other: "# Blätter" }) },
};

export default {
  tooLarge: (name, most) => `${name} ist größer als die Grenze von ${megabytes.format(most)}.`,
  empty: (name) => `${name} ist leer.`,
  ending: (name, endings) =>
    `Dateien wie ${name} können nicht hochgeladen werden. Erlaubte Typen: ${anyOf.format(endings)}.`,
  folder: (name) =>
    `${name} konnte nicht gelesen werden. Ordner können nicht angehängt werden. Wählen Sie die Dateien darin.`,
  uploadWaiting: "Wartet auf das Hochladen",
  uploading: (part) => `Wird hochgeladen, ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "Hochgeladen, wird gespeichert",
  uploadOffline: "Keine Verbindung. Geht automatisch weiter.",
  uploadFailed: "Hochladen fehlgeschlagen",
  stopped: "Das Hochladen wurde gestoppt.",
  /** What is being done with a file, or what became of it, in few words. */
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "Nicht gelesen";
    if (status === "completed") return "Bereit";
    if (status === "failed") return error || "Nicht lesbar";
    if (stage === "embedding")
      return total === undefined
        ? "Wird durchsuchbar gemacht"
        : `Wird durchsuchbar gemacht, ${number.format(done)} von ${plural(total, { one: "# Passage", other: "# Passagen" })}`;
    if (stage !== "extracting") return "Wartet auf das Lesen";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `Liest ${noun.one} ${number.format(Math.min(done + 1, total))} von ${number.format(total)}`;
      return done > 0 ? `Wird gelesen, bisher ${noun.reading(done)}` : "Wird gelesen";
    }
    return total === undefined
      ? "Wird gelesen"
      : `Wird gelesen, ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];

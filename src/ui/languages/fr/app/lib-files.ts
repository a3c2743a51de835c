import type { AppTexts } from "../../app-texts.ts";
import { anyOf, megabytes, number, percent, plural } from "../format.ts";

const nouns = {
  pages: { one: "page", read: (count: number) => plural(count, { one: "# page lue", other: "# pages lues" }) },
  slides: {
    one: "diapositive",
    read: (count: number) => plural(count, { one: "# diapositive lue", other: "# diapositives lues" }),
  },
  sheets: {
    one: "feuille",
    read: (count: number) => plural(count, { one: "# feuille lue", other: "# feuilles lues" }),
  },
};

export default {
  tooLarge: (name, most) => `${name} dépasse la limite de ${megabytes.format(most)}.`,
  empty: (name) => `${name} est vide.`,
  ending: (name, endings) =>
    `Les fichiers comme ${name} ne peuvent pas être téléversés. Types autorisés : ${anyOf.format(endings)}.`,
  folder: (name) =>
    `Impossible de lire ${name}. Les dossiers ne peuvent pas être joints. Choisissez les fichiers qu’il contient.`,
  uploadWaiting: "En attente de téléversement",
  uploading: (part) => `Téléversement, ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "Téléversé, enregistrement",
  uploadOffline: "Pas de connexion. Reprise automatique.",
  uploadFailed: "Échec du téléversement",
  stopped: "Le téléversement a été arrêté.",
  /** What is being done with a file, or what became of it, in few words. */
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "Non lu";
    if (status === "completed") return "Prêt";
    if (status === "failed") return error || "Illisible";
    if (stage === "embedding")
      return total === undefined
        ? "Indexation"
        : `Indexation, ${number.format(done)} sur ${plural(total, { one: "# passage", other: "# passages" })}`;
    if (stage !== "extracting") return "En attente de lecture";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `Lecture de la ${noun.one} ${number.format(Math.min(done + 1, total))} sur ${number.format(total)}`;
      return done > 0 ? `Lecture, ${noun.read(done)}` : "Lecture";
    }
    return total === undefined ? "Lecture" : `Lecture, ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];

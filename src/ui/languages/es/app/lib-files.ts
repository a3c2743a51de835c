import type { AppTexts } from "../../app-texts.ts";
import { anyOf, megabytes, number, percent, plural } from "../format.ts";

const nouns = {
  pages: { one: "página", read: (count: number) => plural(count, { one: "# página", other: "# páginas" }) },
  slides: {
    one: "diapositiva",
    read: (count: number) => plural(count, { one: "# diapositiva", other: "# diapositivas" }),
  },
  sheets: { one: "hoja", read: (count: number) => plural(count, { one: "# hoja", other: "# hojas" }) },
};

export default {
  tooLarge: (name, most) => `${name} supera el límite de ${megabytes.format(most)}.`,
  empty: (name) => `${name} está vacío.`,
  ending: (name, endings) => `No se pueden subir archivos como ${name}. Tipos permitidos: ${anyOf.format(endings)}.`,
  folder: (name) => `No se pudo leer ${name}. Las carpetas no se pueden adjuntar. Elige los archivos que contienen.`,
  uploadWaiting: "A la espera de subirse",
  uploading: (part) => `Subiendo, ${percent.format(Math.floor(part * 100) / 100)}`,
  arriving: "Subido, guardando",
  uploadOffline: "Sin conexión. Continuará automáticamente.",
  uploadFailed: "No se pudo subir",
  stopped: "La subida se detuvo.",
  /** What is being done with a file, or what became of it, in few words. */
  state({ status, stage, done, total, unit, error }) {
    if (status === "stored") return "Sin leer";
    if (status === "completed") return "Listo";
    if (status === "failed") return error || "No se pudo leer";
    if (stage === "embedding")
      return total === undefined
        ? "Preparando la búsqueda"
        : `Preparando la búsqueda, ${number.format(done)} de ${plural(total, { one: "# fragmento", other: "# fragmentos" })}`;
    if (stage !== "extracting") return "A la espera de leerse";
    if (unit === "pages" || unit === "slides" || unit === "sheets") {
      const noun = nouns[unit];
      if (total !== undefined)
        return `Leyendo ${noun.one} ${number.format(Math.min(done + 1, total))} de ${number.format(total)}`;
      return done > 0 ? `Leyendo, ${noun.read(done)} hasta ahora` : "Leyendo";
    }
    return total === undefined ? "Leyendo" : `Leyendo, ${percent.format(Math.floor((done / total) * 100) / 100)}`;
  },
} satisfies AppTexts["lib/files"];

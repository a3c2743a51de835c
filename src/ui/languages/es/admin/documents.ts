import type { AdminTexts } from "../../admin-texts.ts";
import { number, plural } from "../format.ts";

export default {
  title: "Documentos",
  sub: "Cómo se leen los archivos y se busca en ellos.",
  failed: "No se pudieron cargar los ajustes",
  stateFailed: "No se pudo cargar el estado del índice",
  tiles: { completed: "Archivos con búsqueda", pending: "Leyéndose", failed: "No se pudieron leer" },
  search: {
    title: "Búsqueda",
    keywordOnly:
      "No hay ningún modelo de embeddings elegido, así que la búsqueda encuentra palabras, pero no significados. Elige uno abajo.",
    serving: (model, dimension) =>
      dimension === null
        ? `La búsqueda encuentra palabras y significados, con ${model}.`
        : `La búsqueda encuentra palabras y significados, con ${model} (${plural(dimension, { one: "# dimensión", other: "# dimensiones" })}).`,
    first: (model) => `${model} está indexando los fragmentos. Hasta que termine, la búsqueda solo encuentra palabras.`,
    next: (model, serving) => `${model} está indexando los fragmentos. Hasta que termine, la búsqueda usa ${serving}.`,
    done: (done, total) => `${number.format(done)} de ${plural(total, { one: "# fragmento", other: "# fragmentos" })}`,
    stopped: (reason) => `La indexación ha fallado: ${reason} Se reintenta automáticamente.`,
    progress: "Fragmentos indexados",
  },
  settings: {
    documents: { title: "Archivos", sub: "Qué se puede subir y cómo se leen los archivos." },
    retrieval: { title: "Fragmentos y búsqueda", sub: "Cómo se dividen los textos y se busca en ellos." },
  },
} satisfies AdminTexts["admin/documents"];

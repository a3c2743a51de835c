import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { list, number, percent, plural } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? ` y ${number.format(more)} más` : "");
const named = (names: readonly string[], more: number): string =>
  list.format(more > 0 ? [...names, `${number.format(more)} más`] : names);
const pages = (count: number): string => plural(count, { one: "# página", other: "# páginas" });

export default {
  searching: (names, more) => `Buscando en ${named(names, more)}`,
  found: (passages, documents) =>
    `${plural(passages, { one: "# fragmento encontrado", other: "# fragmentos encontrados" })} en ${plural(documents, { one: "# documento", other: "# documentos" })}`,
  nothingFound: (names, more) => `No se encontró nada en ${named(names, more)}`,
  nothingToSearch: () => "No había nada en lo que buscar",
  reading: (name, more, ...how) => `Leyendo ${name}${progress(...how)}${others(more)}`,
  preparing: (name, more, ...how) => `Preparando ${name}${progress(...how)}${others(more)}`,
  waitingFor: (name, more) => `Esperando ${name}${others(more)}`,
  searchingWeb: () => "Buscando en la web",
  searchingWebFor: (queries) => `Buscando en la web ${queries.map((query) => `«${query}»`).join(", ")}`,
  readingPages: (count) => `Leyendo ${pages(count)}`,
  readPages: (count) => plural(count, { one: "# página leída", other: "# páginas leídas" }),
  readSomePages: (read, found) =>
    `${plural(read, { one: "# página leída", other: "# páginas leídas" })} de ${number.format(found)}`,
  nothingOnWeb: () => "No se encontró nada en la web",
  makingPicture: () => "Creando una imagen",
  madePictures: (count) => plural(count, { one: "# imagen creada", other: "# imágenes creadas" }),
  changedPicture: () => "Imagen modificada",
  summarizing: () => "Resumiendo los mensajes anteriores",
  summarizedEarly: () =>
    "Se resumieron los mensajes anteriores porque la conversación es casi demasiado larga para este modelo",
  summarizedLate: () =>
    "Se resumieron los mensajes anteriores porque la conversación era demasiado larga para este modelo",
  notSummarized: () => "No se pudieron resumir los mensajes anteriores",
} satisfies AppTexts["chat/status"];

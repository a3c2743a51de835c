import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { list, number, percent, plural } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? ` e mais ${number.format(more)}` : "");
const named = (names: readonly string[], more: number): string =>
  list.format(more > 0 ? [...names, `mais ${number.format(more)}`] : names);
const pages = (count: number): string => plural(count, { one: "# página", other: "# páginas" });

export default {
  searching: (names, more) => `Pesquisando em ${named(names, more)}`,
  found: (passages, documents) =>
    `${plural(passages, { one: "# trecho encontrado", other: "# trechos encontrados" })} em ${plural(documents, { one: "# documento", other: "# documentos" })}`,
  nothingFound: (names, more) => `Nada encontrado em ${named(names, more)}`,
  nothingToSearch: () => "Não havia nada para pesquisar",
  reading: (name, more, ...how) => `Lendo ${name}${progress(...how)}${others(more)}`,
  preparing: (name, more, ...how) => `Preparando ${name}${progress(...how)}${others(more)}`,
  waitingFor: (name, more) => `Aguardando ${name}${others(more)}`,
  searchingWeb: () => "Pesquisando na web",
  searchingWebFor: (queries) => `Pesquisando na web ${queries.map((query) => `“${query}”`).join(", ")}`,
  readingPages: (count) => `Lendo ${pages(count)}`,
  readPages: (count) => plural(count, { one: "# página lida", other: "# páginas lidas" }),
  readSomePages: (read, found) =>
    `${plural(read, { one: "# página lida", other: "# páginas lidas" })} de ${number.format(found)}`,
  nothingOnWeb: () => "Nada foi encontrado na web",
  makingPicture: () => "Criando uma imagem",
  madePictures: (count) => plural(count, { one: "# imagem criada", other: "# imagens criadas" }),
  changedPicture: () => "Imagem alterada",
  summarizing: () => "Resumindo as mensagens anteriores",
  summarizedEarly: () =>
    "As mensagens anteriores foram resumidas, porque a conversa está quase longa demais para este modelo",
  summarizedLate: () =>
    "As mensagens anteriores foram resumidas, porque a conversa estava longa demais para este modelo",
  notSummarized: () => "Não foi possível resumir as mensagens anteriores",
} satisfies AppTexts["chat/status"];

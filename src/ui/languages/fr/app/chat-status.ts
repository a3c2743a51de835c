import type { AppTexts } from "../../app-texts.ts";
import { progressIn } from "../../progress.ts";
import { list, number, percent, plural } from "../format.ts";

const progress = progressIn(number, percent);
const others = (more: number): string => (more > 0 ? plural(more, { one: " et # autre", other: " et # autres" }) : "");
const named = (names: readonly string[], more: number): string =>
  list.format(more > 0 ? [...names, plural(more, { one: "# autre", other: "# autres" })] : names);
const pages = (count: number): string => plural(count, { one: "# page", other: "# pages" });

export default {
  searching: (names, more) => `Recherche dans ${named(names, more)}`,
  found: (passages, documents) =>
    `${plural(passages, { one: "# passage trouvé", other: "# passages trouvés" })} dans ${plural(documents, { one: "# document", other: "# documents" })}`,
  nothingFound: (names, more) => `Rien trouvé dans ${named(names, more)}`,
  nothingToSearch: () => "Il n’y avait rien à parcourir",
  reading: (name, more, ...how) => `Lecture de ${name}${progress(...how)}${others(more)}`,
  preparing: (name, more, ...how) => `Préparation de ${name}${progress(...how)}${others(more)}`,
  waitingFor: (name, more) => `En attente de ${name}${others(more)}`,
  searchingWeb: () => "Recherche sur le Web",
  searchingWebFor: (queries) =>
    `Recherche sur le Web de ${queries.map((query) => `«\u202f${query}\u202f»`).join(", ")}`,
  readingPages: (count) => `Lecture de ${pages(count)}`,
  readPages: (count) => plural(count, { one: "# page lue", other: "# pages lues" }),
  readSomePages: (read, found) =>
    `${plural(read, { one: "# page lue", other: "# pages lues" })} sur ${number.format(found)}`,
  nothingOnWeb: () => "Rien n’a été trouvé sur le Web",
  makingPicture: () => "Création d’une image",
  madePictures: (count) => plural(count, { one: "# image créée", other: "# images créées" }),
  changedPicture: () => "Image modifiée",
  summarizing: () => "Résumé des messages précédents en cours",
  summarizedEarly: () =>
    "Les messages précédents ont été résumés, car la conversation est presque trop longue pour ce modèle",
  summarizedLate: () => "Les messages précédents ont été résumés, car la conversation était trop longue pour ce modèle",
  notSummarized: () => "Impossible de résumer les messages précédents",
} satisfies AppTexts["chat/status"];

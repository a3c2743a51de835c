import { inLanguage } from "../../../languages/admin.ts";
import { locale } from "../../../lib/language.ts";

const number = new Intl.NumberFormat(locale);

/** Texts of the page about documents. */
export const texts = inLanguage("admin/documents", {
  title: "Documents",
  sub: "How files are read and searched.",
  failed: "The settings couldn't be loaded",
  stateFailed: "The state of the index couldn't be loaded",
  tiles: { completed: "Searchable files", pending: "Being read", failed: "Couldn't be read" },
  search: {
    title: "Search",
    keywordOnly: "No embedding model is selected, so search finds words but not meaning. Select one below.",
    serving: (model: string, dimension: number | null) =>
      dimension === null
        ? `Search finds words and meaning, with ${model}.`
        : `Search finds words and meaning, with ${model} (${number.format(dimension)} dimensions).`,
    first: (model: string) => `${model} is indexing the passages. Until it is done, search finds words only.`,
    next: (model: string, serving: string) =>
      `${model} is indexing the passages. Until it is done, search uses ${serving}.`,
    done: (done: number, total: number) => `${number.format(done)} of ${number.format(total)} passages`,
    stopped: (reason: string) => `Indexing failed: ${reason} It is retried automatically.`,
    progress: "Indexed passages",
  },
  settings: {
    documents: { title: "Files", sub: "What can be uploaded, and how files are read." },
    retrieval: { title: "Passages and search", sub: "How texts are split and searched." },
  },
});

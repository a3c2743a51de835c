const number = new Intl.NumberFormat();

/** What the page about documents says. */
export const texts = {
  title: "Documents",
  sub: "How files are read, and how what they say is found.",
  failed: "The settings could not be loaded",
  stateFailed: "How far the index is could not be loaded",
  tiles: { completed: "Searchable files", pending: "Being read", failed: "Could not be read" },
  search: {
    title: "Search",
    keywordOnly:
      "No embedding model is chosen: search finds words, not meaning. Choose one below that turns texts into vectors.",
    serving: (model: string, dimension: number | null) =>
      dimension === null
        ? `Search finds words and meaning, with ${model}.`
        : `Search finds words and meaning, with ${model} (${number.format(dimension)} dimensions).`,
    first: (model: string) => `${model} is getting to know the passages. Until then search finds words only.`,
    next: (model: string, serving: string) =>
      `${model} is getting to know the passages. Until then search goes on with ${serving}.`,
    done: (done: number, total: number) => `${number.format(done)} of ${number.format(total)} passages`,
    stopped: (reason: string) => `It does not get on: ${reason} It is tried again by itself.`,
    progress: "Passages that are embedded",
  },
  settings: {
    documents: { title: "Files", sub: "What may be uploaded, and who reads it." },
    retrieval: { title: "Passages and search", sub: "How texts are cut, and what is found in them." },
  },
};

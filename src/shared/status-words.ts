/** "Handbook", "Handbook and Rules", "Handbook, Rules and 3 more". */
export const listed = (names: readonly string[], more: number): string =>
  more > 0 ? `${names.join(", ")} and ${more} more` : names.join(" and ");
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
const units = { pages: "page", slides: "slide", sheets: "sheet", chunks: "passage" } as const;

/** How far a file is; `done` is 0 where that is not known, `total` too. Of bytes it is told in percent. */
type Progress = [unit: keyof typeof units | "percent", done: number, total: number];

function progress(...[unit, done, total]: Progress): string {
  if (done === 0) return "";
  return unit === "percent" ? `, ${done} %` : `, ${units[unit]} ${done}${total > 0 ? ` of ${total}` : ""}`;
}
const others = (more: number): string => (more > 0 ? ` and ${more} more` : "");

/**
 * What the service says of its own work for an answer, in English. A status names its text and the values in it, so that the page
 * can say the same in another language.
 */
export const statusWords = {
  searching: (names: readonly string[], more: number) => `Searching ${listed(names, more)}`,
  found: (passages: number, documents: number) =>
    `Found ${counted(passages, "passage")} in ${counted(documents, "document")}`,
  nothingFound: (names: readonly string[], more: number) => `Nothing found in ${listed(names, more)}`,
  nothingToSearch: () => "There was nothing to search",
  reading: (name: string, more: number, ...how: Progress) => `Reading ${name}${progress(...how)}${others(more)}`,
  preparing: (name: string, more: number, ...how: Progress) => `Preparing ${name}${progress(...how)}${others(more)}`,
  waitingFor: (name: string, more: number) => `Waiting for ${name}${others(more)}`,
  searchingWeb: () => "Searching the web",
  searchingWebFor: (queries: readonly string[]) =>
    `Searching the web for ${queries.map((query) => `“${query}”`).join(", ")}`,
  readingPages: (count: number) => `Reading ${counted(count, "page")}`,
  readPages: (count: number) => `Read ${counted(count, "page")}`,
  readSomePages: (read: number, found: number) => `Read ${read} of ${found} pages`,
  nothingOnWeb: () => "Nothing was found on the web",
  makingPicture: () => "Making a picture",
  madePictures: (count: number) => (count === 1 ? "Made a picture" : "Made pictures"),
  changedPicture: () => "Changed the picture",
  summarizing: () => "Summarizing earlier messages",
  summarizedEarly: () => "Earlier messages were summarized, because the conversation is almost too long for this model",
  summarizedLate: () => "Earlier messages were summarized, because the conversation was too long for this model",
  notSummarized: () => "Earlier messages could not be summarized",
};

type StatusWords = typeof statusWords;

/** The name of a text and the values in it. */
export type StatusText = {
  [K in keyof StatusWords]: readonly [id: K, ...values: Parameters<StatusWords[K]>];
}[keyof StatusWords];

/** The fields of a status that say it, in English and for other languages. */
export function said(words: StatusText): { description: string; words: StatusText } {
  const [id, ...values] = words;
  return { description: (statusWords[id] as (...values: unknown[]) => string)(...values), words };
}

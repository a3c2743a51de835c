import docs from "./pages.json" with { type: "json" };

/** A page of docs/. Each section is searched and shown by itself. */
export interface GuidePage {
  /** Where Help shows it: `/help/{slug}`. */
  slug: string;
  title: string;
  /** Words that people use for the subject and the text does not. */
  words: string;
  intro: string;
  sections: { heading: string; anchor: string; /** Markdown. */ text: string }[];
}

/** The pages of docs/ in the order of Help, as `npm run docs:make` writes them down for the Worker. */
export const pages: readonly GuidePage[] = docs;

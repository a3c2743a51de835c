import { helpSlugs } from "./pages.ts";
import { type HelpPage, readPage } from "./read-page.ts";

/** The files of docs/ that Help has, each fetched when it is first needed. */
const sources = import.meta.glob<string>(["../../../../docs/*.md", "!../../../../docs/contract-coverage.md"], {
  query: "?raw",
  import: "default",
});

/** @returns undefined when there is no such page */
export async function loadPage(slug: string): Promise<HelpPage | undefined> {
  const load = helpSlugs.includes(slug) ? sources[`../../../../docs/${slug}.md`] : undefined;
  return load && readPage(slug, await load());
}

export interface FoundSection {
  slug: string;
  anchor: string;
  title: string;
  heading: string;
}

/** Sections that hold every word of the query. Those with a word in the heading come first. */
export async function searchPages(query: string): Promise<FoundSection[]> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const pages = await Promise.all(helpSlugs.map(loadPage));
  const found = pages.flatMap((page) =>
    (page?.sections ?? []).map(({ heading, anchor, text }) => {
      const head = `${page!.title} ${heading}`.toLowerCase();
      const all = `${head} ${text.toLowerCase()}`;
      const section = { slug: page!.slug, anchor, title: page!.title, heading };
      return {
        section,
        isMatch: words.every((word) => all.includes(word)),
        inHead: words.filter((word) => head.includes(word)).length,
      };
    }),
  );
  return found
    .filter(({ isMatch }) => isMatch)
    .sort((a, b) => b.inHead - a.inHead)
    .map(({ section }) => section);
}

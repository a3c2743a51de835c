import type { HelpPage } from "./guide-page.ts";
import { pages } from "./pages.ts";
import { indexPages, termsOf, type Hit } from "./search-pages.ts";

const index = indexPages(pages);

/** Added to each answer, so that it is not mistaken for that of a language model. */
const whatItIs =
  "I am the built-in guide: I look your words up in Parley's help pages, and there is no language model behind me.";
const howToGetOne =
  "For real answers, an administrator connects a model under [Connections](/admin/connections): the address of a provider and its key, or a runtime such as Ollama on this machine. Then I am gone.";

/** A section is shown beside the best one only if its score is close. */
const nearly = 0.85;

/**
 * The guide's answer to a question, in Markdown: the best matching sections of the help pages, links to pages of the
 * web UI, what it is and how to connect a real model.
 */
export function answerQuestion(question: string): string {
  const hits = index.search(question, 6);
  const [best] = hits;
  if (!best) return [nothingFound(question), topics(), howToGetOne].join("\n\n");
  const shown = hits.filter((hit) => hit.score >= best.score * nearly).slice(0, 2);
  const others = hits.filter((hit) => !shown.includes(hit));
  return [...shown.map(section), links(shown), related(others, shown), `---\n\n${whatItIs} ${howToGetOne}`]
    .filter((part) => part !== "")
    .join("\n\n");
}

function section({ page, section: { heading, text } }: Hit): string {
  return `### ${page.title}: ${heading}\n\n${text}`;
}

function links(hits: Hit[]): string {
  const found = new Map(hits.flatMap(({ page }) => page.links).map((link) => [link.path, link]));
  if (found.size === 0) return "";
  return `Open: ${[...found.values()].map(({ label, path }) => `[${label}](${path})`).join(" · ")}`;
}

function related(hits: Hit[], shown: Hit[]): string {
  const seen = new Set(shown.map(({ section }) => section));
  const headings = hits
    .filter(({ section }) => !seen.has(section))
    .slice(0, 3)
    .map(({ page, section }) => `- ${page.title}: ${section.heading}`);
  return headings.length === 0 ? "" : `You can also ask about:\n\n${headings.join("\n")}`;
}

function nothingFound(question: string): string {
  const start =
    termsOf(question).length === 0 ? "Ask me how something is done in Parley." : "The help pages have nothing on that.";
  return `${start} ${whatItIs}`;
}

function topics(): string {
  return `I know about:\n\n${pages.map(({ title }: HelpPage) => `- ${title}`).join("\n")}`;
}

import { type GuidePage, pages } from "./pages.ts";
import { type Hit, indexPages, type PageIndex, termsOf } from "./search-pages.ts";

/** Made for the first question: most isolates never hear one, and making it took a tenth of their start. */
let index: PageIndex | undefined;

/** Added to each answer, so that it is not mistaken for that of a language model. */
const whatItIs =
  "I am the built-in guide: I look your words up in Parley's help pages, and there is no language model behind me.";
const howToGetOne =
  "For real answers, an administrator connects a model under [Connections](/admin/connections): the address of a provider and its key, or a runtime such as Ollama on this machine. Then I am gone.";

/** A section is shown beside the best one only if its score is close. */
const nearly = 0.85;

/**
 * What the guide says to a question, in Markdown: the sections of the help pages that match best, links to these pages,
 * what it is and how to connect a real model.
 */
export function answerQuestion(question: string): string {
  index ??= indexPages(pages);
  const hits = index.search(question, 6);
  const [best] = hits;
  if (!best) return [nothingFound(question), topics(), howToGetOne].join("\n\n");
  const shown = hits.filter((hit) => hit.score >= best.score * nearly).slice(0, 2);
  const others = hits.filter((hit) => !shown.includes(hit)).slice(0, 3);
  return [...shown.map(section), related(others), `---\n\n${whatItIs} ${howToGetOne}`]
    .filter((part) => part !== "")
    .join("\n\n");
}

function section(hit: Hit): string {
  return `### ${hit.page.title}: ${hit.section.heading}\n\n${hit.section.text}\n\nRead on: [${hit.page.title}](${address(hit)})`;
}

function related(hits: Hit[]): string {
  const headings = hits.map((hit) => `- [${hit.page.title}: ${hit.section.heading}](${address(hit)})`);
  return headings.length === 0 ? "" : `See also:\n\n${headings.join("\n")}`;
}

function address({ page, section }: Hit): string {
  return `/help/${page.slug}#${section.anchor}`;
}

function nothingFound(question: string): string {
  const start =
    termsOf(question).length === 0 ? "Ask me how something is done in Parley." : "The help pages have nothing on that.";
  return `${start} ${whatItIs}`;
}

function topics(): string {
  return `I know about:\n\n${pages.map(({ title, slug }: GuidePage) => `- [${title}](/help/${slug})`).join("\n")}`;
}

import type { Context } from "../../context.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import { said, type StatusText } from "../../shared/status-words.ts";
import { rankPassages } from "../../web/pages/rank-passages.ts";
import type { PageOutcome } from "../../web/pages/read-pages.ts";
import { findPages, pageOfSnippet, readFound } from "../../web/search/find-pages.ts";
import { throwIfAborted } from "../retrieval/abort.ts";
import { fitPieces } from "../retrieval/fit-pieces.ts";
import type { RetrievalNote } from "../retrieval/note.ts";
import type { Piece } from "../retrieval/piece.ts";
import type { Teller } from "../retrieval/teller.ts";
import { questionsIn } from "../retrieval/word-queries.ts";
import { writeWebQueries } from "./write-web-queries.ts";

/** What the person is shown of a page that was found. */
interface ShownPage extends Record<string, unknown> {
  title: string;
  link: string;
  state: "read" | "failed";
  /** Why it failed. */
  reason?: string;
}

export interface FoundOnWeb {
  /** Best sources first; within WEB_SEARCH_CONTEXT_TOKENS. */
  pieces: Piece[];
  notes: RetrievalNote[];
}

const action = "web_search";
/** Passages of one page that are considered first, so that a long page does not crowd out the others. */
const maxPerPage = 4;

/**
 * Searches the web for the last question: queries by a model, or the person's words; pages are read like documents, and
 * their best passages are chosen. What was searched and read, and what failed, is told to the message. Never fails the
 * answer.
 * @throws UpstreamError when the signal fires
 */
export async function searchForTurn(
  ctx: Context,
  model: ResolvedModel,
  { messages, signal, teller }: { messages: readonly unknown[]; signal: AbortSignal; teller: Teller },
): Promise<FoundOnWeb> {
  const question = (questionsIn(messages).at(-1) ?? "").slice(0, 1000).toWellFormed();
  if (question === "") return { pieces: [], notes: [] };
  try {
    teller.status({ action, ...said(["searchingWeb"]), done: false });
    const queries = (await writeWebQueries(ctx, model.id, messages, signal)) ?? [question.slice(0, 300)];
    throwIfAborted(signal);
    teller.status({ action, ...said(["searchingWebFor", queries]), queries, done: false });
    const count = ctx.settings.WEB_SEARCH_RESULT_COUNT;
    const { results, failures } = await findPages(ctx, { queries, count, signal });
    if (results.length > 0) teller.status({ action, ...said(["readingPages", results.length]), queries, done: false });
    const outcomes = await readFound(ctx, results, signal);
    throwIfAborted(signal);
    const pieces = choosePieces(ctx, outcomes, [question, ...queries]);
    const pages = outcomes.map(shownPage);
    const read = pages.filter(({ state }) => state === "read").length;
    teller.status({
      action,
      ...describeEnd(results.length, read, failures),
      queries,
      pages,
      // As in Open WebUI.
      urls: results.map(({ url }) => url),
      items: results.map(({ title, url: link }) => ({ title, link })),
      done: true,
    });
    return { pieces, notes: notesOf(outcomes, failures, pieces.length) };
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}

function describeEnd(
  found: number,
  read: number,
  failures: readonly string[],
): { description: string; words?: StatusText } {
  const [failure] = failures;
  if (found > 0) return said(read === found ? ["readPages", found] : ["readSomePages", read, found]);
  return failure === undefined ? said(["nothingOnWeb"]) : { description: `The web search failed: ${failure}` };
}

function shownPage(outcome: PageOutcome): ShownPage {
  const { title, url: link } = outcome.result;
  return "page" in outcome
    ? { title: outcome.page.title, link, state: "read" }
    : { title, link, state: "failed", reason: outcome.failure };
}

/** The best passages of all pages, a few of each first. A page that failed is stood for by its short text. */
function choosePieces(ctx: Context, outcomes: readonly PageOutcome[], queries: readonly string[]): Piece[] {
  const passages = outcomes.flatMap((outcome) => {
    const stand = "page" in outcome ? outcome : pageOfSnippet(outcome.result);
    if (!("page" in stand)) return [];
    const { url, title, passages: own } = stand.page;
    return own.map(({ text, headings, page, label, start, end }): Piece => ({
      source: { type: "web", id: url, name: title, contentType: null, url },
      text,
      headings,
      page,
      label,
      start,
      end,
      chunk: null,
      score: 0,
    }));
  });
  const ranked = rankPassages(passages, queries).map(({ passage, score }): Piece => ({ ...passage, score }));
  const taken = new Map<string | null, number>();
  const isFirst = ({ source: { id } }: Piece): boolean => {
    const before = taken.get(id) ?? 0;
    taken.set(id, before + 1);
    return before < maxPerPage;
  };
  const first = ranked.filter(isFirst);
  const rest = ranked.filter((piece) => !first.includes(piece));
  return fitPieces([...first, ...rest], ctx.settings.WEB_SEARCH_CONTEXT_TOKENS).pieces;
}

function notesOf(outcomes: readonly PageOutcome[], failures: readonly string[], pieces: number): RetrievalNote[] {
  const unread = outcomes.flatMap((outcome): RetrievalNote[] =>
    "failure" in outcome
      ? [
          {
            type: "web",
            id: outcome.result.url,
            name: outcome.result.title,
            code: "page_failed",
            message: `${outcome.result.title} (${outcome.result.url}) could not be read: ${outcome.failure}`,
          },
        ]
      : [],
  );
  const failed = failures.map((failure): RetrievalNote => ({
    type: "web",
    name: "Web search",
    code: "search_failed",
    message: `A web search failed: ${failure}`,
  }));
  if (pieces > 0 || failed.length > 0) return [...unread, ...failed];
  const message = "Nothing relevant to the question was found on the web";
  return [...unread, { type: "web", name: "Web search", code: "not_found", message }];
}

/** For a turn that asks for a search that is not available to it. */
export const refusedNote: RetrievalNote = {
  type: "web",
  name: "Web search",
  code: "unsupported",
  message: "Web search is not available to you or to this model, so the answer goes on without it",
};

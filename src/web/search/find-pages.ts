import type { Context } from "../../context.ts";
import { readPages, type PageOutcome } from "../pages/read-pages.ts";
import type { SearchResult } from "./provider.ts";
import { explainSearchFailure, searchWeb } from "./search-web.ts";

export interface FoundPages {
  results: SearchResult[];
  /** Why queries failed, each reason once. */
  failures: string[];
}

/**
 * The results of several queries: of each in turn, so that none of them takes all places. Failures are told, not thrown.
 * @throws the signal's reason
 */
export async function findPages(
  ctx: Context,
  { queries, count, signal }: { queries: readonly string[]; count: number; signal: AbortSignal },
): Promise<FoundPages> {
  const failures = new Set<string>();
  const lists = await Promise.all(
    queries.map((query) =>
      searchWeb(ctx, { query, count, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        failures.add(explainSearchFailure(ctx, error));
        return [];
      }),
    ),
  );
  const found = new Map<string, SearchResult>();
  for (let place = 0; place < count; place++)
    for (const list of lists) {
      const result = list[place];
      if (result && !found.has(result.url)) found.set(result.url, result);
    }
  return { results: [...found.values()].slice(0, count), failures: [...failures] };
}

/** The pages of results; where the settings say so their short texts alone, without opening them. */
export async function readFound(
  ctx: Context,
  results: readonly SearchResult[],
  signal: AbortSignal,
): Promise<PageOutcome[]> {
  if (!ctx.settings.BYPASS_WEB_SEARCH_WEB_LOADER) return readPages(ctx, results, signal);
  return results.map((result) => pageOfSnippet(result));
}

/** The short text of a result in the place of its page. */
export function pageOfSnippet(result: SearchResult): PageOutcome {
  const { url, title, snippet: text } = result;
  if (text === "") return { result, failure: "has no short text" };
  const place = { headings: [], page: null, label: null, start: 0, end: text.length };
  return {
    result,
    page: { url, title, text, passages: [{ text, ...place, tokens: Math.ceil(text.length / 4) }] },
  };
}

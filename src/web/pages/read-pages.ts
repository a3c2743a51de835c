import type { Context } from "../../context.ts";
import type { SearchResult } from "../search/provider.ts";
import { PageFailure } from "./page-failure.ts";
import { readPage, type ReadPage } from "./read-page.ts";

/** What became of a page that was found. */
export type PageOutcome = { result: SearchResult; page: ReadPage } | { result: SearchResult; failure: string };

/** Pages that are held in memory at the same time. */
const atOnce = 3;

/**
 * Reads pages, in the order of the results. A page that fails is an outcome, not an error.
 * @throws the signal's reason
 */
export async function readPages(
  ctx: Context,
  results: readonly SearchResult[],
  signal: AbortSignal,
): Promise<PageOutcome[]> {
  const outcomes: PageOutcome[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < results.length) {
      const at = next++;
      outcomes[at] = await readOne(ctx, results[at]!, signal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, results.length) }, lane));
  return outcomes;
}

async function readOne(ctx: Context, result: SearchResult, signal: AbortSignal): Promise<PageOutcome> {
  try {
    return { result, page: await readPage(ctx, result.url, signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PageFailure) return { result, failure: error.message };
    ctx.log.error("a page could not be read", { error });
    return { result, failure: "internal error" };
  }
}

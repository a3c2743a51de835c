import type * as z from "zod";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { requireWebSearch } from "../may-search-web.ts";
import type { webSearchAnswer } from "../schema.ts";
import { findPages, readFound } from "./find-pages.ts";

/** UTF-16 units of a page's text that are returned. */
const maxContent = 50_000;

/**
 * Searches the web and reads what was found, for programs.
 * @throws AppError `forbidden`; `upstream_unreachable` with the provider's failure if nothing was found because of it
 */
export async function answerSearch(
  ctx: Context,
  queries: readonly string[],
  signal: AbortSignal,
): Promise<z.infer<typeof webSearchAnswer>> {
  requireWebSearch(ctx);
  const count = ctx.settings.WEB_SEARCH_RESULT_COUNT;
  const { results, failures } = await findPages(ctx, { queries, count, signal });
  if (results.length === 0 && failures.length > 0) throw new AppError("upstream_unreachable", failures[0]!);
  const outcomes = await readFound(ctx, results, signal);
  const pages = outcomes.flatMap((outcome) => ("page" in outcome ? [outcome.page] : []));
  return {
    status: true,
    filenames: results.map(({ url }) => url),
    items: results.map(({ url: link, title, snippet }) => ({ link, title, snippet })),
    docs: pages.map(({ url: source, title, text }) => ({
      content: text.slice(0, maxContent).toWellFormed(),
      metadata: { source, title },
    })),
    failed: outcomes.flatMap((outcome) =>
      "failure" in outcome ? [{ link: outcome.result.url, reason: outcome.failure }] : [],
    ),
    loaded_count: pages.length,
  };
}

import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { SearchTrialResult } from "../schema.ts";
import { explainSearchFailure, searchWeb } from "./search-web.ts";

/** Asks the provider of the settings. A failing provider is a result, not an error. @throws AppError `forbidden` */
export async function trySearch(ctx: Context, query: string, signal: AbortSignal): Promise<SearchTrialResult> {
  requireAdmin(ctx);
  const begun = Date.now();
  const answer = (rest: Pick<SearchTrialResult, "ok" | "results" | "error">): SearchTrialResult => ({
    ...rest,
    latency_ms: Date.now() - begun,
  });
  try {
    const results = await searchWeb(ctx, { query, count: ctx.settings.WEB_SEARCH_RESULT_COUNT, signal });
    return answer({ ok: true, results });
  } catch (error) {
    signal.throwIfAborted();
    return answer({ ok: false, results: [], error: explainSearchFailure(ctx, error) });
  }
}

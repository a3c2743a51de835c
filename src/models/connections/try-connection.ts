import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkedHeaders } from "../../http/check-headers.ts";
import { fingerprintOf, lookUpList, type Look } from "../catalog/look-up-list.ts";
import { askAll } from "../catalog/provider-lists.ts";
import { checkedBaseUrl } from "./check-base-url.ts";
import { blankConnection, type Connection } from "./connection.ts";
import { getOpenConnection } from "./connections.ts";
import type { ConnectionTrial, TrialResult } from "./schema.ts";

/** A person waits for the result, so a test may take longer than a list. */
export const trialBudgetMs = 10_000;

/**
 * Asks a provider for its models, with the given fields and, with an id, the saved ones for the rest. Changes nothing,
 * except that the state of a saved connection is recorded when it is tested unchanged.
 * @throws AppError `forbidden`, `not_found`, `validation_failed`; a failing provider is a result, not an error.
 */
export async function tryConnection(
  ctx: Context,
  trial: ConnectionTrial,
  budgetMs = trialBudgetMs,
): Promise<TrialResult> {
  requireAdmin(ctx);
  const saved = trial.id === undefined ? undefined : await getOpenConnection(ctx, trial.id);
  const connection = connectionOf(trial, saved);
  const look =
    saved && fingerprintOf(saved) === fingerprintOf(connection)
      ? await askAll(ctx, [saved], budgetMs).get(saved.id)!
      : await lookUpList(ctx, connection, budgetMs);
  return trialResultOf(connection, look);
}

export function trialResultOf(connection: Connection, { list, failure, latencyMs }: Look): TrialResult {
  const found = failure ? undefined : list;
  return {
    ok: failure === undefined,
    models: found?.models.map((model) => model.id) ?? [],
    latency_ms: Math.round(latencyMs),
    base_url: connection.kind === "openai" ? (found?.apiRoot ?? connection.baseUrl) : connection.baseUrl,
    ...(failure ? { reason: failure.reason, error: failure.message } : {}),
  };
}

function connectionOf(trial: ConnectionTrial, saved: Connection | undefined): Connection {
  const kind = trial.kind ?? saved?.kind ?? "openai";
  const address = trial.base_url ?? saved?.baseUrl;
  if (address === undefined)
    throw new AppError("validation_failed", "The address to test is required", {
      issues: [{ path: "base_url", message: "Required" }],
      param: "base_url",
    });
  const { unusable, ...rest } = saved ?? { ...blankConnection, id: "trial" };
  const isReplaced = trial.key !== undefined && trial.headers !== undefined;
  return {
    ...rest,
    kind,
    baseUrl: checkedBaseUrl(kind, address),
    key: trial.key === undefined ? saved?.key : trial.key || undefined,
    headers: trial.headers === undefined ? (saved?.headers ?? {}) : checkedHeaders(trial.headers, saved?.headers ?? {}),
    // Secrets that are entered again need not be opened.
    ...(unusable !== undefined && !isReplaced ? { unusable } : {}),
  };
}

import type { Context } from "../../../context.ts";
import { estimateUsage } from "../../../usage/estimate-tokens.ts";
import { readUsage } from "../../../usage/read-usage.ts";
import { recordUse } from "../../../usage/record-use.ts";
import type { EmbeddingModel } from "./ask-embeddings.ts";

/** One call for vectors that the service made for itself. */
export interface EmbeddingCall {
  /** Epoch milliseconds. */
  startedAt: number;
  texts: readonly string[];
  /** What the provider said of its use. */
  usage: Record<string, unknown> | undefined;
}

/** Puts what indexing and searching ask of an embedding model into the ledger, as work of the service's own. */
export function recordEmbedding(ctx: Context, model: EmbeddingModel): (call: EmbeddingCall) => void {
  return ({ startedAt, texts, usage }) =>
    recordUse(ctx, {
      api: "task",
      model,
      connectionId: model.connection.id,
      startedAt,
      usage: readUsage(usage) ?? estimateUsage(texts, ""),
      state: "done",
    });
}

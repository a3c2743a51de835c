import { sql } from "drizzle-orm";
import { requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findModel } from "../../models/catalog/find-model.ts";
import { estimateUsage } from "../../usage/estimate-tokens.ts";
import { compactBranch, type CompactedBranch } from "./compact-branch.ts";
import { compactionOf, type Compaction } from "./compaction-of.ts";
import type { CompactedChat, CompactForm } from "./schema.ts";

interface ChatRow {
  end_id: string | null;
  model: string | null;
  is_answering: number;
}

/**
 * Has everything before the last question of one of the caller's chats summarized, because they ask for it. What it says
 * beside errors is as in Open WebUI.
 * @throws AppError `forbidden`; `not_found`; `conflict` while an answer is being written; `validation_failed` without a model;
 *   `model_not_found`; `upstream_invalid_answer` if no summary came; UpstreamError as `writeSummary`
 */
export async function compactChat(
  ctx: Context,
  chatId: string,
  form: CompactForm,
  signal: AbortSignal,
): Promise<CompactedChat> {
  const user = requirePermission(ctx, "features.context_compaction");
  const [chat] = await ctx.db.all<ChatRow>(sql`
    SELECT c.current_message_id AS end_id, coalesce(
        (SELECT m.model FROM messages m WHERE m.chat_id = c.id AND m.id = c.current_message_id), c.models->>0) AS model,
      EXISTS (SELECT 1 FROM messages m WHERE m.chat_id = c.id AND m.state = 'streaming') AS is_answering
    FROM chats c WHERE c.id = ${chatId} AND c.user_id = ${user.id}`);
  if (!chat) throw new AppError("not_found", "No such chat");
  if (chat.is_answering) throw new AppError("conflict", "Wait until the answer is complete, then try again");
  const modelId = form.model ?? chat.model;
  if (!modelId)
    throw new AppError("validation_failed", "model: required, because the chat has none", { param: "model" });
  const compaction = compactionOf(ctx, await findModel(ctx, modelId, { direct: true }));
  if (!compaction) return nothingDone("disabled");
  if (chat.end_id === null) return nothingDone("empty");
  let isBegun = false;
  const compacted = await compactBranch(ctx, {
    chatId,
    endId: chat.end_id,
    modelId,
    keptTokens: 0,
    signal,
    onBegin: async () => void (isBegun = true),
  });
  if (compacted) return toWire(compacted, compaction);
  if (!isBegun) return nothingDone("too_short");
  throw new AppError("upstream_invalid_answer", "Earlier messages could not be summarized: the model wrote no summary");
}

function nothingDone(reason: CompactedChat["reason"]): CompactedChat {
  return { ok: true, compacted: false, reason, context_usage: null };
}

function toWire(compacted: CompactedBranch, { threshold }: Compaction): CompactedChat {
  const tokens = estimateUsage({ messages: compacted.messages }, "").input;
  const percent = threshold === undefined ? null : Math.round((tokens / Math.max(1, threshold)) * 100);
  return {
    ok: true,
    compacted: true,
    dropped_messages: compacted.summarized,
    kept_messages: compacted.kept,
    summary_chars: compacted.summary.length,
    context_usage: { tokens, estimated_tokens: tokens, threshold: threshold ?? null, percent, source: "estimated" },
  };
}

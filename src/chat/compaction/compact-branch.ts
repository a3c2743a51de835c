import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { cleanText } from "../../lib/clean-text.ts";
import { estimateUsage } from "../../usage/estimate-tokens.ts";
import { announceList } from "../conversations/announce-chats.ts";
import { selectPath, toModelMessages, type ModelMessage, type PathRow } from "../conversations/load-path.ts";
import { summaryAt, withSummary } from "./with-summary.ts";
import { writeSummary } from "./write-summary.ts";

interface BranchToCompact {
  chatId: string;
  /** The last message of the branch. */
  endId: string;
  modelId: string;
  /** Tokens of the last messages, which stay as they are; the last question always does. */
  keptTokens: number;
  signal: AbortSignal;
  /** Called before the summary is written, if there is something to summarize. */
  onBegin: () => Promise<void>;
}

export interface CompactedBranch {
  /** The branch as a model gets it from now on. */
  messages: ModelMessage[];
  summary: string;
  /** How many messages the summary replaces that were not in an earlier one, and how many stay. */
  summarized: number;
  kept: number;
}

/**
 * Has the beginning of a branch of the caller's chat summarized, and stores the summary with the first question that is
 * kept (`contextSummary`, as in Open WebUI). All messages stay. Undefined if there is nothing to summarize, no model for it,
 * or the question is gone meanwhile.
 * @throws AppError, UpstreamError as `writeSummary`
 */
export async function compactBranch(ctx: Context, branch: BranchToCompact): Promise<CompactedBranch | undefined> {
  const { chatId, endId, modelId, signal } = branch;
  const user = requireUser(ctx);
  const rows = await ctx.db.all<PathRow>(selectPath(chatId, user.id, sql`${endId}`));
  const from = summaryAt(rows);
  const cut = cutOf(rows, Math.max(from, 0), branch.keptTokens);
  if (cut === undefined) return undefined;
  await branch.onBegin();
  const before = from === -1 ? undefined : rows[from]!.summary!;
  const said = await writeSummary(ctx, { chatId, modelId, before, rows: rows.slice(Math.max(from, 0), cut), signal });
  if (said === undefined) return undefined;
  const summary = cleanText(said);
  const kept = rows[cut]!;
  const { rowsAffected } = await ctx.db.run(sql`
    UPDATE messages SET extra = json_set(extra, '$.contextSummary', ${summary}), updated_at = ${ctx.now()}
    WHERE chat_id = ${chatId} AND user_id = ${user.id} AND id = ${kept.id}`);
  if (rowsAffected === 0) return undefined;
  announceList(ctx, user.id, chatId);
  return {
    messages: withSummary(rows.with(cut, { ...kept, summary })),
    summary,
    summarized: cut - Math.max(from, 0),
    kept: rows.length - cut,
  };
}

/** Index of the first row that stays: a question, after which no more tokens come than stay. Undefined if that is the first. */
export function cutOf(rows: readonly PathRow[], from: number, keptTokens: number): number | undefined {
  let cut: number | undefined;
  let tokens = 0;
  for (let at = rows.length - 1; at > from; at--) {
    const row = rows[at]!;
    tokens += estimateUsage({ messages: toModelMessages([row]) }, "").input;
    if (cut !== undefined && tokens > keptTokens) break;
    if (row.role === "user") cut = at;
  }
  return cut;
}

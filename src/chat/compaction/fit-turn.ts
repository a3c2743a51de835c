import type { Context } from "../../context.ts";
import { isRecord } from "../../lib/json.ts";
import type { ResolvedModel } from "../../models/catalog/find-model.ts";
import type { RunStart } from "../../ports.ts";
import { said, type StatusText } from "../../shared/status-words.ts";
import { estimateUsage } from "../../usage/estimate-tokens.ts";
import { emitEvent } from "../events/emit-event.ts";
import { compactBranch } from "./compact-branch.ts";
import { compactionOf } from "./compaction-of.ts";

type Body = Record<string, unknown>;

/** Of what fits, the share that the last messages keep. */
const keptShare = 0.4;

/** Keeps a turn within the context of its model. Only turns whose messages come from the stored chat are shortened. */
export interface FittedTurn {
  /** The request, shortened if the conversation is near the end of the model's context. Never fails. */
  begin(): Promise<Body>;
  /** The request once more, shortened because the provider has refused it as too long; undefined if that is not possible. */
  shorten(): Promise<Body | undefined>;
}

export function fitTurn(ctx: Context, start: RunStart, model: ResolvedModel, signal: AbortSignal): FittedTurn {
  const { body, chatId, messageId } = start;
  const compaction = start.branchEnd === undefined ? undefined : compactionOf(ctx, model);
  const place = { chatId, messageId };
  const tell = async (text: StatusText, done: boolean): Promise<void> => {
    const data = { action: "context_compaction", ...said(text), done };
    await emitEvent(ctx, place, { type: "status", data }).catch((error: unknown) =>
      ctx.log.warn("could not report a compaction", { chat_id: chatId, error }),
    );
  };

  async function compact(keptTokens: number, reason: StatusText): Promise<Body | undefined> {
    let isTold = false;
    const onBegin = async () => {
      isTold = true;
      await tell(["summarizing"], false);
    };
    const branch = { chatId, endId: start.branchEnd!, modelId: start.model, keptTokens, signal, onBegin };
    const compacted = await compactBranch(ctx, branch).catch((error: unknown) => {
      if (!signal.aborted) ctx.log.warn("could not summarize a conversation", { chat_id: chatId, error });
      return undefined;
    });
    if (isTold) await tell(compacted ? reason : ["notSummarized"], true);
    return compacted && { ...body, messages: compacted.messages };
  }

  return {
    async begin() {
      if (compaction?.threshold === undefined) return body;
      const room = Math.min(compaction.threshold, roomFor(compaction.contextLength!, model, body));
      if (tokensOf(model, start) <= room) return body;
      return (await compact(room * keptShare, ["summarizedEarly"])) ?? body;
    },
    async shorten() {
      if (!compaction) return undefined;
      const known = Math.min(compaction.threshold ?? Infinity, tokensOf(model, start) / 2);
      return compact(known * keptShare, ["summarizedLate"]);
    },
  };
}

/** Estimated tokens of the request: messages and instructions. */
function tokensOf(model: ResolvedModel, { body, instructions = [] }: RunStart): number {
  const { system } = { ...model.params, ...(isRecord(body["params"]) ? body["params"] : {}) };
  return estimateUsage({ messages: body["messages"], system, instructions }, "").input;
}

/** What the longest answer leaves of the context, at least half of it. */
function roomFor(contextLength: number, model: ResolvedModel, body: Body): number {
  const own: Body = { ...model.params, ...(isRecord(body["params"]) ? body["params"] : {}), ...body };
  const longest = own["max_completion_tokens"] ?? own["max_tokens"];
  const reserved = typeof longest === "number" && longest > 0 ? longest : 0;
  return contextLength - Math.min(reserved, contextLength / 2);
}

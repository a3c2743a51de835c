import type { Context } from "../../context.ts";
import { finishAnswer, writeProgress, type AnswerPlace } from "../conversations/write-answer.ts";
import type { Reply, ReplyDelta } from "./accumulate-reply.ts";
import { networkFailure } from "./network-failure.ts";

/** Keeps an answer that goes to an API caller in its stored message as well, in coalesced steps and at its end. */
export interface ReplyStore {
  add: (delta: ReplyDelta) => void;
  /** The answer is on its way; what it comes to is stored when it is over. */
  follow(finished: Promise<Reply>): void;
  /** There is no answer. */
  fail(error: unknown): void;
}

/** Seconds between two steps: also the run's sign of life. */
const stepSeconds = 2;

export function storeReply(ctx: Context, place: AnswerPlace): ReplyStore {
  const text = { content: "", reasoning: "" };
  let written = ctx.now();
  let writing: Promise<unknown> = Promise.resolve();

  /** One after the other: a late step must not land after the end. */
  function queue(write: () => Promise<unknown>): void {
    writing = writing.then(write).catch((error: unknown) => ctx.log.error("a reply was not stored", { chat_id: place.chatId, error }));
    ctx.waitUntil(writing);
  }

  return {
    add(delta) {
      if (delta.choice !== 0) return;
      text.content += delta.content ?? "";
      text.reasoning += delta.reasoning ?? "";
      if (ctx.now() - written < stepSeconds) return;
      written = ctx.now();
      queue(() => writeProgress(ctx, place, { ...text }));
    },
    follow(finished) {
      ctx.waitUntil(
        finished.then((reply) => {
          const { content, reasoning, usage, error } = reply;
          const left = error?.code === "request_cancelled";
          const state = left ? "stopped" : error ? "error" : "done";
          const said = error && !left ? { message: error.message, code: error.code ?? "upstream_error" } : undefined;
          queue(() => finishAnswer(ctx, place, { content, reasoning, usage, state, error: said, extra: reply.extra }));
        }),
      );
    },
    fail(error) {
      const { message, code } = networkFailure(error);
      queue(() => finishAnswer(ctx, place, { ...text, state: "error", error: { message, code: code ?? "upstream_error" } }));
    },
  };
}

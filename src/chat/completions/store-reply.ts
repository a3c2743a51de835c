import type { Context } from "../../context.ts";
import { createAnswerWriter } from "../conversations/answer-writer.ts";
import type { AnswerEnd, AnswerPlace } from "../conversations/write-answer.ts";
import type { Reply, ReplyDelta } from "./accumulate-reply.ts";
import { networkFailure } from "./network-failure.ts";

/** Keeps an answer that goes to an API caller in its stored message as well. */
export interface ReplyStore {
  add: (delta: ReplyDelta) => void;
  /** The answer is on its way; what it comes to is stored when it is over. */
  follow(finished: Promise<Reply>): void;
  /** There is no answer. */
  fail(error: unknown): void;
}

/** A message that is deleted meanwhile is no reason to keep the answer from its caller. */
export function storeReply(ctx: Context, place: AnswerPlace): ReplyStore {
  const text = { content: "", reasoning: "" };
  const writer = createAnswerWriter(ctx, place, () => undefined);

  async function store(ended: Promise<AnswerEnd>): Promise<void> {
    try {
      await writer.finish(await ended);
    } catch (error) {
      ctx.log.error("a reply was not stored", { chat_id: place.chatId, error });
    }
  }

  return {
    add({ choice, content = "", reasoning = "" }) {
      if (choice !== 0) return;
      text.content += content;
      text.reasoning += reasoning;
      writer.update({ ...text });
    },
    follow: (finished) => ctx.waitUntil(store(finished.then(endOf))),
    fail(error) {
      const { message, code } = networkFailure(error);
      ctx.waitUntil(
        store(Promise.resolve({ ...text, state: "error", error: { message, code: code ?? "upstream_error" } })),
      );
    },
  };
}

function endOf({ content, reasoning, usage, extra, error }: Reply): AnswerEnd {
  const end = { content, reasoning, usage, extra };
  if (!error) return { ...end, state: "done" };
  const { message, code } = error;
  return code === "request_cancelled"
    ? { ...end, state: "stopped" }
    : { ...end, state: "error", error: { message, code: code ?? "upstream_error" } };
}

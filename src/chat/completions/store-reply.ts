import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Reply, ReplyDelta } from "../../upstream/answers/accumulate-reply.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { noticeOfReply } from "../../webhooks/notice-of-reply.ts";
import { AnswerText } from "../answer-text.ts";
import { createAnswerWriter } from "../conversations/answer-writer.ts";
import type { AnswerEnd, AnswerPlace } from "../conversations/write-answer.ts";
import type { Outlet } from "../functions/outlet.ts";

/** Keeps an answer that goes to an API caller in its stored message as well. */
export interface ReplyStore {
  /** What is stored: events that belong to the answer are written into it too. */
  text: AnswerText;
  add: (delta: ReplyDelta) => void;
  /**
   * The answer is on its way; what it comes to is stored when it is over.
   * @param outlet filters a whole answer before its end is stored
   */
  follow(finished: Promise<Reply>, outlet?: Outlet): void;
  /** There is no answer. */
  fail(error: unknown): void;
}

/**
 * A message that is deleted meanwhile is no reason to keep the answer from its caller.
 * @param hasWebhook whether the person has an address that may have to be told of its end
 */
export function storeReply(ctx: Context, place: AnswerPlace, hasWebhook: boolean): ReplyStore {
  const text = new AnswerText();
  const writer = createAnswerWriter(ctx, place, text, () => undefined);
  const said = { content: "", reasoning: "" };

  async function store(ended: Promise<AnswerEnd>): Promise<void> {
    try {
      await writer.finish(await ended);
    } catch (error) {
      ctx.log.error("a reply was not stored", { chat_id: place.chatId, error });
    }
  }

  /** The end of an answer that came as a whole brings its text. */
  function addRest(reply: Reply): void {
    const rest = (field: "content" | "reasoning") =>
      reply[field].startsWith(said[field]) ? reply[field].slice(said[field].length) : "";
    text.append({ content: rest("content"), reasoning: rest("reasoning") });
  }

  return {
    text,
    add({ choice, content = "", reasoning = "" }) {
      if (choice !== 0) return;
      said.content += content;
      said.reasoning += reasoning;
      text.append({ content, reasoning });
    },
    follow(finished, outlet) {
      const ended = finished.then(async (reply) => {
        addRest(reply);
        const end = endOf(reply);
        if (end.state !== "done") return end;
        const kept = await outlet?.filter(text, neverAborted);
        const notice = hasWebhook ? await noticeOfReply(ctx, place.chatId) : undefined;
        return { ...end, extra: { ...end.extra, ...kept }, notice };
      });
      ctx.waitUntil(
        store(ended).then(() => {
          outlet?.announce();
          outlet?.close();
        }),
      );
    },
    fail(error) {
      const { message, code } = error instanceof AppError ? error : networkFailure(error);
      ctx.waitUntil(store(Promise.resolve({ state: "error", error: { message, code: code ?? "upstream_error" } })));
    },
  };
}

/** Filters of an answer that its caller has already got end by themselves. */
const neverAborted = new AbortController().signal;

function endOf({ usage, extra, error }: Reply): AnswerEnd {
  const end = { usage, extra };
  if (!error) return { ...end, state: "done" };
  const { message, code } = error;
  return code === "request_cancelled"
    ? { ...end, state: "stopped" }
    : { ...end, state: "error", error: { message, code: code ?? "upstream_error" } };
}

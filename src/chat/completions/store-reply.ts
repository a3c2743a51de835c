import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Reply, ReplyDelta } from "../../upstream/answers/accumulate-reply.ts";
import { networkFailure } from "../../upstream/errors/network-failure.ts";
import { noticeOfReply } from "../../webhooks/notice-of-reply.ts";
import { AnswerText } from "../answer-text.ts";
import { createAnswerWriter } from "../conversations/answer-writer.ts";
import type { AnswerEnd, AnswerPlace } from "../conversations/write-answer.ts";
import type { Outlet } from "../functions/outlet.ts";

/** Also stores an answer that is sent to an API caller, in its message. */
export interface ReplyStore {
  /** What is stored; events of the answer are written into it too. */
  text: AnswerText;
  add: (delta: ReplyDelta) => void;
  /**
   * Follows the answer and stores it when it has ended.
   * @param outlet filters a complete answer before its end is stored
   */
  follow(finished: Promise<Reply>, outlet?: Outlet): void;
  /** There is no answer. */
  fail(error: unknown): void;
}

/**
 * If the message is deleted meanwhile, the caller still gets the answer.
 * @param hasWebhook whether the person has a webhook that may have to be called at the end
 */
export function storeReply(ctx: Context, place: AnswerPlace, hasWebhook: boolean): ReplyStore {
  const text = new AnswerText();
  const writer = createAnswerWriter(ctx, place, text, () => undefined);
  const said = { content: "", reasoning: "" };

  async function store(ended: Promise<AnswerEnd>): Promise<void> {
    try {
      await writer.finish(await ended);
    } catch (error) {
      ctx.log.error("could not store a reply", { chat_id: place.chatId, error });
    }
  }

  /** The end of a non-streamed answer contains all of its text. */
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

/** Filters of an answer that the caller already has finish on their own. */
const neverAborted = new AbortController().signal;

function endOf({ usage, extra, error }: Reply): AnswerEnd {
  const end = { usage, extra };
  if (!error) return { ...end, state: "done" };
  const { message, code } = error;
  return code === "request_cancelled"
    ? { ...end, state: "stopped" }
    : { ...end, state: "error", error: { message, code: code ?? "upstream_error" } };
}

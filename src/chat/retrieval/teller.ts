import type { Context } from "../../context.ts";
import type { StatusText } from "../../shared/status-words.ts";
import { emitEvent } from "../events/emit-event.ts";
import { where } from "../events/message-items.ts";
import type { TurnPlace } from "../functions/turn-place.ts";
import type { AnswerSource } from "./number-pieces.ts";

/** A status in Open WebUI's format, with further fields about the search. */
export interface SearchStatus extends Record<string, unknown> {
  action: "knowledge_search" | "file_reading" | "file_skipped" | "web_search" | "image_generation";
  description: string;
  words?: StatusText;
  done: boolean;
}

/**
 * Reports the progress of the document search to the message, in order. It does not delay the answer and never fails.
 */
export interface Teller {
  status(status: SearchStatus): void;
  /** Only shown in open tabs, not stored, because it changes every second. */
  progress(status: SearchStatus): void;
  sources(sources: readonly AnswerSource[]): void;
  /** Resolves when everything is stored and sent. */
  settled(): Promise<void>;
}

/** Without a message nothing is reported: the sources come with the answer. */
export function createTeller(ctx: Context, userId: string, place: TurnPlace): Teller {
  const isTold = place.chatId !== undefined && place.messageId !== undefined && place.task === undefined;
  let last: Promise<void> = Promise.resolve();
  const add = (work: () => Promise<void>): void => {
    if (!isTold) return;
    last = last.then(work).catch((error: unknown) => {
      // The message may be deleted meanwhile.
      ctx.log.warn("could not report what a search found", { chat_id: place.chatId, error });
    });
  };
  return {
    status: (data) => add(() => emitEvent(ctx, place, { type: "status", data })),
    progress: (data) =>
      add(() =>
        ctx.live.publish(userId, { ...where(place), data: { type: "status", data: { ...data, hidden: false } } }),
      ),
    sources: (sources) => {
      for (const data of sources) add(() => emitEvent(ctx, place, { type: "source", data }));
    },
    settled: () => last,
  };
}

import type { Services } from "../../context.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";
import type { AnswerText } from "../answer-text.ts";
import type { ChatEvent, Emitted, EventPlace } from "./chat-event.ts";
import { where } from "./message-items.ts";
import { maxTextLength, storeEvent } from "./store-event.ts";

/** An answer that is being written in this object. */
export interface RunningAnswer {
  text: AnswerText;
  /** Resolves when it is stored. */
  ended: Promise<void>;
}

export interface EventWriterOptions {
  /** Whose chats these are. */
  userId: string;
  services(): Pick<Services, "db" | "now">;
  running(place: EventPlace): RunningAnswer | undefined;
  publish(event: LiveEvent): Promise<void>;
}

/**
 * Handles the events of one person's chats: each is stored and then shown, one after the other within a chat, so that
 * tabs see what is stored, in that order. Text for a running answer is added to it immediately.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  /** The last pending work of each chat. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** Failures that a caller can handle are values, because they may have to cross between objects. */
  async emit(place: EventPlace, event: ChatEvent): Promise<Emitted> {
    const { kept } = event;
    const answer = kept?.what === "text" ? this.#options.running(place) : undefined;
    if (kept?.what === "text" && answer && !answer.text.isClosed) {
      return writeText(answer.text, kept);
    }
    return this.#inOrder(place.chatId, async () => {
      await answer?.ended;
      return this.#store(place, event);
    });
  }

  /** Resolves when everything so far for the chat is stored and shown. */
  async settled(chatId: string): Promise<void> {
    await this.#last.get(chatId)?.catch(() => undefined);
  }

  async #store(place: EventPlace, { live, kept }: ChatEvent): Promise<Emitted> {
    const { outcome, number } = kept
      ? await storeEvent(this.#options.services(), this.#options.userId, place, kept)
      : { outcome: "stored" as const, number: undefined };
    if (outcome !== "stored") return outcome;
    const { publish } = this.#options;
    await publish({ ...where(place), data: live, ...(number === undefined ? {} : { item: number }) });
    if (kept?.what === "title" || kept?.what === "tags")
      await publish({ chat_id: place.chatId, data: { type: "chat:list", data: {} } });
    return outcome;
  }

  #inOrder<T>(chatId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(chatId) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(chatId, mine);
    const forget = () => {
      if (this.#last.get(chatId) === mine) this.#last.delete(chatId);
    };
    mine.then(forget, forget);
    return mine;
  }
}

/** Writes into a running answer. */
export function writeText(
  text: AnswerText,
  { mode, content }: { mode: "append" | "replace"; content: string },
): Emitted {
  if (content.length + (mode === "append" ? text.content.length : 0) > maxTextLength) return "full";
  if (mode === "append") text.append({ content });
  else text.replace(content);
  return "stored";
}

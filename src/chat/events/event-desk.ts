import type { Services } from "../../context.ts";
import type { LiveEvent } from "../../shared/live-protocol.ts";
import type { AnswerText } from "../answer-text.ts";
import type { ChatEvent, Emitted, EventPlace } from "./chat-event.ts";
import { where } from "./message-items.ts";
import { longestText, storeEvent } from "./store-event.ts";

/** An answer that is being written here. */
export interface RunningAnswer {
  text: AnswerText;
  /** Resolves when it is stored. */
  ended: Promise<void>;
}

export interface DeskOptions {
  /** Whose chats these are. */
  userId: string;
  services(): Pick<Services, "db" | "now">;
  running(place: EventPlace): RunningAnswer | undefined;
  publish(event: LiveEvent): Promise<void>;
}

/**
 * Where the events of one person's chats come together: each is stored and then shown, those of one chat one after the
 * other, so that tabs see what is stored, in that order. Text for an answer that is being written goes into it at once.
 */
export class EventDesk {
  readonly #options: DeskOptions;
  /** The last piece of work of each chat that has some. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Failures that a caller can do something about are values: they may have to cross between objects. */
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

  /** Resolves when what has come so far for the chat is stored and shown. */
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

/** Writes into an answer that is being written. */
export function writeText(
  text: AnswerText,
  { mode, content }: { mode: "append" | "replace"; content: string },
): Emitted {
  if (content.length + (mode === "append" ? text.content.length : 0) > longestText) return "full";
  if (mode === "append") text.append({ content });
  else text.replace(content);
  return "stored";
}

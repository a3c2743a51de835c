import { v7 as newId } from "uuid";
import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { online } from "../../lib/online.svelte.ts";
import { answersOf, startTurn, type Turn } from "./chats-api.ts";

/** A turn that the service has not confirmed. `waiting`: for the connection to come back. */
export interface Outgoing {
  turn: Turn;
  status: "sending" | "waiting" | "failed";
  error?: ApiError;
}

/** Names this tab to the service. */
export const tabId = newId();

/** How often a turn is sent, by why it failed: a connection that has just come back may be lost again, as on a train. */
const maxTries: ReadonlyMap<string, number> = new Map([
  ["offline", 5],
  ["timeout", 2],
]);

/**
 * Brings turns to the service. One that found no connection is sent again by itself when the connection is back; after some
 * tries, and after the second without an answer in time, the person decides. Repeating is safe: a turn carries the ids of its
 * messages, and the service starts it once.
 */
export class TurnSender {
  /** By id of the answer, of several the first. */
  outgoing = $state.raw<Readonly<Record<string, Outgoing>>>({});

  /** Ids of all messages that are on their way. */
  get unsent(): Set<string> {
    return new Set(
      Object.values(this.outgoing).flatMap(({ turn }) => [
        ...answersOf(turn).map(({ answerId }) => answerId),
        ...(turn.userMessage ? [turn.userMessage.id] : []),
      ]),
    );
  }

  /** The turn that an answer is on its way with. */
  of(answerId: string): Outgoing | undefined {
    return (
      this.outgoing[answerId] ??
      Object.values(this.outgoing).find(({ turn }) => turn.beside?.some((each) => each.answerId === answerId))
    );
  }

  /** A turn is on its way from now on, even if it has to wait for something before it is sent. */
  begin(turn: Turn): void {
    this.#set({ turn, status: "sending" });
  }

  /**
   * Resolves to the id of the turn's chat, or to undefined when it failed or was taken back. Never rejects.
   * @param onStored called as soon as the service has it, while it still counts as unsent
   */
  async send(turn: Turn, onStored: () => void): Promise<string | undefined> {
    this.begin(turn);
    for (let attempt = 1; ; attempt++) {
      try {
        const started = await startTurn(turn, tabId);
        onStored();
        this.forget(turn.answerId);
        return started.chat_id;
      } catch (cause) {
        const error = toApiError(cause);
        const isUnderWay = this.outgoing[turn.answerId]?.turn === turn;
        if (!isUnderWay) return undefined;
        if (attempt >= (maxTries.get(error.code) ?? 1)) {
          this.#set({ turn, status: "failed", error });
          return undefined;
        }
        this.#set({ turn, status: "waiting" });
        await online.back();
        if (this.outgoing[turn.answerId]?.turn !== turn) return undefined;
      }
    }
  }

  /** Stops caring for a turn; one that waits is not sent any more. */
  forget(answerId: string): Outgoing | undefined {
    const { [answerId]: gone, ...rest } = this.outgoing;
    this.outgoing = rest;
    return gone;
  }

  #set(outgoing: Outgoing): void {
    this.outgoing = { ...this.outgoing, [outgoing.turn.answerId]: outgoing };
  }
}

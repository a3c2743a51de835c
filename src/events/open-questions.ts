import { newId } from "../lib/id.ts";
import type { LiveEvent } from "../shared/live-protocol.ts";
import type { Outcome } from "./answers.ts";
import type { Effect, Session } from "./session.ts";

/** How long a question waits for a first tab, milliseconds: as long as a page takes to load again. */
const firstTabTimeoutMs = 2000;

/** What whoever asks gives along. */
export interface NewQuestion {
  event: LiveEvent;
  /** Id of the question; asking again under it goes on with the same question. */
  id: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

interface Waiting {
  settle(outcome: Outcome): void;
  /** When nobody waits any more. */
  forget(): void;
}

/** Keeps those who ask while the session keeps what they ask; time passes here. */
export class OpenQuestions {
  readonly #session: Session;
  readonly #apply: (effects: readonly Effect[]) => void;
  /** Called when there is something to wait for; what it returns, when there is not any more. */
  readonly #hold: () => () => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(session: Session, apply: (effects: readonly Effect[]) => void, hold: () => () => void) {
    this.#session = session;
    this.#apply = apply;
    this.#hold = hold;
  }

  /** Never rejects. @param signal closes the question */
  ask({ event, id, expiresAt }: NewQuestion, signal: AbortSignal): Promise<Outcome> {
    const stopped: Outcome = { kind: "closed", reason: "stopped" };
    if (signal.aborted) return Promise.resolve(stopped);
    this.#waiting.get(id)?.forget();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const release = this.#hold();
    const close = (reason: "timeout" | "stopped") => this.#apply(this.#session.closeQuestion(id, reason));
    const onAbort = () => close("stopped");
    const timers = [
      setTimeout(() => close("timeout"), Math.max(0, expiresAt - Date.now())),
      setTimeout(() => this.#apply(this.#session.closeUnseen(id)), firstTabTimeoutMs),
    ];
    const forget = () => {
      timers.forEach(clearTimeout);
      signal.removeEventListener("abort", onAbort);
      this.#waiting.delete(id);
      release();
      // Also of one that somebody else waits for now.
      resolve(stopped);
    };
    signal.addEventListener("abort", onAbort);
    this.#waiting.set(id, {
      settle(outcome) {
        resolve(outcome);
        forget();
      },
      forget,
    });
    this.#apply(this.#session.ask(event, { id, expires_at: Math.ceil(expiresAt / 1000) }));
    return promise;
  }

  /** The session has settled a question. */
  settle(questionId: string, outcome: Outcome): void {
    this.#waiting.get(questionId)?.settle(outcome);
  }
}

/** What a person is asked, with its own id and end. */
export function newQuestion(event: LiveEvent, timeoutMs: number): NewQuestion {
  return { event, id: newId(), expiresAt: Date.now() + timeoutMs };
}

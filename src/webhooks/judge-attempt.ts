import { nextAttemptAt, pausedUntil } from "./schedule.ts";
import type { AttemptOutcome } from "./send-attempt.ts";

/** The consequences of an attempt for its delivery and its endpoint. Times are epoch milliseconds. */
export type Verdict =
  | { state: "delivered" }
  | {
      /** Given up, or to be tried again at `next`. */
      state: "failed" | "pending";
      next: number | null;
      /** Nothing else is sent there before. */
      pause: number | null;
      /** The receiver says that it is gone for good. */
      isGone: boolean;
    };

export interface AttemptFacts {
  outcome: Pick<AttemptOutcome, "status" | "error" | "retryAfter" | "isAborted">;
  /** Which attempt it was, from 1 on. */
  number: number;
  /** Since when the endpoint has failed, if it did before this attempt. */
  failingSince: number | null;
  now: number;
  /** From 0 to 1. */
  random: number;
}

/** Of these the receiver has too much to do (Standard Webhooks, "Throttling"); 503 goes with them where it says until when. */
const overloads = new Set([429, 502, 504]);

/** Only 2xx is a success; redirects are not. 410 ends it permanently. */
export function judgeAttempt({ outcome, number, failingSince, now, random }: AttemptFacts): Verdict {
  const { status, error, retryAfter, isAborted } = outcome;
  if (error === null && status !== null && status >= 200 && status < 300) return { state: "delivered" };
  const isGone = status === 410;
  const next = isGone || isAborted ? undefined : nextAttemptAt({ number, now, random, retryAfter });
  const isOverloaded =
    error === "timeout" || (status !== null && (overloads.has(status) || (status === 503 && retryAfter !== undefined)));
  return {
    state: next === undefined ? "failed" : "pending",
    next: next ?? null,
    pause: isOverloaded ? pausedUntil(now, failingSince ?? now, retryAfter) : null,
    isGone,
  };
}

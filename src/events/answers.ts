import { AppError } from "../errors.ts";
import type { LiveEvent } from "../shared/live-protocol.ts";

/** What came of a question. `stopped`: whoever asked does not wait any more; `no_client`: nobody was there to see it. */
export type Outcome =
  | { kind: "value"; value: unknown }
  /** The code of an `execute` failed in the tab. */
  | { kind: "failed"; message: string }
  | { kind: "closed"; reason: "timeout" | "stopped" | "no_client" };

/** An answer as it comes from a tab or over HTTP. */
export interface Answer {
  value?: unknown;
  error?: string | undefined;
}

/** What became of an answer. */
export type Answered = "answered" | "unknown" | "unfit";

/** Longest answer, in UTF-16 units of its JSON. */
const maxAnswerLength = 1_000_000;

/**
 * What the answer comes to, by the kind of question: `confirmation` true or false; `input` text, or false where the person
 * gave none; `execute` whatever the code returned, or its error. Undefined for an answer that fits no such question.
 */
export function readAnswer(type: string, { value, error }: Answer): Outcome | undefined {
  if ((JSON.stringify(value) ?? "").length > maxAnswerLength) return undefined;
  switch (type) {
    case "confirmation":
      return error === undefined && typeof value === "boolean" ? { kind: "value", value } : undefined;
    case "input":
      if (error !== undefined) return undefined;
      if (typeof value === "string") return { kind: "value", value };
      return value === false || value === null ? { kind: "value", value: false } : undefined;
    default:
      return error === undefined ? { kind: "value", value: value ?? null } : { kind: "failed", message: error };
  }
}

/** Whether one tab has to do it, not all of them ask. */
export function isForOneTab({ data }: LiveEvent): boolean {
  return data.type === "execute";
}

/** The answer that a question has come to. @throws AppError `no_client`, `call_timeout`, `call_closed` */
export function valueOf(outcome: Outcome): unknown {
  if (outcome.kind === "value") return outcome.value;
  if (outcome.kind === "failed")
    throw new AppError("call_closed", `The code failed in the browser: ${outcome.message}`);
  switch (outcome.reason) {
    case "no_client":
      throw new AppError("no_client", "This person has no open tab");
    case "timeout":
      throw new AppError("call_timeout", "The person did not answer in time");
    case "stopped":
      throw new AppError("call_closed", "The question was closed before it was answered");
  }
}

import { SvelteMap } from "svelte/reactivity";
import { type ApiError, toApiError } from "../../../lib/api-error.ts";
import { api } from "../../../lib/api.ts";
import { textField } from "../../../lib/live/live-state.ts";
import { live } from "../../../lib/live/live.svelte.ts";
import { type Question, readQuestion } from "./question.ts";

/** How a question ended, seen from this tab. */
export type Outcome = "here" | "elsewhere" | "timeout" | "stopped";

export interface ClosedQuestion {
  question: Question;
  outcome: Outcome;
  /** What was answered in this tab: true or false, a text. */
  answer: unknown;
}

/** Closed questions that are remembered. */
const maxKept = 50;

/** The questions of plugins to this person: those that wait, and how the last ones ended. One for the app. */
class Questions {
  readonly waiting = $derived([...live.calls.values()].flatMap((event) => readQuestion(event) ?? []));
  /** By id, oldest first. */
  readonly closed = new SvelteMap<string, ClosedQuestion>();
  /** Ids of chats where somebody is asked. */
  readonly chats = $derived(new Set(this.waiting.flatMap(({ chatId }) => chatId ?? [])));
  readonly #answers = new Map<string, unknown>();
  #started = false;

  /** Listens from now on. Calling it again does nothing. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    live.onEvent((event, { question: asked }) => {
      const question = asked && readQuestion(asked);
      if (question) this.#close(question, textField(event.data.data, "reason"));
    });
  }

  /**
   * Gives an answer. Resolves when the service has it, also when another tab was faster.
   * @throws ApiError when it did not arrive
   */
  async answer(question: Question, value: unknown): Promise<void> {
    this.#answers.set(question.id, value);
    try {
      await api("POST", `/api/v1/chats/calls/${encodeURIComponent(question.id)}/answer`, { body: { value } });
    } catch (cause) {
      const error: ApiError = toApiError(cause);
      this.#answers.delete(question.id);
      // The word that it is closed, and why, is on its way, or was here before: then this answer looked like the one.
      if (error.status !== 404) throw error;
      const closed = this.closed.get(question.id);
      if (closed?.outcome === "here")
        this.closed.set(question.id, { ...closed, outcome: "elsewhere", answer: undefined });
    }
  }

  #close(question: Question, reason: string): void {
    const isMine = reason === "answered" && this.#answers.has(question.id);
    const outcome = isMine ? "here" : reason === "timeout" || reason === "stopped" ? reason : "elsewhere";
    this.closed.set(question.id, { question, outcome, answer: this.#answers.get(question.id) });
    this.#answers.delete(question.id);
    const [oldest] = this.closed.keys();
    if (this.closed.size > maxKept && oldest !== undefined) this.closed.delete(oldest);
  }
}

export const questions = new Questions();

import type { LiveEvent } from "../shared/live-protocol.ts";
import { isForOneTab, readAnswer, type Answer, type Answered, type Outcome } from "./answers.ts";

/** A question that waits. */
export interface Question {
  event: LiveEvent & { call: NonNullable<LiveEvent["call"]> };
  /** Whether some tab has been told of it. */
  isSeen: boolean;
}

/** The questions of one person that wait, in the order in which they were asked; each is taken off once. */
export class QuestionList {
  readonly #questions = new Map<string, Question>();

  get events(): LiveEvent[] {
    return [...this.#questions.values()].map(({ event }) => event);
  }

  has(id: string): boolean {
    return this.#questions.has(id);
  }

  /**
   * @param tabs those that are open, the best one last
   * @returns the question; undefined where one waits under this id already
   */
  add(event: LiveEvent, call: { id: string; expires_at: number }, tabs: readonly string[]): Question | undefined {
    if (this.#questions.has(call.id)) return undefined;
    const tab = isForOneTab(event) ? tabs.at(-1) : undefined;
    const question: Question = {
      event: { ...event, call: { ...call, ...(tab === undefined ? {} : { tab }) } },
      isSeen: tabs.length > 0,
    };
    this.#questions.set(call.id, question);
    return question;
  }

  /** The first answer that fits takes the question off. */
  answer(
    id: string,
    answer: Answer,
  ): { answered: Exclude<Answered, "answered"> } | { answered: "answered"; question: Question; outcome: Outcome } {
    const question = this.#questions.get(id);
    if (!question) return { answered: "unknown" };
    const outcome = readAnswer(question.event.data.type, answer);
    if (!outcome) return { answered: "unfit" };
    this.#questions.delete(id);
    return { answered: "answered", question, outcome };
  }

  /** Takes the question off, if it waits. @param options `unseen`: only if no tab has been told of it */
  remove(id: string, { unseen = false } = {}): Question | undefined {
    const question = this.#questions.get(id);
    if (!question || (unseen && question.isSeen)) return undefined;
    this.#questions.delete(id);
    return question;
  }

  /** A tab is told of all that waits. */
  seen(): void {
    for (const question of this.#questions.values()) question.isSeen = true;
  }

  /** Gives the tab what is for one tab, and that one is gone. @returns what it was given */
  adopt(tab: string, isOpen: (tab: string) => boolean): Question[] {
    const orphans = [...this.#questions.values()].filter(
      ({ event }) => isForOneTab(event) && (event.call.tab === undefined || !isOpen(event.call.tab)),
    );
    for (const question of orphans) question.event = { ...question.event, call: { ...question.event.call, tab } };
    return orphans;
  }
}

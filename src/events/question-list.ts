import type { LiveEvent } from "../shared/live-protocol.ts";
import { isForOneTab, readAnswer, type Answer, type Answered, type Outcome } from "./answers.ts";

/** A pending question. */
export interface Question {
  event: LiveEvent & { call: NonNullable<LiveEvent["call"]> };
  /** Whether at least one tab has received it. */
  isSeen: boolean;
}

export interface OpenTab {
  id: string;
  /** Epoch seconds; 0 while it is hidden. */
  visibleUntil: number;
}

/** The pending questions of one person, in order; each is removed once. */
export class QuestionList {
  readonly #questions = new Map<string, Question>();

  get events(): LiveEvent[] {
    return [...this.#questions.values()].map(({ event }) => event);
  }

  has(id: string): boolean {
    return this.#questions.has(id);
  }

  /**
   * A question for one tab goes to the one that was visible last.
   * @param tabs those that are open
   * @returns the question; undefined where one waits under this id already
   */
  add(event: LiveEvent, call: { id: string; expires_at: number }, tabs: readonly OpenTab[]): Question | undefined {
    if (this.#questions.has(call.id)) return undefined;
    const tab = isForOneTab(event) ? visibleLast(tabs)?.id : undefined;
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

  /**
   * Removes the question if it is open.
   * @param options `unseen`: only if no tab has received it
   */
  remove(id: string, { unseen = false } = {}): Question | undefined {
    const question = this.#questions.get(id);
    if (!question || (unseen && question.isSeen)) return undefined;
    this.#questions.delete(id);
    return question;
  }

  /** A tab has received all open questions. */
  seen(): void {
    for (const question of this.#questions.values()) question.isSeen = true;
  }

  /**
   * Gives the tab the questions for a single tab that has been closed.
   * @returns these questions
   */
  adopt(tab: string, isOpen: (tab: string) => boolean): Question[] {
    const orphans = [...this.#questions.values()].filter(
      ({ event }) => isForOneTab(event) && (event.call.tab === undefined || !isOpen(event.call.tab)),
    );
    for (const question of orphans) question.event = { ...question.event, call: { ...question.event.call, tab } };
    return orphans;
  }
}

function visibleLast(tabs: readonly OpenTab[]): OpenTab | undefined {
  return tabs.reduce<OpenTab | undefined>(
    (best, tab) => (best && best.visibleUntil > tab.visibleUntil ? best : tab),
    undefined,
  );
}

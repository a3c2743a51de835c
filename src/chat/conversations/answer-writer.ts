import type { Services } from "../../context.ts";
import type { AnswerText } from "../answer-text.ts";
import { finishAnswer, writeProgress, type AnswerEnd, type AnswerPlace, type AnswerStep } from "./write-answer.ts";

/** Milliseconds between two stored steps. */
const stepMs = 400;
/** This much new text is stored immediately, in UTF-16 units. */
const stepLength = 8192;
/** A run without output stores an empty step after this time, as a sign of life: well within `runSilence`. */
const signOfLifeMs = 30_000;
/** Longer texts are stored less often, because the database rewrites all of the text with each step. */
const fullRateLength = 32_768;

/** How steps and the end get into the database. */
export interface AnswerStore {
  writeProgress: typeof writeProgress;
  finishAnswer: typeof finishAnswer;
}

export interface AnswerWriter {
  /**
   * Ends the answer with the text as it is; resolves when it is stored.
   * @returns false if the message no longer belonged to this run
   */
  finish(end: AnswerEnd): Promise<boolean>;
}

/**
 * Stores an answer while it is written: in steps that append to what is stored, one at a time, without delaying the
 * text or overwriting what others have added. A failed step is retried unchanged; only the end is retried immediately.
 * @param onLost called when the message was deleted or taken over: what else is written will not be seen
 */
export function createAnswerWriter(
  services: Pick<Services, "db" | "now" | "log">,
  place: AnswerPlace,
  text: AnswerText,
  onLost: () => void,
  store: AnswerStore = { writeProgress, finishAnswer },
): AnswerWriter {
  /** What is stored, not counting a failed step. */
  let stored = stateOf(text);
  let number = 0;
  /** A failed step, which may have been stored nevertheless. */
  let failed: { step: AnswerStep; after: StoredText } | undefined;
  let lastStep = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;
  let writing: Promise<void> | undefined;
  let ended = false;
  const stopListening = text.listen(schedule);

  const length = () => text.content.length + text.reasoning.length;
  const isNew = () => text.replacements !== stored.replacements || length() !== stored.content + stored.reasoning;

  function schedule(): void {
    if (ended || writing) return;
    const wait = length() - stored.content - stored.reasoning >= stepLength ? 0 : stepMs;
    const due = isNew() ? Math.max(wait, (stepMs * length()) / fullRateLength) : signOfLifeMs;
    // Asked for each piece of text: a timer that is early enough stays.
    if (lastStep + due >= dueAt) return;
    clearTimeout(timer);
    dueAt = lastStep + due;
    timer = setTimeout(write, Math.max(0, dueAt - Date.now()));
  }

  /**
   * The text since the last step.
   * @param isLast whether nothing comes after it
   */
  function nextStep(isLast: boolean): { step: AnswerStep; after: StoredText } {
    const isWhole = text.replacements !== stored.replacements;
    const after = stateOf(text);
    // The other half of a character may be on its way: halves cannot be stored.
    if (!isLast && isHalf(text.content)) after.content -= 1;
    if (!isLast && isHalf(text.reasoning)) after.reasoning -= 1;
    const step = {
      number: number + 1,
      isWhole,
      content: text.content.slice(isWhole ? 0 : stored.content, after.content),
      reasoning: text.reasoning.slice(isWhole ? 0 : stored.reasoning, after.reasoning),
    };
    return { step, after };
  }

  function write(): void {
    clearTimeout(timer);
    dueAt = Infinity;
    lastStep = Date.now();
    const next = failed ?? nextStep(false);
    writing = store
      .writeProgress(services, place, next.step)
      .then((isMine) => {
        failed = undefined;
        ({ number } = next.step);
        stored = next.after;
        if (!isMine && !ended) onLost();
      })
      .catch((error: unknown) => {
        failed = next;
        services.log.warn("could not store a step of an answer", { run_id: place.runId, error });
      })
      .finally(() => {
        writing = undefined;
        schedule();
      });
  }

  /** A failed step keeps its number, so later text cannot be added to it. */
  async function writeEnd(end: AnswerEnd): Promise<boolean> {
    if (failed) {
      await store.writeProgress(services, place, failed.step);
      ({ number } = failed.step);
      stored = failed.after;
      failed = undefined;
    }
    return store.finishAnswer(services, place, end, nextStep(true).step);
  }

  text.storedBy(async () => {
    await writing;
    if (ended || !isNew()) return;
    write();
    await writing;
  });
  schedule();
  return {
    async finish(end) {
      ended = true;
      stopListening();
      clearTimeout(timer);
      await writing;
      await text.close();
      for (let attempt = 1; ; attempt++) {
        try {
          return await writeEnd(end);
        } catch (error) {
          if (attempt === 4) throw error;
          services.log.warn("could not store the end of an answer, trying again", {
            run_id: place.runId,
            attempt,
            error,
          });
          await new Promise((resolve) => setTimeout(resolve, 250 * 4 ** attempt));
        }
      }
    },
  };
}

/** How much of the text is stored, in UTF-16 units, and after how many replacements. */
interface StoredText {
  content: number;
  reasoning: number;
  replacements: number;
}

function stateOf({ content, reasoning, replacements }: AnswerText): StoredText {
  return { content: content.length, reasoning: reasoning.length, replacements };
}

/** Whether the text ends with the first half of a surrogate pair. */
function isHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

import type { Services } from "../../context.ts";
import type { AnswerText } from "../answer-text.ts";
import { finishAnswer, writeProgress, type AnswerEnd, type AnswerPlace, type AnswerStep } from "./write-answer.ts";

/** Milliseconds between two steps of storing. */
const stepMs = 400;
/** So much new text is stored at once, in UTF-16 units. */
const stepLength = 8192;
/** A run that is silent for so long stores an empty step, as a sign of life: well within `maxSilenceSeconds`. */
const signOfLifeMs = 30_000;
/** A longer text is stored less often: the database writes all of it anew for each step. */
const fullRateLength = 32_768;

/** How steps and the end get into the database. */
export interface AnswerStore {
  writeProgress: typeof writeProgress;
  finishAnswer: typeof finishAnswer;
}

export interface AnswerWriter {
  /** Ends the answer with the text as it is; resolves when it is stored. @returns false when the message was no longer this run's */
  finish(end: AnswerEnd): Promise<boolean>;
}

/**
 * Stores an answer while it is written: in steps that add to what is stored, one at a time, never in the way of the text,
 * and never over what others have added. A step that fails is tried again as it was; only the end is tried at once.
 * @param onLost called when the message was deleted or taken over: nobody will see what else is written
 */
export function createAnswerWriter(
  services: Pick<Services, "db" | "now" | "log">,
  place: AnswerPlace,
  text: AnswerText,
  onLost: () => void,
  store: AnswerStore = { writeProgress, finishAnswer },
): AnswerWriter {
  /** What is stored, the step that failed not counted. */
  let stored = stateOf(text);
  let number = 0;
  /** It may be stored all the same. */
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

  /** What has come since the last step. @param isLast nothing comes after it */
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
        services.log.warn("a step of an answer was not stored", { run_id: place.runId, error });
      })
      .finally(() => {
        writing = undefined;
        schedule();
      });
  }

  /** The step that failed has a number of its own: what came after it cannot go along with it. */
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
          services.log.warn("the end of an answer was not stored, trying again", {
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

/** Whether the text ends with the first half of a character. */
function isHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

import type { Services } from "../../context.ts";
import { finishAnswer, writeProgress, type AnswerEnd, type AnswerPlace, type AnswerText } from "./write-answer.ts";

/** Milliseconds between two steps of storing. */
const stepMs = 400;
/** So much new text is stored at once, in UTF-16 units. */
const stepLength = 8192;
/** A run that is silent for so long stores its text again, as a sign of life: well within `runSilence`. */
const signMs = 30_000;
/** A longer text is stored less often, so that the bytes written stay in proportion to the bytes received. */
const fullRateLength = 32_768;

/** How steps and the end get into the database. */
export interface AnswerStore {
  writeProgress: typeof writeProgress;
  finishAnswer: typeof finishAnswer;
}

export interface AnswerWriter {
  /** Takes the whole text so far, which may go on growing in the same object; returns at once. */
  update(text: AnswerText): void;
  /** Ends the answer; resolves when it is stored. @returns false when the message was no longer this run's */
  finish(end: AnswerEnd): Promise<boolean>;
}

/**
 * Stores an answer while it is written: in steps, one at a time, never in the way of the text. A step that fails is
 * made up for by the next one; only the end is tried again.
 * @param onLost called when the message was deleted or taken over: nobody will see what else is written
 */
export function createAnswerWriter(
  services: Pick<Services, "db" | "now" | "log">,
  place: AnswerPlace,
  onLost: () => void,
  store: AnswerStore = { writeProgress, finishAnswer },
): AnswerWriter {
  let text: AnswerText = { content: "", reasoning: "" };
  let storedLength = 0;
  let lastStep = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;
  let writing: Promise<void> | undefined;
  let ended = false;

  const length = () => text.content.length + text.reasoning.length;

  function schedule(): void {
    if (ended || writing) return;
    const isNew = length() !== storedLength;
    const wait = length() - storedLength >= stepLength ? 0 : stepMs;
    const due = isNew ? Math.max(wait, (stepMs * length()) / fullRateLength) : signMs;
    // Asked for each piece of text: a timer that is early enough stays.
    if (lastStep + due >= dueAt) return;
    clearTimeout(timer);
    dueAt = lastStep + due;
    timer = setTimeout(step, Math.max(0, dueAt - Date.now()));
  }

  function step(): void {
    dueAt = Infinity;
    lastStep = Date.now();
    storedLength = length();
    writing = store
      .writeProgress(services, place, text)
      .then((isMine) => {
        if (!isMine && !ended) onLost();
      })
      .catch((error: unknown) =>
        services.log.warn("a step of an answer was not stored", { run_id: place.runId, error }),
      )
      .finally(() => {
        writing = undefined;
        schedule();
      });
  }

  schedule();
  return {
    update(latest) {
      text = latest;
      schedule();
    },
    async finish(end) {
      ended = true;
      clearTimeout(timer);
      await writing;
      for (let attempt = 1; ; attempt++) {
        try {
          return await store.finishAnswer(services, place, end);
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

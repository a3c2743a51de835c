import type { AnswerText } from "../../chat/answer-text.ts";

/** Shows tabs the text of an answer while it grows. */
export interface LiveText {
  /** The text was stored up to here, and the step before up to `from`: who has loaded that meanwhile gets the rest of it, too. */
  stored(from: number): void;
  /** Shows nothing more; resolves when what is on its way has been handed over. */
  end(): Promise<void>;
}

/** Milliseconds between two pieces: thousands of tabs may look. */
const intervalMs = 100;

/**
 * Hands on a text in pieces, one at a time and not faster than they are taken: what comes meanwhile goes along with the next.
 * @param tell is given where the piece begins, in UTF-16 units; what was shown behind that is not part of the text any more
 */
export function createLiveText(text: AnswerText, tell: (at: number, piece: string) => Promise<void>): LiveText {
  let shown = 0;
  let replacements = text.replacements;
  let isEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let telling: Promise<void> | undefined;
  let lastTold = 0;

  function plan(): void {
    if (isEnded || telling || timer !== undefined) return;
    timer = setTimeout(send, Math.max(0, lastTold + intervalMs - Date.now()));
  }

  function send(): void {
    timer = undefined;
    if (text.replacements !== replacements) shown = 0;
    ({ replacements } = text);
    const at = shown;
    shown = text.content.length;
    lastTold = Date.now();
    telling = tell(at, text.content.slice(at)).finally(() => {
      telling = undefined;
      if (shown !== text.content.length || text.replacements !== replacements) plan();
    });
  }

  const stopListening = text.listen(plan);
  return {
    stored(from) {
      shown = Math.min(shown, from);
      if (shown !== text.content.length) plan();
    },
    async end() {
      isEnded = true;
      stopListening();
      clearTimeout(timer);
      await telling;
    },
  };
}

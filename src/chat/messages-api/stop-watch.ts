/** Cuts a streamed text at the first of some sequences. */
export interface StopWatch {
  /** The part of the text that can be sent now; what could be the beginning of a sequence is held back. */
  push(piece: string): string;
  /** Returns what was held back, at the end. */
  flush(): string;
  /** The sequence that was found; nothing after it is sent. */
  met(): string | undefined;
}

/**
 * Looks for stop sequences in a model's output. Providers are asked to stop there themselves, but not all of them do,
 * and neither do all functions.
 */
export function createStopWatch(sequences: readonly string[]): StopWatch {
  const longest = Math.max(0, ...sequences.map(({ length }) => length));
  let held = "";
  let met: string | undefined;

  /** The length of the end that could be the beginning of a sequence. */
  function openEnd(text: string): number {
    for (let length = Math.min(longest - 1, text.length); length > 0; length--) {
      const end = text.slice(text.length - length);
      if (sequences.some((sequence) => sequence.startsWith(end))) return length;
    }
    return 0;
  }

  return {
    push(piece) {
      if (longest === 0) return piece;
      if (met !== undefined) return "";
      const text = held + piece;
      const cut = firstOf(text, sequences);
      if (cut) {
        met = cut.sequence;
        held = "";
        return text.slice(0, cut.at);
      }
      const waits = openEnd(text);
      held = text.slice(text.length - waits);
      return text.slice(0, text.length - waits);
    },
    flush() {
      const rest = held;
      held = "";
      return rest;
    },
    met() {
      return met;
    },
  };
}

/** The position of the first sequence. */
export function firstOf(text: string, sequences: readonly string[]): { at: number; sequence: string } | undefined {
  let first: { at: number; sequence: string } | undefined;
  for (const sequence of sequences) {
    const at = text.indexOf(sequence);
    if (at !== -1 && (!first || at < first.at)) first = { at, sequence };
  }
  return first;
}

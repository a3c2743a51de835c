/**
 * What goes before a piece of text so that the texts of two rounds do not run into each other: a blank line where a new round
 * begins to speak after another has spoken.
 */
export interface RoundJoiner {
  /** The piece with what goes before it. */
  add(text: string): string;
  /** What is said from here on belongs to another round. */
  next(): void;
  /** UTF-16 units that have gone through. */
  readonly length: number;
}

export function createRoundJoiner(): RoundJoiner {
  let length = 0;
  let endsInSpace = true;
  let isNewRound = false;
  return {
    add(text) {
      if (text === "") return text;
      const needsGap = isNewRound && length > 0 && !endsInSpace && !/^\s/.test(text);
      const said = needsGap ? `\n\n${text}` : text;
      isNewRound = false;
      length += said.length;
      endsInSpace = /\s$/.test(said);
      return said;
    },
    next() {
      isNewRound = true;
    },
    get length() {
      return length;
    },
  };
}

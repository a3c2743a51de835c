/** Separates the texts of two rounds: with an empty line where a round begins to write after another. */
export interface RoundJoiner {
  /** The piece with its separator. */
  add(text: string): string;
  /** The next text belongs to another round. */
  next(): void;
  /** UTF-16 units so far. */
  length(): number;
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
    length() {
      return length;
    },
  };
}

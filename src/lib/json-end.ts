/** Finds the end of a JSON document, piece by piece, without storing it. Documents are objects, arrays or strings. */
export interface JsonEnd {
  add(piece: string): void;
  /** Whether what came so far is a whole document. */
  isWhole(): boolean;
}

export function createJsonEnd(): JsonEnd {
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let hasBegun = false;

  function addToText(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (code === 0x5c) isEscaped = true;
    else if (code === 0x22) inText = false;
  }

  return {
    add(piece) {
      for (let at = 0; at < piece.length; at++) {
        const code = piece.charCodeAt(at);
        if (inText) addToText(code);
        else if (code === 0x22) inText = true;
        else if (code === 0x7b || code === 0x5b) depth += 1;
        else if (code === 0x7d || code === 0x5d) depth -= 1;
        else continue;
        hasBegun = true;
      }
    },
    isWhole() {
      return hasBegun && depth <= 0 && !inText;
    },
  };
}

import type { ReasoningTag } from "./reasoning-tags.ts";

/** A piece of an answer's text, inside or outside the tags. */
export interface TextPiece {
  isThought: boolean;
  text: string;
}

export interface ThoughtSplitter {
  /** The next text; the output may lag behind by what could be a tag. */
  add(text: string): TextPiece[];
  /** Held text. */
  end(): TextPiece[];
  /** Adds a pair for later text. */
  know(tag: ReasoningTag): void;
  /** Whether everything that comes from now on is text as it is. */
  isSettled(): boolean;
}

/** How much space around tags is kept back until it is known to be more than that. */
const maxSpaceLength = 256;

/**
 * Separates reasoning between tags from the answer, in text that is cut anywhere. Tags are never shown, not even
 * partly. The space around them is removed too.
 */
export function createThoughtSplitter(given: readonly ReasoningTag[]): ThoughtSplitter {
  const tags = [...given];
  const opening = tags.find(({ open }) => open === "");
  const anywhere = tags.filter(({ isAnywhere, open }) => isAnywhere && open !== "");
  /** `fresh`: nothing but space since the beginning or the last thought; `said`: in the text. */
  let state: "fresh" | "said" | ReasoningTag = opening ?? "fresh";
  let kept = "";
  /** Whether the space before the next text belongs to a tag. */
  let isAfterTag = opening !== undefined;

  function put(pieces: TextPiece[], isThought: boolean, text: string): void {
    if (text === "") return;
    const last = pieces.at(-1);
    if (last?.isThought === isThought) last.text += text;
    else pieces.push({ isThought, text });
  }

  /** One step over `kept`; whether there is another to be made. */
  function step(pieces: TextPiece[]): boolean {
    if (state === "fresh") return begin();
    return state === "said" ? say(pieces) : think(pieces, state);
  }

  function begin(): boolean {
    const rest = kept.trimStart();
    const isFar = kept.length - rest.length > maxSpaceLength;
    if (rest === "" && !isFar) return false;
    const known = isFar ? [] : tags.filter(({ open }) => open !== "");
    const opened = known.find(({ open }) => rest.startsWith(open));
    if (!opened && known.some(({ open }) => open.startsWith(rest))) return false;
    if (opened) {
      kept = rest.slice(opened.open.length);
      state = opened;
    } else {
      if (isAfterTag) kept = rest;
      state = "said";
    }
    isAfterTag = opened !== undefined;
    return kept !== "";
  }

  function say(pieces: TextPiece[]): boolean {
    const found = firstOf(anywhere, kept);
    if (!found) {
      const length = kept.length - overlap(anywhere, kept);
      put(pieces, false, kept.slice(0, length));
      kept = kept.slice(length);
      return false;
    }
    put(pieces, false, kept.slice(0, found.at));
    kept = kept.slice(found.at + found.tag.open.length);
    state = found.tag;
    isAfterTag = true;
    return true;
  }

  function think(pieces: TextPiece[], tag: ReasoningTag): boolean {
    if (isAfterTag) kept = kept.trimStart();
    const at = kept.indexOf(tag.close);
    if (at !== -1) {
      put(pieces, true, kept.slice(0, at).trimEnd());
      kept = kept.slice(at + tag.close.length);
      state = "fresh";
      isAfterTag = true;
      return kept !== "";
    }
    const ready = kept.slice(0, kept.length - overlapOf(tag.close, kept));
    const shown = ready.trimEnd();
    // Space before the closing tag goes with it.
    const length = ready.length - shown.length > maxSpaceLength ? ready.length : shown.length;
    put(pieces, true, kept.slice(0, length));
    if (length > 0) isAfterTag = false;
    kept = kept.slice(length);
    return false;
  }

  return {
    add(text) {
      if (state === "said" && anywhere.length === 0) return text === "" ? [] : [{ isThought: false, text }];
      kept += text;
      const pieces: TextPiece[] = [];
      while (step(pieces));
      return pieces;
    },
    end() {
      const text = state === "fresh" && isAfterTag ? kept.trimStart() : kept;
      kept = "";
      if (text === "") return [];
      const isThought = state !== "fresh" && state !== "said";
      return [{ isThought, text: isThought ? text.trimEnd() : text }].filter((piece) => piece.text !== "");
    },
    know(tag) {
      if (!tags.includes(tag)) tags.push(tag);
    },
    isSettled() {
      return tags.length === 0 || (state === "said" && anywhere.length === 0);
    },
  };
}

function firstOf(tags: readonly ReasoningTag[], text: string): { tag: ReasoningTag; at: number } | undefined {
  let first: { tag: ReasoningTag; at: number } | undefined;
  for (const tag of tags) {
    const at = text.indexOf(tag.open);
    if (at !== -1 && (!first || at < first.at)) first = { tag, at };
  }
  return first;
}

function overlap(tags: readonly ReasoningTag[], text: string): number {
  return Math.max(0, ...tags.map(({ open }) => overlapOf(open, text)));
}

/** How many characters at the end of the text could be the beginning of the tag. */
function overlapOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) return length;
  }
  return 0;
}

/** A pair of texts between which a model thinks. */
export interface ReasoningTag {
  /** Empty where the thought needs no opening: the answer begins with it. */
  open: string;
  close: string;
  /** Whether it may stand anywhere in the text, not only where an answer or a part of it begins. */
  isAnywhere: boolean;
}

/**
 * Pairs that are always known. They count at the beginning of an answer and after another thought only: an answer that speaks
 * of such a tag is not to lose its text to it. Tags that people ask for in their prompts (`<thinking>`, `<reasoning>`) are not
 * among them: who asks for them wants to read them.
 */
const usualTags: readonly ReasoningTag[] = [
  ["<think>", "</think>"],
  ["◁think▷", "◁/think▷"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
].map(([open = "", close = ""]) => ({ open, close, isAnywhere: false }));

/** As Gemini marks what is thought, where it says so beside the text. */
export const geminiTag: ReasoningTag = { open: "<thought>", close: "</thought>", isAnywhere: false };

const maxTagLength = 60;
const maxTags = 20;

/**
 * The tags that answers of a model are read with.
 * @param configured what stands in the parameters: a pair, a list of pairs, or false for no tags at all; the usual ones besides
 * @param more pairs of its connection
 */
export function readReasoningTags(
  configured: unknown,
  more: readonly (readonly [string, string])[] = [],
): ReasoningTag[] {
  if (configured === false) return [];
  const own = pairsIn(configured).concat(more.map(([open, close]) => [open, close]));
  return [...own.slice(0, maxTags).map(([open = "", close = ""]) => ({ open, close, isAnywhere: true })), ...usualTags];
}

function pairsIn(value: unknown): string[][] {
  if (!Array.isArray(value)) return [];
  const lists: unknown[] = value.some((each) => typeof each === "string") ? [value] : value;
  return lists.filter(isPair);
}

function isPair(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [open, close] = value as unknown[];
  return (
    typeof open === "string" &&
    typeof close === "string" &&
    close !== "" &&
    Math.max(open.length, close.length) <= maxTagLength
  );
}

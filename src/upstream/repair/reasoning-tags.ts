/** A pair of tags around a model's reasoning. */
export interface ReasoningTag {
  /** Empty if the reasoning needs no opening tag because the answer begins with it. */
  open: string;
  close: string;
  /** Whether it may be anywhere in the text, not only at the beginning of an answer or a part of it. */
  isAnywhere: boolean;
}

/**
 * Built-in pairs. They count only at the beginning of an answer and after another thought, so that an answer about such
 * a tag does not lose its text. Tags that people request in prompts (`<thinking>`, `<reasoning>`) are not included,
 * because those people want to read them.
 */
const usualTags: readonly ReasoningTag[] = [
  ["<think>", "</think>"],
  ["◁think▷", "◁/think▷"],
  ["[THINK]", "[/THINK]"],
  ["<seed:think>", "</seed:think>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
].map(([open = "", close = ""]) => ({ open, close, isAnywhere: false }));

/** Gemini's tag for reasoning, if the answer also declares it beside the text. */
export const geminiTag: ReasoningTag = { open: "<thought>", close: "</thought>", isAnywhere: false };

const maxTagLength = 60;
const maxTags = 20;

/**
 * The reasoning tags of a model.
 * @param configured from the parameters: a pair, a list of pairs, or false for no tags; otherwise the built-in ones
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

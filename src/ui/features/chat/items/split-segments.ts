import type { ToolStep } from "./message-items.ts";

/** A stretch of an answer: text, or the calls of tools that were made between two stretches of text. */
export type Segment = { kind: "text"; text: string } | { kind: "tools"; steps: ToolStep[] };

/**
 * An answer with its tool steps at the places where they were called. Steps that stand together, or with only white space
 * between, are one stretch; places beyond the text are its end.
 */
export function splitSegments(text: string, steps: readonly ToolStep[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  const add = (stretch: string): void => {
    if (stretch.trim() !== "") segments.push({ kind: "text", text: stretch });
  };
  const placed = steps.map((step) => ({ step, at: placeOf(text, step.at) })).sort((a, b) => a.at - b.at);
  for (const { step, at } of placed) {
    add(text.slice(from, at));
    from = at;
    const last = segments.at(-1);
    if (last?.kind === "tools") last.steps.push(step);
    else segments.push({ kind: "tools", steps: [step] });
  }
  add(text.slice(from));
  return segments;
}

/** A place within the text that does not cut a character in two. */
function placeOf(text: string, at: number): number {
  const place = Math.max(0, Math.min(Math.trunc(at), text.length));
  const splitsPair = /[\udc00-\udfff]/u.test(text.charAt(place)) && /[\ud800-\udbff]/u.test(text.charAt(place - 1));
  return splitsPair ? place - 1 : place;
}

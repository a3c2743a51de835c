import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gatherDeltas, type Delta } from "../../src/chat/gather-deltas.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("pieces of text", () => {
  it("go on at once when they come slowly, and together when they come fast", () => {
    const sent: Delta[] = [];
    const deltas = gatherDeltas((delta) => sent.push(delta));
    deltas.add("a", "");
    expect(sent).toEqual([{ content: "a", reasoning: "" }]);
    deltas.add("b", "");
    deltas.add("c", "");
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(16);
    expect(sent.at(-1)).toEqual({ content: "bc", reasoning: "" });
    vi.advanceTimersByTime(100);
    deltas.add("d", "");
    expect(sent).toHaveLength(3);
  });

  it("lose nothing and keep their order, however they come", () => {
    const piece = fc.record({
      kind: fc.constantFrom("content", "reasoning"),
      text: fc.string({ minLength: 1 }),
      wait: fc.nat(30),
    });
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const sent: Delta[] = [];
        const deltas = gatherDeltas((delta) => sent.push(delta));
        for (const { kind, text, wait } of pieces) {
          deltas.add(kind === "content" ? text : "", kind === "reasoning" ? text : "");
          vi.advanceTimersByTime(wait);
        }
        deltas.flush();
        const told = (kind: "content" | "reasoning") =>
          pieces
            .filter((each) => each.kind === kind)
            .map((each) => each.text)
            .join("");
        expect(sent.map((delta) => delta.content).join("")).toBe(told("content"));
        expect(sent.map((delta) => delta.reasoning).join("")).toBe(told("reasoning"));
        // Within one delta the reasoning comes first.
        expect(sent.map((delta) => delta.reasoning + delta.content).join("")).toBe(
          pieces.map((each) => each.text).join(""),
        );
      }),
    );
  });
});

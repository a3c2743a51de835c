import { describe, expect, it } from "vitest";
import { findReference, withoutReference } from "../../../../../src/ui/features/chat/references/find-reference.ts";

/** The caret stands where the bar is. */
function at(marked: string) {
  const caret = marked.indexOf("|");
  return findReference(marked.replace("|", ""), caret);
}

describe("a # in the text", () => {
  it("begins a reference at the beginning of a word", () => {
    expect(at("#|")).toEqual({ start: 0, end: 1, query: "" });
    expect(at("see #tim|")).toEqual({ start: 4, end: 8, query: "tim" });
    expect(at("see #tim| and more")).toMatchObject({ query: "tim" });
    expect(at("line\n#zeit|")).toMatchObject({ start: 5, query: "zeit" });
    expect(at("(#a|")).toMatchObject({ query: "a" });
  });

  it("is none within a word, behind a space, as a heading, or in something endless", () => {
    for (const text of ["a#b|", "# heading|", "#tim |", "##|", "## x|", "no|", "|#x", `#${"x".repeat(80)}|`])
      expect(at(text)).toBeUndefined();
  });

  it("goes when something was chosen, with one of the spaces around it", () => {
    const take = (marked: string) => withoutReference(marked.replace("|", ""), at(marked)!);
    expect(take("see #tim| now")).toEqual({ text: "see now", caret: 4 });
    expect(take("#tim|")).toEqual({ text: "", caret: 0 });
    expect(take("#tim| what?")).toEqual({ text: "what?", caret: 0 });
    expect(take("see (#tim|)")).toEqual({ text: "see ()", caret: 5 });
    expect(take("a\n#tim|\nb")).toEqual({ text: "a\n\nb", caret: 2 });
  });
});

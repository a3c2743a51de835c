import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockSplitter } from "../../../../src/ui/lib/markdown/block-splitter.ts";
import { readDefinition, takeNotes } from "../../../../src/ui/lib/markdown/footnotes.ts";

const notesOf = (text: string) =>
  takeNotes(new BlockSplitter().update(text, false)).notes.map(({ label, number, uses }) => [label, number, uses]);

test("a definition ends where something else begins", () => {
  expect(readDefinition("[^A1]: one\n[^b]: two")).toEqual({ raw: "[^A1]: one\n", label: "a1", text: "one" });
  expect(readDefinition("[^a]: one\ntwo\n\nthree")).toEqual({ raw: "[^a]: one\ntwo\n", label: "a", text: "one\ntwo" });
  expect(readDefinition("[^a]: one\n\n    two\n\nthree")?.text).toBe("one\n\ntwo");
  expect(readDefinition("[^a]: one\n# Title")?.raw).toBe("[^a]: one\n");
  for (const text of ["[^]: x", "[^a b]: x", "[^a] x", " x", `[^${"a".repeat(101)}]: x`])
    expect(readDefinition(text)).toBeUndefined();
});

test("notes are numbered by their first mention, in tables, lists and notes too; unmentioned ones come last", () => {
  expect(
    notesOf(
      "[^z]: never\n\n- item[^c]\n\n| a[^b] |\n| - |\n| x |\n\nAgain[^C], `[^z]`\n\n[^b]: see[^d]\n[^c]: c\n[^d]: d",
    ),
  ).toEqual([
    ["c", 1, 2],
    ["b", 2, 1],
    ["d", 3, 1],
    ["z", 4, 0],
  ]);
  expect(notesOf("None[^a] is defined.")).toEqual([]);
  expect(notesOf("A[^a]\n\n[^a]: first\n[^a]: second")).toEqual([["a", 1, 1]]);
});

test("a text that arrives piece by piece comes to the same as the whole", () => {
  const piece = fc.constantFrom(
    "Text[^a] more",
    "[^a]: note",
    "[^b]: other\n  indented",
    "- list[^b]",
    "\n",
    "\n\n",
    "[^",
    "]: ",
    "plain",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const splitter = new BlockSplitter();
      let text = "";
      for (const each of pieces) splitter.update((text += each), true);
      const raw = (blocks: { raw: string }[]) => blocks.map((block) => block.raw);
      expect(raw(splitter.update(text, false))).toEqual(raw(new BlockSplitter().update(text, false)));
    }),
  );
});

test("a text full of brackets takes no long time", () => {
  const begin = performance.now();
  notesOf("[^a]: x\n\n".repeat(5000) + "[^".repeat(50_000) + "\n\n".concat("word [^a] ".repeat(500)));
  // A fifth of a second; it would be minutes if each bracket was looked at from all others.
  expect(performance.now() - begin).toBeLessThan(20_000);
});

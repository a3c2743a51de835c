import fc from "fast-check";
import type { Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { type Block, BlockSplitter } from "../../../../src/ui/lib/markdown/block-splitter.ts";
import { markdown } from "../../../../src/ui/lib/markdown/parser.ts";

const pieces = [
  "A plain paragraph with **bold**, *em*, `code` and a [link](https://example.com/a_b).",
  "# Title",
  "Under\nlined\n===",
  "- one\n- two\n  - nested\n\n  second paragraph\n- three",
  "* star\n\n* loose",
  "1. first\n2. second\n\n   ```sh\n   ls -la\n   ```",
  "```ts\nconst a = 1;\n\nconst b = `x`;\n```",
  "~~~\ntilde\n~~~",
  "| a | b |\n| --- | ---: |\n| 1 | 2 |\n| 3 | 4 |",
  "| a | b |\n| --- | ---: |\n| 1 | **2** |\n| `x` | [y](https://example.com) |\n| ![p](q) | | |\n|\nends it",
  "a | b\n--- | ---\n1 | 2\n| 3 | 4\n> 5 | 6",
  "> quoted\n> more\n\n> again",
  "$$\n\\frac{a}{b}\n\n+ c\n$$",
  "Inline $x^2$ and \\(y\\), for $5 or $6.",
  "---",
  "    indented code",
  "<details><summary>More</summary>text</details>",
  "See [the list][1] or List<String>.",
  "[1]: https://example.com/one",
  "A claim[^n] and another[^m].",
  "[^n]: A note\n  that goes on.\n\n    And on.",
  "- [x] done\n- [ ] open",
  "مرحبا بالعالم",
  "-",
  "**",
];
const gaps = ["\n\n", "\n", "\n\n\n", "\r\n\r\n"];

const document = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...gaps)), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.flat().join(""));

const html = (text: string) => new BlockSplitter().update(text, false).map((block) => markdown.parser(block.tokens));

describe("splitting a growing text", () => {
  it("gives the same blocks step by step as at once, wherever the text was cut", () => {
    fc.assert(
      fc.property(document, fc.array(fc.nat(400), { maxLength: 40 }), (text, cuts) => {
        const splitter = new BlockSplitter();
        for (const cut of cuts.sort((a, b) => a - b)) splitter.update(text.slice(0, cut), true);
        const blocks = splitter.update(text, false);
        expect(blocks.map((block) => markdown.parser(block.tokens))).toEqual(html(text));
        expect(blocks.every((block) => !block.open)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  const cell = fc.constantFrom(
    "a",
    "**b**",
    "`c",
    "[d](https://example.com/)",
    "![e](f",
    "",
    "*",
    "\\|",
    "[^n]",
    "$x$",
  );
  const row = fc.array(cell, { maxLength: 4 }).map((cells) => `| ${cells.join(" | ")}`);
  const line = fc.oneof(
    { arbitrary: row, weight: 12 },
    fc.constantFrom("", "# Title", "> quoted", "- item", "a | b", "|"),
  );

  it("shows a table that grows as it is shown at once, after every step", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(12), { minLength: 1 }), (lines, steps) => {
        const text = ["Before", "", "| A | B |", "|---|---|", "| 1 | 2 |", ...lines, "", "After"].join("\n");
        const splitter = new BlockSplitter();
        for (let end = 8, step = 0; end < text.length; end += (steps[step++ % steps.length] ?? 0) + 1) {
          const shown = (blocks: Block[]) => blocks.map(({ raw, tokens }) => [raw, markdown.parser(tokens)]);
          const sofar = text.slice(0, end);
          expect(shown(splitter.update(sofar, true))).toEqual(shown(new BlockSplitter().update(sofar, true)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("lexes only the rows that are new", () => {
    const splitter = new BlockSplitter();
    const head = "| A | B |\n|---|---|\n| 1 | 2 |\n";
    const rowsOf = (blocks: Block[]) => (blocks[0]!.tokens[0] as Tokens.Table).rows;
    splitter.update(head, true);
    const before = rowsOf(splitter.update(`${head}| 3 | 4 |\n| 5 |`, true));
    const after = rowsOf(splitter.update(`${head}| 3 | 4 |\n| 5 | 6 |\n| 7`, true));
    expect(after).toHaveLength(4);
    expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, true, false]);
  });

  it("keeps finished blocks as the same objects, so that they are not rendered again", () => {
    const splitter = new BlockSplitter();
    const before = splitter.update("# One\n\nTwo\n\nThree\n\nFou", true);
    const after = splitter.update("# One\n\nTwo\n\nThree\n\nFour", true);
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(after[2]).toBe(before[2]);
    expect(after[3]).not.toBe(before[3]);
    expect(after[3]?.open).toBe(true);
  });

  it("starts over for a text that does not continue the last one", () => {
    const splitter = new BlockSplitter();
    splitter.update("One\n\nTwo\n\nThree\n\nFour", false);
    expect(splitter.update("Other", false).map((block) => block.raw)).toEqual(["Other"]);
  });

  it("resolves a reference when its definition arrives at the end", () => {
    const splitter = new BlockSplitter();
    const text = "See [it][1].\n\nTwo\n\nThree\n\nFour\n\n";
    splitter.update(text, true);
    const blocks = splitter.update(`${text}[1]: https://example.com/\n`, false);
    expect(markdown.parser(blocks[0]?.tokens ?? [])).toContain('href="https://example.com/"');
  });

  it("looks at the end only: the thousandth step costs no more than the tenth", () => {
    const splitter = new BlockSplitter();
    const paragraph = "Some words of an ordinary sentence, and a few more of them.\n\n";
    let text = "";
    let same = 0;
    let previous: unknown[] = [];
    for (let step = 0; step < 1000; step++) {
      text += paragraph;
      const blocks = splitter.update(text, true);
      same = blocks.filter((block, index) => block === previous[index]).length;
      previous = blocks;
    }
    expect(same).toBeGreaterThanOrEqual(998);
  });

  it("shows the ends of lines only where that is asked for", () => {
    const kinds = (options: { breaks: boolean }): string[] =>
      new BlockSplitter(options)
        .update("one\ntwo", false)
        .flatMap(({ tokens }) =>
          tokens.flatMap((token) => ("tokens" in token ? (token.tokens ?? []) : []).map(({ type }) => type)),
        );
    expect(kinds({ breaks: true })).toEqual(["text", "br", "text"]);
    expect(kinds({ breaks: false })).toEqual(["text"]);
  });
});

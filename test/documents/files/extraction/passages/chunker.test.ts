import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { describe, expect, test } from "vitest";
import type { Passage } from "../../../../../src/documents/files/extraction/extractor.ts";
import { Chunker } from "../../../../../workers/extractor/passages/chunker.ts";
import { estimateTokens } from "../../../../../workers/extractor/passages/estimate-tokens.ts";
import { cpuTime } from "../../../../cpu-time.ts";

interface Options {
  size?: number;
  overlap?: number;
  isMarkdown?: boolean;
  /** Lengths of the pieces that the text comes in, in turn; they never end within a character. */
  pieces?: readonly number[];
}

function cut(text: string, { size = 200, overlap = 0, isMarkdown = true, pieces = [text.length || 1] }: Options = {}) {
  const chunker = new Chunker({ size, overlap }, isMarkdown);
  const passages: Passage[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    let end = at + pieces[turn % pieces.length]!;
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end++;
    passages.push(...chunker.push(text.slice(at, end), null, null));
    at = end;
  }
  return [...passages, ...chunker.end()];
}

const sentences = (count: number, word = "Word") =>
  Array.from({ length: count }, (_, at) => `${word} number ${at} stands in a sentence of its own.`).join(" ");

describe("where texts are cut", () => {
  test("sections with enough text are passages of their own, below their headings", () => {
    const text = `# Guide\n\n## First\n\n${sentences(3)}\n\n## Second\n\n${sentences(3)}\n\n### Inner\n\n${sentences(3)}\n`;
    const passages = cut(text, { size: 400 });
    expect(passages.map(({ headings }) => headings)).toEqual([
      ["Guide", "First"],
      ["Guide", "Second"],
      ["Guide", "Second", "Inner"],
    ]);
    expect(passages[1]!.text).toMatch(/^## Second\n\nWord number 0/);
  });

  test("short sections of one subject go together, those of another do not", () => {
    const text = "# Terms\n\n## A\n\nShort.\n\n## B\n\nShort too.\n\n# Other\n\nElse.\n";
    expect(
      cut(text, { size: 400 }).map(({ headings, text: words }) => [headings, words.includes("Short too.")]),
    ).toEqual([
      [["Terms"], true],
      [["Other"], false],
    ]);
  });

  test("headings are those of Markdown: not in code, not without a blank, also underlined", () => {
    const text = `Top\n===\n\n\`\`\`sh\n# no heading\n\`\`\`\n\n#hashtag ${sentences(4)}\n\nSub\n---\n\n${sentences(4)}\n`;
    expect(new Set(cut(text).map(({ headings }) => headings.join(" > ")))).toEqual(new Set(["Top", "Top > Sub"]));
  });

  test("headings lose their marks, and lines of code are none", () => {
    expect(cut("# **Bold** [link](http://x) `code` ##\n\ntext")[0]!.headings).toEqual(["Bold link code"]);
    expect(cut(`# comment\n${sentences(5)}`, { isMarkdown: false }).flatMap(({ headings }) => headings)).toEqual([]);
  });

  test("paragraphs stay whole where they fit, and sentences where paragraphs do not", () => {
    const paragraphs = [sentences(2, "One"), sentences(2, "Two"), sentences(2, "Three")];
    const texts = cut(paragraphs.join("\n\n"), { size: 220 }).map(({ text }) => text);
    expect(texts).toEqual([`${paragraphs[0]}\n\n${paragraphs[1]}`, paragraphs[2]]);
    for (const { text } of cut(sentences(40), { size: 300 })) expect(text).toMatch(/^Word number .* own\.$/);
  });

  test("a passage repeats the last whole sentences of the one before it", () => {
    const passages = cut(sentences(20), { size: 300, overlap: 60 });
    for (const [at, { start, text }] of passages.slice(1).entries()) {
      const before = passages[at]!;
      expect(before.end - start).toBeGreaterThan(30);
      expect(before.end - start).toBeLessThanOrEqual(60);
      expect(text).toMatch(/^Word number/);
    }
  });

  test("blank lines after what is repeated make no passage of their own", () => {
    const passages = cut(`${"日本語。".repeat(30)}\n`, { size: 24, overlap: 8, isMarkdown: false });
    expect(passages.filter(({ end }, at) => end === passages[at - 1]?.end)).toEqual([]);
  });

  test("nothing of one section is repeated in the next", () => {
    const text = `# A\n\n${sentences(6, "Apple")}\n\n# B\n\n${sentences(6, "Berry")}\n`;
    for (const passage of cut(text, { size: 200, overlap: 80 }).filter(({ headings }) => headings[0] === "B"))
      expect(passage.text).not.toContain("Apple");
  });

  test("rows of a table come with its header, which is not part of where they stand", () => {
    const rows = Array.from({ length: 30 }, (_, at) => `| row ${at} | value ${at} |`);
    const text = `Before.\n\n| name | value |\n| --- | ---: |\n${rows.join("\n")}\n\nAfter.\n`;
    const passages = cut(text);
    expect(passages.length).toBeGreaterThan(3);
    for (const passage of passages.filter((each) => each.text.includes("| row"))) {
      expect(passage.text).toContain("| name | value |\n| --- | ---: |\n| row");
      expect(passage.text.match(/\| name/g)).toHaveLength(1);
      expect(passage.text.endsWith(text.slice(passage.start, passage.end))).toBe(true);
    }
    for (const row of rows) expect(passages.filter(({ text: words }) => words.includes(`${row}`))).toHaveLength(1);
  });

  test("a header that is larger than a passage is not repeated", () => {
    const header = `| ${"column | ".repeat(60)}\n|${" --- |".repeat(60)}\n`;
    const passages = cut(`${header}${`| ${"cell | ".repeat(60)}\n`.repeat(10)}`);
    for (const { text } of passages) expect(text.length).toBeLessThan(500);
  });
});

describe("pages", () => {
  const pages = (parts: [string, number | null, string | null][], overlap = 0) => {
    const chunker = new Chunker({ size: 300, overlap });
    return [...parts.flatMap((part) => chunker.push(...part)), ...chunker.end()];
  };

  test("no passage lies on two of them", () => {
    const passages = pages([
      ["# Title\n\nOn one.\n\n", 1, null],
      ["On two.\n", 2, "ii"],
    ]);
    expect(passages.map(({ page, label, headings, text }) => [page, label, headings, text])).toEqual([
      [1, null, ["Title"], "# Title\n\nOn one."],
      [2, "ii", ["Title"], "On two."],
    ]);
  });

  test("a sentence that goes on over the page can be found as a whole", () => {
    const [first, second] = pages(
      [
        ["The contract ends", 1, null],
        [" in May.", 2, null],
      ],
      60,
    );
    expect([first!.page, second!.page]).toEqual([1, 2]);
    expect(second!.text).toBe("The contract ends in May.");
    expect([second!.start, second!.end]).toEqual([0, 25]);
    const [, other] = pages(
      [
        ["The contract ends. ", 1, null],
        ["In May.", 2, null],
      ],
      60,
    );
    expect(other!.text).toBe("In May.");
  });

  test("names of sheets and attachments stand above their headings, which end with them", () => {
    const passages = pages([
      ["## Sum\n\nOne.\n", null, "Sales"],
      ["Two.\n", null, "Stock"],
    ]);
    expect(passages.map(({ headings }) => headings)).toEqual([["Sales", "Sum"], ["Stock"]]);
  });
});

describe("whatever the text", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc.constantFrom(
      "",
      "# H",
      "## H2",
      "Title\n===",
      "```",
      "| a | b |",
      "| --- | --- |",
      "---",
      "   ",
      "日本語。".repeat(30),
      "x".repeat(700),
      "😀".repeat(90),
    ),
    fc.lorem({ mode: "sentences", maxCount: 8 }),
  );
  const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join("\n"));
  const options = fc.record({
    size: fc.integer({ min: 20, max: 400 }),
    overlap: fc.integer({ min: 0, max: 400 }),
    isMarkdown: fc.boolean(),
  });

  test("passages stand where they say, in order, and leave nothing out", () => {
    fc.assert(
      fc.property(text, options, (words, given) => {
        const passages = cut(words, given);
        const isCovered = new Uint8Array(words.length);
        let before = { start: -1, end: -1 };
        for (const { text: found, start, end } of passages) {
          const own = words.slice(start, end);
          expect(found.endsWith(own)).toBe(true);
          expect(own).toBe(own.trim());
          expect(own).not.toBe("");
          // Never within a character.
          expect(own.isWellFormed() || !words.isWellFormed()).toBe(true);
          expect(start).toBeGreaterThanOrEqual(before.start);
          expect(end).toBeGreaterThan(before.end);
          isCovered.fill(1, start, end);
          before = { start, end };
        }
        const left = Array.from({ length: words.length }, (_, at) => (isCovered[at] ? "" : words[at]));
        expect(left.join("").trim()).toBe("");
      }),
    );
  });

  test("passages are no longer than they may be, with what is repeated before them", () => {
    fc.assert(
      fc.property(text, options, (words, given) => {
        for (const { start, end, text: found } of cut(words, given)) {
          expect(end - start).toBeLessThanOrEqual(given.size);
          expect(found.length).toBeLessThanOrEqual(given.size * 2);
        }
      }),
    );
  });

  test("they are the same however the text comes", () => {
    fc.assert(
      fc.property(
        text,
        options,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
        (words, given, pieces) => {
          expect(cut(words, { ...given, pieces })).toEqual(cut(words, given));
        },
      ),
    );
  });
});

test.each([
  ["blank lines", "\n"],
  ["headings", "# a\n"],
  ["single letters", "a\n\n"],
  ["full stops", ". "],
  ["headers of tables", "| a | b |\n|---|---|\n"],
  ["fences", "```\n"],
  ["underlines", "a\n=\n"],
  ["one word", "x"],
  ["characters of two units", "😀"],
])("much text of %s is read in a time that grows with it alone", (_, part) => {
  const timeOf = (length: number) => {
    const text = part.repeat(length / part.length);
    let written = 0;
    const ms = cpuTime(() => {
      const passages = cut(text, { size: 1000, overlap: 100, pieces: [32_768] });
      written = passages.reduce((sum, passage) => sum + passage.text.length, 0);
    });
    return { ms, written };
  };
  timeOf(100_000);
  const [small, large] = [timeOf(200_000), timeOf(1_600_000)];
  // Eight times the text; sixty-four times the time if it were quadratic.
  expect(large.ms).toBeLessThan(Math.max(small.ms, 5) * 40);
  expect(large.written).toBeLessThan(1_600_000 * 1.6);
});

test.each([
  ["English", "The quick brown fox jumps over the lazy dog, and nobody minded at all. ".repeat(20)],
  ["German", "Die Geschäftsführerin unterschreibt die Vereinbarungen über Lieferungen nach Österreich. ".repeat(20)],
  ["Japanese", "契約は署名の日に発効する。両当事者は条件を秘密にする。".repeat(20)],
  [
    "code",
    'export function cut(text: string): string[] { return text.split("\\n").map((line) => line.trim()); }\n'.repeat(20),
  ],
  ["tables", "| Kraków | 3 | 12.50 |\n".repeat(40)],
])("tokens of %s are about those of a slower estimate", (_, text) => {
  const ratio = estimateTokens(text) / estimateTokenCount(text);
  expect(ratio).toBeGreaterThan(0.65);
  expect(ratio).toBeLessThan(1.5);
});

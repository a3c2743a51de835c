import fc from "fast-check";
import type { Token, Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { BlockSplitter } from "../../../../src/ui/lib/markdown/block-splitter.ts";
import { BoundedLexer, maxDepth, maxInlineLength, maxWork } from "../../../../src/ui/lib/markdown/bounded-lexer.ts";
import { markdown } from "../../../../src/ui/lib/markdown/parser.ts";

function lex(text: string) {
  const lexer = new BoundedLexer({ ...markdown.defaults });
  const tokens = lexer.lex(text);
  return { lexer, tokens, html: markdown.parser(tokens) };
}

/** What can be read, without markup. */
const readable = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<");

function depthOf(tokens: readonly Token[]): number {
  const below = tokens.map((token) => {
    const { tokens: own = [], items = [] } = token as Partial<Tokens.List> & { tokens?: Token[] };
    return 1 + Math.max(depthOf(own), depthOf(items));
  });
  return Math.max(0, ...below);
}

const filled = (unit: string, length = 64_000) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const hostile: Record<string, string> = {
  "quotes in quotes with a line after them": `${">".repeat(2000)}\n\\`,
  "quotes and lists in turn": `${"> - ".repeat(1000)}\nlazy`,
  "quotes in quotes": ">".repeat(2000),
  "lists in lists": filled("- "),
  "ever deeper lists": Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}- a`).join("\n"),
  emphasis: filled("_a_b"),
  "an address without an end": `${filled("a.a")}@`,
  "open tags": filled("<"),
  brackets: filled("["),
  "links in links": filled("[a]("),
  "a paragraph of emphasis": filled("*a **b ", maxInlineLength),
  "many paragraphs of emphasis": filled(`${filled("_a_b", maxInlineLength - 2)}\n\n`, 400_000),
  formulas: filled("\\("),
  "paragraphs before a formula": `${filled("a\n\n")}$$`,
  headings: filled("a\n=\n"),
  "a huge table": `|${"a|".repeat(5000)}\n|${"-|".repeat(5000)}\n${"|\n".repeat(10_000)}`,
  "tables in rows": filled("|-|\n"),
};

describe("a hostile text", () => {
  it.each(Object.entries(hostile))("of %s is shown, with bounded work and depth", (_, text) => {
    const { lexer, tokens, html } = lex(text);
    expect(lexer.work).toBeLessThanOrEqual(maxWork.text + maxWork.paragraph + maxInlineLength);
    expect(depthOf(tokens)).toBeLessThanOrEqual(4 * maxDepth);
    expect(html.length).toBeGreaterThan(0);
  });

  it("that nests too deep keeps its words", () => {
    const { html } = lex(`${"> ".repeat(100)}the words`);
    expect(readable(html)).toContain("the words");
    expect(html.match(/<blockquote>/g)).toHaveLength(maxDepth);
  });

  it("in one paragraph leaves the others as they are", () => {
    const { html } = lex(`**before**\n\n${filled("_a_b")}\n\n**after**`);
    expect(html).toContain("<strong>before</strong>");
    expect(html).toContain("<strong>after</strong>");
    expect(html).not.toContain("<em>");
  });

  it("becomes a listing where it would be a table of millions of cells", () => {
    const { tokens } = lex(hostile["a huge table"]!);
    expect(tokens.map(({ type }) => type)).toEqual(["code"]);
  });

  it("is bounded whatever it is made of", () => {
    const unit = fc.constantFrom(
      ..."><[](){}*_`~!|#-+=.:@&\\$ \n\ta1".split(""),
      "[^a]:",
      "www.",
      "http://",
      "<b>",
      "\n\n",
      "    ",
    );
    const motif = fc.array(unit, { minLength: 1, maxLength: 6 }).map((units) => units.join(""));
    const text = fc.tuple(motif, fc.nat(3000), motif).map(([many, count, end]) => many.repeat(count) + end);
    fc.assert(
      fc.property(text, (text) => {
        const { lexer, tokens } = lex(text);
        expect(lexer.work).toBeLessThanOrEqual(maxWork.text + maxWork.paragraph + maxInlineLength);
        expect(depthOf(tokens)).toBeLessThanOrEqual(4 * maxDepth);
      }),
      { numRuns: 300 },
    );
  });
});

it("formulas are found where they begin, also after many paragraphs and inside quotes", () => {
  const { tokens } = lex("a\n\nb $$ c\n\n> q\n>\n> $$x$$\n\nd\n$$y$$\n\ne");
  const types = (list: readonly Token[]): unknown[] =>
    list
      .filter(({ type }) => type !== "space")
      .map((token) => [token.type, ...(token.type === "blockquote" ? types(token.tokens ?? []) : [])]);
  expect(types(tokens)).toEqual([
    ["paragraph"],
    ["paragraph"],
    ["blockquote", ["paragraph"], ["mathBlock"]],
    ["paragraph"],
    ["mathBlock"],
    ["paragraph"],
  ]);
});

it("a growing hostile text is split at every step", () => {
  const splitter = new BlockSplitter();
  const text = `first\n\n${">".repeat(2000)}`;
  for (let end = 1; end <= text.length; end += 37) splitter.update(text.slice(0, end), true);
  expect(splitter.update(text, false).map(({ raw }) => raw)).toEqual(["first", ">".repeat(2000)]);
});

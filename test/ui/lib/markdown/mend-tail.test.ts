import { describe, expect, it } from "vitest";
import { mendTail } from "../../../../src/ui/lib/markdown/mend-tail.ts";

describe("the unfinished end of a block", () => {
  it.each([
    ["so **bold", "so **bold**"],
    ["so **bold words", "so **bold words**"],
    ["so **", "so "],
    ["so *", "so "],
    ["so *it", "so *it*"],
    ["so **a *b", "so **a *b***"],
    ["so **bold** and", "so **bold** and"],
    ["run `npm", "run `npm`"],
    ["run `", "run "],
    ["run `a` and `b", "run `a` and `b`"],
    ["a ~~gone", "a ~~gone~~"],
    ["2 * 3", "2 * 3"],
    ["`**` is bold", "`**` is bold"],
    ["snake_case_name", "snake_case_name"],
    ["* item *em", "* item *em*"],
    ["* item", "* item"],
    ["word **bold ", "word **bold** "],
  ])("closes emphasis and code in %j", (raw, expected) => {
    expect(mendTail(raw)).toBe(expected);
  });

  it.each([
    ["see [the docs](https://exa", "see the docs"],
    ["see [the docs](", "see the docs"],
    ["see [the do", "see the do"],
    ["see [the docs](https://example.com)", "see [the docs](https://example.com)"],
    ["look ![a cat](https://exa", "look "],
    ["look ![a c", "look "],
    ["- [ ", "- [ "],
    ["- [x] done", "- [x] done"],
    ["an \\[escaped", "an \\[escaped"],
    ["`a[0` is", "`a[0` is"],
  ])("shows the text of an unfinished link in %j", (raw, expected) => {
    expect(mendTail(raw)).toBe(expected);
  });

  it.each([
    ["Items:\n-", "Items:\n"],
    ["Items:\n--", "Items:\n"],
    ["Items:\n- one\n-", "Items:\n- one\n"],
    ["#", ""],
    ["##", ""],
    ["text\n1.", "text\n"],
    ["- a\n  -", "- a\n  "],
    [">", ""],
    ["line\n`", "line\n"],
    ["a <b", "a "],
    ["1 < 2", "1 < 2"],
  ])("holds back the lone marker in %j", (raw, expected) => {
    expect(mendTail(raw)).toBe(expected);
  });

  it.each([
    ["| a | b |", "| a | b |\n| --- | --- |"],
    ["|", ""],
    ["| a | b", "| a | b |\n| --- | --- |"],
    ["| a | b |\n|", "| a | b |\n| --- | --- |"],
    ["| a | b |\n| --- | -", "| a | b |\n| --- | --- |"],
    ["| a | b |\n| --- | --- |\n| 1", "| a | b |\n| --- | --- |\n| 1"],
    ["| a |\ntext", "| a |\ntext"],
  ])("shows a table from its header on: %j", (raw, expected) => {
    expect(mendTail(raw)).toBe(expected);
  });

  it("keeps code as it is and hides only its closing fence while that arrives", () => {
    expect(mendTail("```ts\nconst a = `x`;\n**")).toBe("```ts\nconst a = `x`;\n**");
    expect(mendTail("```ts\nlet a\n``")).toBe("```ts\nlet a\n");
    expect(mendTail("```ts")).toBe("```ts\n");
  });
});

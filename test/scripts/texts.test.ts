import { expect, test } from "vitest";
import { collectServiceTexts, textsOfSvelte, textsOfTypeScript } from "../../scripts/texts/collect-texts.ts";

/** Words and turns that readers stop at; each has a plain one: "everyone who", "again", "spaces", "is not a", "No such". */
const decoded = [
  /\bwhoever\b/i,
  /\banew\b/i,
  /\b(is|are|has|have) to be\b/i,
  /\b(gives?|comes?|brings?|brought) along\b/i,
  /\bof (theirs|hers|one's own)\b/i,
  /\bone's\b/i,
  /\bnobody's\b/i,
  /\bthe peer\b/i,
  /\bblanks?\b/i,
  /\b(is|are) no (?!longer\b)\p{L}/iu,
  /\b(address|name|this|it) is none\b/i,
  /\bthe log knows\b/i,
  /\bwhat is (named|kept|told) of\b/i,
];

/** The guide is written and tested as documentation; prompts speak to models. */
const elsewhere = /\/guide\/|\/write-queries\.ts$/;

test("errors, API descriptions and logs are written in plain words", () => {
  const texts = collectServiceTexts().filter(({ file }) => !elsewhere.test(file));
  expect(texts.length).toBeGreaterThan(2000);
  const found = texts.filter(({ text }) => decoded.some((pattern) => pattern.test(text)));
  expect(found.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
});

test.each([
  ['new AppError("bad_request", "Gone")', ["Gone"]],
  ["throw new Error(`No such file: ${name}`)", ["No such file: {name}"]],
  ['throw new Error("The body is " + size + " bytes")', ["The body is {size} bytes"]],
  ['const route = { summary: "Chats", operationId: "listChats" }', ["Chats"]],
  ['import x from "a file"', []],
  ["sql`select this from that`", []],
])("finds what people read in %s", (source, expected) => {
  expect(textsOfTypeScript("some.ts", source).map(({ text }) => text)).toEqual(expected);
});

test("finds texts, attributes and literals of a component, with their lines", () => {
  const source = `<script lang="ts">
  const greeting = "Good morning";
</script>
<button aria-label="Close" class="icon close">Save {open ? "all of it" : "this"} now</button>
<style>
  .icon { color: red; }
</style>`;
  expect(textsOfSvelte("Some.svelte", source).map(({ line, text }) => [line, text])).toEqual([
    [2, "Good morning"],
    [4, "Close"],
    [4, "Save"],
    [4, "all of it"],
    [4, "now"],
  ]);
});

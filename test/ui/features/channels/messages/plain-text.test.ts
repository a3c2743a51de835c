import { expect, test } from "vitest";
import { plainText } from "../../../../../src/ui/features/channels/messages/plain-text.ts";

test.each([
  ["Does the *Sunday* ferry **run**?", "Does the Sunday ferry run?"],
  ["one\n\n  two", "one two"],
  ["<@U:u1|Bo Ek> and <@M:gpt|@GPT>, see <#C:c1|quay>", "@Bo Ek and @GPT, see #quay"],
  ["<@U:u1>", "@u1"],
  ["```js\nlet a = 1;\n```", "let a = 1;"],
  ["# Title\n> said\n- item", "Title said item"],
  ["[the list](https://example.com/a_b) and ![a *crane*](/x.png)", "the list and a crane"],
  ["2 * 3 * 4 = 24, and a < b", "2 * 3 * 4 = 24, and a < b"],
  ["   ", ""],
])("%j is read as %j", (content, plain) => {
  expect(plainText(content)).toBe(plain);
});

test("what is long is cut before it is read", () => {
  expect(plainText("*a".repeat(100_000)).length).toBeLessThanOrEqual(400);
});

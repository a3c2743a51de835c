import { describe, expect, test } from "vitest";
import { readAnswer } from "../../../src/shared/moving-in/open-webui/answer-items.ts";
import { translateMessage } from "../../../src/shared/moving-in/open-webui/message.ts";
import { splitText } from "../../../src/shared/moving-in/split-text.ts";

describe("an answer", () => {
  test("with reasoning and calls in its text has them beside it", () => {
    const content = [
      '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n&gt; I look\n&gt; at 2 &lt; 3\n</details>',
      "Let me look.",
      '<details type="tool_calls" done="true" id="call_1" name="weather" arguments="&quot;{\\&quot;city\\&quot;: \\&quot;Oslo\\&quot;}&quot;" result="&quot;Sunny &amp;amp; warm&quot;" files="">\n<summary>Tool Executed</summary>\n</details>',
      "It is sunny.",
    ].join("\n");
    expect(readAnswer(content, undefined, 7)).toEqual({
      text: "Let me look.\n\nIt is sunny.",
      reasoning: "I look\nat 2 < 3",
      reasoningSeconds: 3,
      tools: [
        {
          call_id: "call_1",
          name: "weather",
          title: "weather",
          source: null,
          arguments: '{"city": "Oslo"}',
          state: "done",
          result: "Sunny &amp; warm",
          at: 13,
          round: 0,
          started_at: 7,
          ended_at: 7,
        },
      ],
      files: [],
    });
  });

  test("with items has what they say of its calls", () => {
    const output = [
      { type: "reasoning", content: [{ type: "output_text", text: "Hm" }], duration: 4 },
      { type: "message", content: [{ type: "output_text", text: "Let me look." }] },
      { type: "function_call", call_id: "x", name: "weather", arguments: '{"city":"Oslo"}' },
      { type: "function_call", call_id: "y", name: "tides", arguments: "{}" },
      { type: "function_call_output", call_id: "x", output: [{ type: "input_text", text: "Sunny" }] },
      { type: "message", content: [{ type: "output_text", text: "It is sunny." }] },
    ];
    const answer = readAnswer("Let me look.\n\nIt is sunny.", output, 7);
    expect(answer).toMatchObject({ text: "Let me look.\n\nIt is sunny.", reasoning: "Hm", reasoningSeconds: 4 });
    expect(answer.tools).toMatchObject([
      { call_id: "x", result: "Sunny", at: 12, round: 0, state: "done" },
      { call_id: "y", at: 12, round: 0, state: "error", error: "The call was interrupted" },
    ]);
    expect(readAnswer("", output, 7).text).toBe("Let me look.\n\nIt is sunny.");
  });

  test("with other details, or with some that do not end, stays as it is", () => {
    for (const text of [
      "<details><summary>More</summary>x</details>",
      "a <details",
      '<details type="reasoning">never closed',
      "<details ".repeat(50_000),
    ])
      expect(readAnswer(text, [], 0)).toMatchObject({ text, reasoning: "", tools: [] });
  });

  test("keeps code that ran, with what it printed", () => {
    const { text } = readAnswer(
      '<details type="code_interpreter" done="true" output="{&quot;stdout&quot;: &quot;42&quot;}">\n<summary>Analyzed</summary>\n```python\nprint(42)\n```\n</details>',
      null,
      0,
    );
    expect(text).toBe("<details>\n<summary>Code</summary>\n\n```python\nprint(42)\n```\n\n```\n42\n```\n\n</details>");
  });
});

test("a text is divided at the ends of sentences, else between words, else anywhere but within a character", () => {
  expect(splitText("One two. Three four. Five", 12)).toEqual(["One two.", "Three four.", "Five"]);
  expect(splitText("aaa bbb ccc", 7)).toEqual(["aaa bbb", "ccc"]);
  expect(splitText("⛵".repeat(5) + "👍👍", 6)).toEqual(["⛵⛵⛵⛵⛵", "👍👍"]);
  expect(splitText("  ", 5)).toEqual([]);
});

test.each([
  [null, ""],
  [undefined, ""],
  [[], ""],
  [7, "7"],
  ["x", "x"],
])("a message whose content is %j says %j", (content, expected) => {
  for (const role of ["user", "assistant"])
    expect(translateMessage({ role, content }, { cut: 0 })).toMatchObject({ content: expected });
});

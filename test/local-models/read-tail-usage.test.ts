import { describe, expect, test } from "vitest";
import { readTailUsage } from "../../src/local-models/read-tail-usage.ts";

const none = { cached: 0, cacheWrite: 0, reasoning: 0 };

describe("what the end of an answer says of tokens", () => {
  test.each([
    [
      "the runtime's last line",
      '{"message":{"content":"x"},"done":false}\n{"done":true,"context":[1,2],"prompt_eval_count":26,"eval_duration":7,"eval_count":8}\n',
      { input: 26, output: 8 },
    ],
    [
      "the end of a line whose beginning is long gone",
      '4,5,6],"total_duration":5,"prompt_eval_count":26,"eval_count":8}\n',
      { input: 26, output: 8 },
    ],
    ["vectors", '{"embeddings":[[0.1]],"prompt_eval_count":5}', { input: 5, output: 0 }],
    [
      "OpenAI's last event",
      'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}\n\ndata: [DONE]\n\n',
      { input: 3, output: 4 },
    ],
    [
      "the last of several",
      '"usage":{"prompt_tokens":1}\n"usage":{"prompt_tokens":3,"completion_tokens":4}',
      { input: 3, output: 4 },
    ],
    [
      "nothing where the model says it",
      '{"content":"\\"prompt_eval_count\\": 900, \\"usage\\": {\\"prompt_tokens\\": 900}"}',
      undefined,
    ],
    ["nothing", "", undefined],
    ["nothing where it is cut", '"usage":{"prompt_tokens":3,', undefined],
  ])("%s", (_, tail, expected) => {
    const usage = readTailUsage(tail);
    expect(usage).toEqual(expected && { ...none, ...expected, total: expected.input + expected.output });
  });

  test("inside of other things", () => {
    const said = { input_tokens: 9, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1, note: '}"' } };
    const tail = `data: ${JSON.stringify({ type: "response.completed", response: { usage: said, tools: [] } })}\n\n`;
    expect(readTailUsage(tail)).toMatchObject({ input: 9, output: 2, reasoning: 1 });
  });
});

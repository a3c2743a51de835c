import { expect, test } from "vitest";
import { readTokenCounts } from "../../../../../src/ui/features/chat/answer/token-counts.ts";

test.each([
  [
    { prompt_tokens: 19, completion_tokens: 7, total_tokens: 26 },
    { input: 19, output: 7, total: 26 },
  ],
  [
    { prompt_tokens: 3, completion_tokens: 4 },
    { input: 3, output: 4, total: 7 },
  ],
  [
    {
      prompt_tokens: 30,
      completion_tokens: 20,
      total_tokens: 50,
      prompt_tokens_details: { cached_tokens: 12 },
      completion_tokens_details: { reasoning_tokens: 9 },
    },
    { input: 30, output: 20, total: 50, cached: 12, reasoning: 9 },
  ],
  // Several calls of the model: the sums count, not the last call.
  [
    { prompt_tokens: 5, completion_tokens: 5, input_tokens: 50, output_tokens: 15, total_tokens: 65 },
    { input: 50, output: 15, total: 65 },
  ],
  [{ total_tokens: 8 }, { total: 8 }],
])("%j is counted", (usage, counts) => {
  const none = { input: undefined, output: undefined, cached: undefined, reasoning: undefined };
  expect(readTokenCounts(usage)).toEqual({ ...none, ...counts });
});

test.each([
  null,
  undefined,
  "12",
  [],
  {},
  { prompt_tokens: "3" },
  { prompt_tokens: -1 },
  { prompt_tokens: Number.NaN },
])("%j is no count", (usage) => {
  expect(readTokenCounts(usage)).toBeUndefined();
});

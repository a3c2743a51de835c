import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateText, estimateUsage } from "../../src/usage/estimate-tokens.ts";
import { readUsage, type TokenUsage } from "../../src/usage/read-usage.ts";

const nothing: TokenUsage = { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, total: 0 };

describe("what providers say of tokens is read as one", () => {
  test.each<[name: string, said: unknown, read: Partial<TokenUsage>]>([
    [
      "OpenAI's, with its details",
      {
        prompt_tokens: 100,
        completion_tokens: 40,
        total_tokens: 140,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
      { input: 100, cached: 64, output: 40, reasoning: 30, total: 140 },
    ],
    [
      "DeepSeek's cache",
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
      { input: 10, cached: 8, output: 2, total: 12 },
    ],
    [
      "a total that holds reasoning which the output does not",
      { prompt_tokens: 7, completion_tokens: 19, total_tokens: 48 },
      { input: 7, output: 19, total: 48 },
    ],
    [
      "a prompt that holds what Messages' fields say of the cache",
      {
        prompt_tokens: 100,
        completion_tokens: 4,
        total_tokens: 104,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 10,
      },
      { input: 100, cached: 60, cacheWrite: 10, output: 4, total: 104 },
    ],
    [
      "the same said twice",
      { prompt_tokens: 100, cache_read_input_tokens: 60, prompt_tokens_details: { cached_tokens: 60 } },
      { input: 100, cached: 60, total: 100 },
    ],
    [
      "a prompt without its cache, which is larger",
      { prompt_tokens: 5, completion_tokens: 7, cache_read_input_tokens: 90, cache_creation_input_tokens: 20 },
      { input: 115, cached: 90, cacheWrite: 20, output: 7, total: 122 },
    ],
    ["a completion alone", { completion_tokens: 3 }, { output: 3, total: 3 }],
    ["embeddings'", { prompt_tokens: 8, total_tokens: 8 }, { input: 8, total: 8 }],
    ["a total alone", { total_tokens: 8 }, { input: 8, total: 8 }],
    [
      "Messages', whose cached tokens stand beside the input",
      { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 20, output_tokens: 7 },
      { input: 115, cached: 90, cacheWrite: 20, output: 7, total: 122 },
    ],
    [
      "Messages', with nulls",
      { input_tokens: 5, cache_read_input_tokens: null, cache_creation_input_tokens: null, output_tokens: 7 },
      { input: 5, output: 7, total: 12 },
    ],
    [
      "Responses'",
      {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 150,
      },
      { input: 100, cached: 60, output: 50, reasoning: 20, total: 150 },
    ],
    [
      "a local runtime's last line",
      { model: "llama", done: true, prompt_eval_count: 26, eval_count: 298, total_duration: 5e9 },
      { input: 26, output: 298, total: 324 },
    ],
    [
      "llama.cpp's timings",
      { timings: { cache_n: 10, prompt_n: 4, predicted_n: 6, predicted_ms: 80 } },
      { input: 14, cached: 10, output: 6, total: 20 },
    ],
    [
      "a whole completion around it",
      { id: "x", choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      { input: 1, output: 2, total: 3 },
    ],
    [
      "an event of Responses",
      { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: 2 } } },
      { input: 1, output: 2, total: 3 },
    ],
    [
      "message_start",
      { type: "message_start", message: { usage: { input_tokens: 9, output_tokens: 1 } } },
      { input: 9, output: 1, total: 10 },
    ],
    [
      "parts that are more than the whole",
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 1,
        prompt_tokens_details: { cached_tokens: 99 },
        completion_tokens_details: { reasoning_tokens: 99 },
      },
      { input: 10, cached: 10, output: 5, reasoning: 5, total: 15 },
    ],
    ["negative and huge numbers", { prompt_tokens: -5, completion_tokens: 1e300 }, { output: 1e9, total: 1e9 }],
  ])("%s", (_, said, read) => {
    expect(readUsage(said)).toEqual({ ...nothing, ...read });
  });

  test.each([undefined, null, 7, "prompt_tokens", [], {}, { usage: null }, { prompt_tokens: "7" }, { timings: {} }])(
    "nothing in %j",
    (said) => {
      expect(readUsage(said)).toBeUndefined();
    },
  );

  test("and never in numbers that do not go together, whatever is said", () => {
    const value = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.constant(null),
      fc.string(),
      fc.dictionary(fc.string(), fc.double()),
    );
    const name = fc.constantFrom(
      "prompt_tokens",
      "completion_tokens",
      "total_tokens",
      "input_tokens",
      "output_tokens",
      "cache_read_input_tokens",
      "prompt_tokens_details",
      "completion_tokens_details",
      "eval_count",
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (said) => {
        const { input, cached, cacheWrite, output, reasoning, total } = readUsage(said) ?? nothing;
        expect([input, cached, cacheWrite, output, reasoning, total].every(Number.isSafeInteger)).toBe(true);
        expect(cached + cacheWrite).toBeLessThanOrEqual(input);
        expect(reasoning).toBeLessThanOrEqual(output);
        expect(total).toBeGreaterThanOrEqual(input + output);
      }),
    );
  });
});

describe("where nothing is said", () => {
  test("texts are estimated, and what stands around them is not", () => {
    const words = "The last ferry leaves at a quarter to ten. ".repeat(20);
    const plain = estimateUsage({ messages: [{ role: "user", content: words }] }, words);
    expect(plain).toMatchObject({ isEstimated: true, output: estimateText(words) });
    expect(plain.input - plain.output).toBeLessThan(10);
    const parts = estimateUsage({ messages: [{ role: "user", content: [{ type: "text", text: words }] }] }, "");
    expect(Math.abs(parts.input - plain.input)).toBeLessThan(5);
  });

  test("a picture counts as one, not by its letters", () => {
    const url = `data:image/png;base64,${"A".repeat(500_000)}`;
    const openAi = { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] };
    const source = { type: "base64", media_type: "image/png", data: "A".repeat(500_000) };
    const messages = { messages: [{ role: "user", content: [{ type: "image", source }] }] };
    for (const request of [openAi, messages]) {
      expect(estimateUsage(request, "").input).toBeGreaterThan(500);
      expect(estimateUsage(request, "").input).toBeLessThan(2000);
    }
  });

  test("tokens by their numbers are counted", () => {
    expect(estimateUsage([[1, 2, 3], [4]], "").input).toBe(4);
  });

  test("a long text takes no longer than a short one, and comes to as much as it is long", () => {
    const words = "Ships, harbours and tides of the northern sea. ".repeat(400);
    const short = estimateText(words);
    expect(estimateText(words.repeat(100)) / short).toBeGreaterThan(90);
    expect(estimateText(words.repeat(100)) / short).toBeLessThan(110);
  });

  test("a request without an end is looked at as far as it may matter", () => {
    let deep: unknown = "x";
    for (let at = 0; at < 10_000; at++) deep = [deep];
    expect(estimateUsage({ messages: deep }, "").input).toBe(0);
  });
});

import { expect, test } from "vitest";
import { withOptions } from "../../../../src/models/drivers/local-runtime/with-options.ts";

test("a runtime gets parameters as its options too, and the caller's own options win", () => {
  const body = {
    model: "m",
    messages: [],
    max_tokens: 9,
    top_k: 5,
    temperature: 0.2,
    seed: null,
    options: { top_k: 7, num_ctx: 99 },
  };
  expect(withOptions(body)).toEqual({
    ...body,
    options: { num_predict: 9, temperature: 0.2, top_k: 7, num_ctx: 99 },
  });
  const plain = { model: "m", messages: [], stream: true };
  expect(withOptions(plain)).toBe(plain);
});

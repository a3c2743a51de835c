import { describe, expect, test } from "vitest";
import { applyModelParams, withSystemPrompt } from "../../src/models/apply-model-params.ts";

const messages = [{ role: "user", content: "Hello" }];

describe("a model's parameters", () => {
  test("are defaults under what the request says; null says nothing", () => {
    const params = { temperature: 0.2, top_p: 0.9, seed: 7, max_tokens: 100, frequency_penalty: 0.1 };
    const body = { messages, temperature: 1, seed: 0, top_p: null };
    expect(applyModelParams({ params }, body)).toEqual({
      messages,
      temperature: 1,
      seed: 0,
      top_p: 0.9,
      max_tokens: 100,
      frequency_penalty: 0.1,
    });
    expect(body).toEqual({ messages, temperature: 1, seed: 0, top_p: null });
  });

  test("do not stand beside the same thing under another name", () => {
    expect(applyModelParams({ params: { max_tokens: 100 } }, { max_completion_tokens: 5 })).toEqual({
      max_completion_tokens: 5,
    });
    expect(applyModelParams({ params: { max_completion_tokens: 100 } }, { max_tokens: 5 })).toEqual({ max_tokens: 5 });
  });

  test("that the service does not know go through; its own and those without a value do not", () => {
    const params = {
      mirostat: 1,
      chat_template_kwargs: { enable_thinking: false },
      function_calling: "native",
      stream_response: true,
      stop: null,
      temperature: null,
      reasoning_effort: "",
    };
    expect(applyModelParams({ params }, {})).toEqual({ mirostat: 1, chat_template_kwargs: { enable_thinking: false } });
  });

  test("never decide which model is asked, what was said or how it is sent", () => {
    const params = {
      model: "expensive",
      messages: [{ role: "user", content: "evil" }],
      stream: true,
      stream_options: {},
      user: "x",
      custom_params: { model: "expensive", messages: "[]", stream: "true" },
    };
    expect(applyModelParams({ params }, { model: "cheap", messages })).toEqual({ model: "cheap", messages });
  });

  test("that clients keep as text are read: custom parameters as JSON, stop sequences by commas", () => {
    const params = { stop: "END, STOP,", custom_params: { logit_bias: '{"5":-100}', service_tier: "flex", n: "2" } };
    expect(applyModelParams({ params }, {})).toEqual({
      stop: ["END", "STOP"],
      logit_bias: { 5: -100 },
      service_tier: "flex",
      n: 2,
    });
    expect(applyModelParams({ params: { stop: [","] } }, {})).toEqual({ stop: [","] });
  });
});

describe("a model's system prompt", () => {
  test("stands first", () => {
    expect(applyModelParams({ params: { system: "Be brief." } }, { messages })).toEqual({
      messages: [{ role: "system", content: "Be brief." }, ...messages],
    });
    expect(applyModelParams({ params: { system: "  " } }, { messages })).toEqual({ messages });
  });

  test.each([
    [
      { role: "system", content: "In rhyme." },
      { role: "system", content: "Be brief.\n\nIn rhyme." },
    ],
    [
      { role: "system", content: "" },
      { role: "system", content: "Be brief." },
    ],
    [
      { role: "system", content: null },
      { role: "system", content: "Be brief." },
    ],
    [
      { role: "developer", content: "In rhyme." },
      { role: "developer", content: "Be brief.\n\nIn rhyme." },
    ],
    [
      { role: "system", content: [{ type: "text", text: "In rhyme.", cache_control: { type: "ephemeral" } }] },
      {
        role: "system",
        content: [
          { type: "text", text: "Be brief." },
          { type: "text", text: "In rhyme.", cache_control: { type: "ephemeral" } },
        ],
      },
    ],
  ])("is merged into %o", (own, merged) => {
    expect(withSystemPrompt("Be brief.", [own, ...messages])).toEqual([merged, ...messages]);
  });

  test("leaves a system message in the middle where it is", () => {
    const list = [...messages, { role: "system", content: "Later." }];
    expect(withSystemPrompt("Be brief.", list)).toEqual([{ role: "system", content: "Be brief." }, ...list]);
    expect(withSystemPrompt("Be brief.", undefined)).toEqual([{ role: "system", content: "Be brief." }]);
  });
});

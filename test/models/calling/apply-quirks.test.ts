import { describe, expect, test } from "vitest";
import { applyQuirks } from "../../../src/models/calling/apply-quirks.ts";
import { connectionQuirks, type QuirksChange } from "../../../src/models/calling/schema.ts";

const apply = (quirks: QuirksChange, body: Record<string, unknown>) =>
  applyQuirks(connectionQuirks.parse(quirks), body);
const system = { role: "system", content: "Be brief." };
const question = { role: "user", content: "Where is the harbour?" };

describe("quirks", () => {
  test("that say nothing change nothing", () => {
    const body = {
      model: "m",
      messages: [system, question],
      max_tokens: 5,
      stream_options: { include_usage: true },
      own: 1,
    };
    expect(apply({}, body)).toEqual(body);
  });

  test.each<[string, QuirksChange, Record<string, unknown>, Record<string, unknown>]>([
    ["rename", { rename: { max_tokens: "max_completion_tokens" } }, { max_tokens: 5 }, { max_completion_tokens: 5 }],
    [
      "let the plainer word win",
      { rename: { max_tokens: "max_completion_tokens" } },
      { max_tokens: 5, max_completion_tokens: 7 },
      { max_completion_tokens: 7 },
    ],
    [
      "count null under the new name for nothing said",
      { rename: { max_tokens: "max_completion_tokens" } },
      { max_completion_tokens: null, max_tokens: 5 },
      { max_completion_tokens: 5 },
    ],
    ["swap two names", { rename: { a: "b", b: "a" } }, { a: 1, b: 2 }, { a: 2, b: 1 }],
    ["drop by the name that was said", { drop: ["user"], rename: { user: "person" } }, { user: "ada", n: 1 }, { n: 1 }],
    ["force whatever was said", { force: { temperature: 1 } }, { temperature: 0.2 }, { temperature: 1 }],
    ["force what was dropped", { drop: ["top_k"], force: { top_k: 3 } }, { top_k: 9 }, { top_k: 3 }],
    ["fill in what was not said", { defaults: { top_p: 0.5, n: 2 } }, { n: 1, top_p: null }, { n: 1, top_p: 0.5 }],
    ["keep usage unasked for", { stream_options: false }, { stream_options: { include_usage: true } }, {}],
    [
      "drop what OpenAI's API does not know, but not what is renamed from it",
      { unknown_fields: "drop", rename: { max_tokens: "num_predict" }, defaults: { keep_alive: "5m" } },
      { max_tokens: 1, top_k: 4, seed: 2, __proto__x: 1 },
      { num_predict: 1, seed: 2, keep_alive: "5m" },
    ],
  ])("%s", (_, quirks, body, expected) => {
    const said = structuredClone(body);
    expect(apply(quirks, body)).toEqual(expected);
    expect(body).toEqual(said);
  });

  test("leave fields of messages out", () => {
    const messages = [{ ...question, name: "ada" }, { role: "assistant", content: "x", reasoning_content: "y" }, null];
    expect(apply({ drop_from_messages: ["name", "reasoning_content"] }, { messages }).messages).toEqual([
      question,
      { role: "assistant", content: "x" },
      null,
    ]);
  });

  describe("of the system prompt", () => {
    test("send it in another role", () => {
      expect(apply({ system_role: "developer" }, { messages: [system, question] }).messages).toEqual([
        { role: "developer", content: "Be brief." },
        question,
      ]);
      expect(apply({ system_role: "system" }, { messages: [{ role: "developer", content: "x" }] }).messages).toEqual([
        { role: "system", content: "x" },
      ]);
    });

    test("make it part of the question that follows, so that roles take turns", () => {
      const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
      expect(apply({ system_role: "user" }, { messages: [system, question] }).messages).toEqual([
        { role: "user", content: "Be brief.\n\nWhere is the harbour?" },
      ]);
      expect(
        apply({ system_role: "user" }, { messages: [system, system, { role: "user", content: [picture] }] }).messages,
      ).toEqual([{ role: "user", content: [{ type: "text", text: "Be brief.\n\nBe brief." }, picture] }]);
      const answer = { role: "assistant", content: "There." };
      expect(apply({ system_role: "user" }, { messages: [system, answer, question, question] }).messages).toEqual([
        { role: "user", content: "Be brief." },
        answer,
        question,
        question,
      ]);
    });

    test("leave alone what are no messages", () => {
      expect(apply({ system_role: "user" }, { messages: "hello" }).messages).toBe("hello");
      expect(apply({ system_role: "user" }, { messages: [null, 5, system] }).messages).toEqual([
        null,
        5,
        { role: "user", content: "Be brief." },
      ]);
    });
  });

  test.each([
    { rename: { model: "m" } },
    { rename: { max_tokens: "messages" } },
    { drop: ["stream"] },
    { force: { __proto: 1 } },
    { force: { "": 1 } },
    { force: { note: "x".repeat(20_000) } },
    { drop_from_messages: ["role"] },
    { reasoning_tags: [["<think>"]] },
    { reasoning_tags: [["", ""]] },
    { system_role: "assistant" },
    { drop: Array.from({ length: 51 }, (_, at) => `field${at}`) },
  ])("are refused: %j", (quirks) => {
    expect(connectionQuirks.safeParse(quirks).success).toBe(false);
  });
});

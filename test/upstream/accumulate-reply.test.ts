import { describe, expect, it } from "vitest";
import { createReplyAccumulator, replyFromCompletion } from "../../src/upstream/answers/accumulate-reply.ts";
import { chunk } from "./streams.ts";

describe("a reply", () => {
  it("keeps a refusal apart from the text", () => {
    const accumulator = createReplyAccumulator();
    accumulator.addChunk(chunk({ refusal: "I can" }));
    accumulator.addChunk(chunk({ refusal: "not" }));
    expect(accumulator.reply()).toMatchObject({ content: "", refusal: "I cannot" });
  });

  it("loses its finish reason when the answer fails", () => {
    const accumulator = createReplyAccumulator();
    accumulator.addChunk(chunk({ content: "a" }, { finish: "stop" }));
    accumulator.setError({ message: "M", type: "t", param: null, code: null });
    accumulator.setError({ message: "later", type: "t", param: null, code: null });
    expect(accumulator.reply()).toMatchObject({ content: "a", finishReason: null, error: { message: "M" } });
  });

  it("stops growing at its limit and says so", () => {
    const accumulator = createReplyAccumulator({ maxLength: 10 });
    for (let at = 0; at < 5; at += 1) accumulator.addChunk(chunk({ content: "abc" }));
    expect(accumulator.reply()).toMatchObject({ content: "abcabcabc", truncated: true });
  });

  it("of nothing is empty", () => {
    expect(createReplyAccumulator().reply()).toMatchObject({
      content: "",
      toolCalls: [],
      finishReason: null,
      choices: [],
    });
  });

  it("of a document takes the message, not an empty delta beside it", () => {
    const choices = [
      { index: 0, delta: { content: "" }, message: { role: "assistant", content: "a" }, finish_reason: "stop" },
    ];
    expect(replyFromCompletion({ id: "x", choices })).toMatchObject({ content: "a", finishReason: "stop", id: "x" });
  });

  it("of the older function call becomes a document with one", () => {
    const accumulator = createReplyAccumulator({ everything: true });
    accumulator.addChunk(chunk({ role: "assistant", function_call: { name: "f", arguments: "{" } }));
    accumulator.addChunk(chunk({ function_call: { arguments: "}" } }, { finish: "function_call" }));
    expect(accumulator.completion()["choices"]).toMatchObject([
      { message: { content: null, function_call: { name: "f", arguments: "{}" } }, finish_reason: "function_call" },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { createReplyAccumulator, replyFromCompletion } from "../../../src/chat/completions/accumulate-reply.ts";
import { createToolCallList } from "../../../src/chat/completions/accumulate-tool-calls.ts";
import { chunk } from "./streams.ts";

describe("fragments of tool calls", () => {
  const call = (id: string, name: string, args: string) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  const cases: [string, unknown[], unknown[]][] = [
    [
      "are joined by index, interleaved",
      [
        { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } },
        { index: 1, id: "b", type: "function", function: { name: "g", arguments: '{"x"' } },
        { index: 0, function: { arguments: "{}" } },
        { index: 1, function: { arguments: ":1}" } },
      ],
      [call("a", "f", "{}"), call("b", "g", '{"x":1}')],
    ],
    [
      "with the same index but other ids are calls of their own",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{}" } },
        { index: 0, id: "b", function: { name: "g", arguments: "{}" } },
      ],
      [call("a", "f", "{}"), call("b", "g", "{}")],
    ],
    [
      "without id and index go on with the last",
      [{ id: "a", function: { name: "f", arguments: "{" } }, { function: { arguments: "}" } }],
      [call("a", "f", "{}")],
    ],
    [
      "without an index but with ids are told apart",
      [
        { id: "a", function: { name: "f", arguments: "{}" } },
        { id: "b", function: { name: "f", arguments: "[]" } },
        { id: "a", function: { arguments: " " } },
      ],
      [call("a", "f", "{} "), call("b", "f", "[]")],
    ],
    [
      "that repeat id and name do not double them",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{" } },
        { index: 0, id: "a", function: { name: "f", arguments: "}" } },
      ],
      [call("a", "f", "{}")],
    ],
    [
      "with arguments as an object are made text",
      [{ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }],
      [call("a", "f", '{"x":1}')],
    ],
    [
      "keep further fields",
      [{ index: 0, id: "a", extra_content: { sig: "s" }, function: { name: "f", arguments: "{}" } }],
      [{ ...call("a", "f", "{}"), extra_content: { sig: "s" } }],
    ],
    ["that are no objects are left out", [null, "x", 7], []],
  ];

  it.each(cases)("%s", (_name, fragments, calls) => {
    const list = createToolCallList();
    fragments.forEach(list.add);
    expect(list.list()).toEqual(calls);
  });
});

describe("a reply", () => {
  it("takes the same thought only once where it comes in two fields", () => {
    const accumulator = createReplyAccumulator();
    accumulator.addChunk(chunk({ reasoning: "hm", reasoning_content: "hm" }));
    expect(accumulator.reply().reasoning).toBe("hm");
  });

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

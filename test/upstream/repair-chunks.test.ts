import { describe, expect, it } from "vitest";
import { checkStream } from "../grammar/chat-completions.ts";
import { chunk, done, frame, repairAll, say, start, stop, stream } from "./streams.ts";

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const usageChunk = { ...chunk({}), choices: [], usage };

describe("identity", () => {
  it("takes id, created and model of the first chunk and makes what is missing", () => {
    const first = { ...say("a"), id: undefined, created: 1.5, model: "" };
    const { bytes } = repairAll([stream(first, { ...say("b"), id: "late", created: 9, model: "late" }, done)]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks[0]).toMatchObject({ id: "chatcmpl-new", created: 1, model: "asked" });
  });

  it("waits with chunks without choices and id until the stream has one", () => {
    const filter = {
      choices: [],
      created: 0,
      id: "",
      model: "",
      object: "",
      prompt_filter_results: [{ prompt_index: 0 }],
    };
    const { bytes } = repairAll([stream(filter), stream(start, say("a"), stop, done)]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks[0]).toMatchObject({ id: "chatcmpl-1", model: "m", prompt_filter_results: [{ prompt_index: 0 }] });
  });

  it("keeps what stands beside the choices of a chunk that comes empty after the finish", () => {
    const late = chunk({ content: "" }, { top: { citations: ["https://a"] } });
    const { chunks } = checkStream(repairAll([stream(start, say("a"), stop, late, done)]).bytes, { usage: false });
    expect(chunks.at(-1)).toMatchObject({ citations: ["https://a"], choices: [{ finish_reason: "stop" }] });
  });

  it("drops chunks that say nothing and keeps those that say something beside the choices", () => {
    const { bytes } = repairAll([
      stream(start, { ...start, choices: [] }, { ...start, choices: [], sources: [{ id: 1 }] }, say("a"), stop, done),
    ]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks.map(({ choices, sources }) => [(choices as unknown[]).length, sources])).toEqual([
      [1, undefined],
      [0, [{ id: 1 }]],
      [1, undefined],
      [1, undefined],
    ]);
  });
});

describe("usage", () => {
  const forms: [string, string][] = [
    ["in a chunk of its own", stream(start, say("a"), stop, usageChunk, done)],
    ["in a chunk of its own before the finish", stream(start, usageChunk, say("a"), stop, done)],
    [
      "in each chunk",
      stream(
        ...[start, say("a"), stop].map((one, at) => ({ ...one, usage: { ...usage, total_tokens: at + 1 } })),
        done,
      ),
    ],
    ["with the finish", stream(start, say("a"), { ...stop, usage }, done)],
    [
      "with an empty choice after the finish",
      stream(start, say("a"), stop, { ...chunk({ content: "" }), usage }, done),
    ],
    ["twice", stream(start, say("a"), stop, { ...usageChunk, usage: { total_tokens: 1 } }, usageChunk, done)],
    ["without [DONE]", stream(start, say("a"), stop, usageChunk)],
    ["in a chunk without choices or object", stream(start, say("a"), stop, { usage }, done)],
  ];

  it.each(forms)("%s goes out once, at the end, if asked for", (_name, input) => {
    const { bytes, reply } = repairAll([input], { includeUsage: true });
    const checked = checkStream(bytes, { usage: true });
    expect(checked.usage).toMatchObject({ total_tokens: 3 });
    expect(checked.content.get(0)).toBe("a");
    expect(reply.usage).toMatchObject({ total_tokens: 3 });
  });

  it.each(forms)("%s does not go out if not asked for, but is recorded", (_name, input) => {
    const { bytes, reply } = repairAll([input]);
    expect(checkStream(bytes, { usage: false }).usage).toBeUndefined();
    expect(reply.usage).toMatchObject({ total_tokens: 3 });
  });

  it("is not invented", () => {
    const { bytes } = repairAll([stream(start, say("a"), stop, done)], { includeUsage: true });
    expect(checkStream(bytes, { usage: true }).usage).toBeUndefined();
  });

  it("of null in each chunk breaks nothing and stays", () => {
    const input = stream(...[start, say("a"), stop].map((one) => ({ ...one, usage: null })), done);
    expect(repairAll([input]).text).toBe(input);
  });

  it("gives what stands beside it to the finish chunk where it goes unasked", () => {
    const { bytes } = repairAll([stream(start, stop, { ...usageChunk, timings: { predicted_n: 2 } }, done)]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks.at(-1)).toMatchObject({ timings: { predicted_n: 2 }, choices: [{ finish_reason: "stop" }] });
  });
});

describe("several choices", () => {
  const two = (first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> => {
    const [a] = first["choices"] as unknown[];
    const [b] = second["choices"] as unknown[];
    return { ...first, choices: [a, b] };
  };

  it("each have their role, text and finish, interleaved or in one chunk", () => {
    const at = (delta: Record<string, unknown>, index: number, finish?: string) =>
      chunk(delta, finish ? { index, finish } : { index });
    const input = stream(
      at({ content: "a" }, 0),
      at({ content: "x" }, 1),
      at({}, 0, "stop"),
      at({ content: "y" }, 1),
      two(at({ content: "b" }, 0), at({ content: "z" }, 1, "length")),
      done,
    );
    const { bytes, reply } = repairAll([input]);
    const checked = checkStream(bytes, { usage: false });
    expect([...checked.content]).toEqual([
      [0, "ab"],
      [1, "xyz"],
    ]);
    expect([...checked.finish].sort()).toEqual([
      [0, "stop"],
      [1, "length"],
    ]);
    expect(reply.choices.map((choice) => choice.content)).toEqual(["ab", "xyz"]);
  });

  it("are cut off if one of them did not finish", () => {
    const { bytes } = repairAll([stream(start, say("a"), chunk({ content: "b" }, { index: 1 }), stop)]);
    expect(checkStream(bytes, { usage: false }).error).toMatchObject({ code: "upstream_incomplete_answer" });
  });

  it("are bounded in number", () => {
    const input = Array.from({ length: 200 }, (_, index) => frame(chunk({ content: "a" }, { index })));
    expect(checkStream(repairAll(input).bytes, { usage: false }).error).toMatchObject({
      code: "upstream_invalid_answer",
    });
  });
});

import { describe, expect, it } from "vitest";
import { cpuTime } from "../cpu-time.ts";
import { checkStream } from "../grammar/chat-completions.ts";
import { chunk, done, encode, frame, repairAll, say, start, stop, stream } from "./streams.ts";

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const usageChunk = { ...chunk({}), choices: [], usage };

describe("a failure", () => {
  const beginning = stream(start, say("Hel"), say("lo"));
  const failures: [string, string, Record<string, unknown>][] = [
    ["a stream that just stops", beginning, { code: "upstream_incomplete_answer", status: 502 }],
    ["a stream cut inside an event", `${beginning}data: {"id":"chatc`, { code: "upstream_incomplete_answer" }],
    [
      "an error object",
      beginning + stream({ error: { message: "M", type: "T", param: "P", code: "C" } }),
      { message: "M", type: "T", param: "P", code: "C" },
    ],
    [
      "an error with a numeric code",
      beginning + stream({ error: { message: "M", code: 429 } }),
      { message: "M", code: "429", status: 429 },
    ],
    ["an error as text", beginning + stream({ error: "boom" }), { message: "boom" }],
    [
      "an error event",
      `${beginning}event: error\ndata: {"message":"boom","code":"x"}\n\n`,
      { message: "boom", code: "x" },
    ],
    ["an error event with a text", `${beginning}event: error\ndata: boom\n\n`, { message: "boom" }],
    [
      "an error beside choices",
      beginning +
        stream({ ...chunk({ content: "" }, { finish: "error" }), error: { message: "M", code: "server_error" } }),
      { message: "M", code: "server_error" },
    ],
    [
      "an error in a choice",
      beginning +
        stream({
          ...start,
          choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "M", code: 502 } }],
        }),
      { message: "M", code: "502" },
    ],
    ["an error without field name", `${beginning}{\n  "error": {\n    "message": "M"\n  }\n}\n`, { message: "M" }],
    [
      "an error of another dialect",
      beginning + stream({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      { message: "Overloaded", type: "overloaded_error", status: 503 },
    ],
    [
      "an error in a list",
      beginning + stream([{ error: { message: "M", status: "INVALID_ARGUMENT", code: 400 } }]),
      { message: "M", type: "INVALID_ARGUMENT", status: 400 },
    ],
    ["a detail", beginning + stream({ detail: "D" }), { message: "D" }],
    ["a damaged event", `${beginning}data: {"id":\n\n${stream(stop, done)}`, { code: "upstream_invalid_answer" }],
    ["an error after the finish", beginning + stream(stop, { error: { message: "M" } }, done), { message: "M" }],
  ];

  it.each(failures)("%s ends in one error event and no finish; what arrived is kept", (_name, input, error) => {
    const { bytes, reply, repair } = repairAll([input]);
    const checked = checkStream(bytes, { usage: false });
    expect(checked.error).toMatchObject(error);
    expect(checked.error).toEqual(expect.objectContaining({ message: expect.any(String), type: expect.any(String) }));
    expect(checked.content.get(0)).toBe("Hello");
    expect(reply).toMatchObject({ content: "Hello", finishReason: null });
    expect(reply.error).toEqual(checked.error);
    expect(repair.failure()?.message).toBe(checked.error?.["message"]);
  });

  it("keeps the text that came with a finish", () => {
    const { bytes } = repairAll([stream(chunk({ content: "all" }, { finish: "stop" }), { error: { message: "M" } })]);
    expect(checkStream(bytes, { usage: false }).content.get(0)).toBe("all");
  });

  it.each([
    ["nothing", ""],
    ["only [DONE]", frame(done)],
    ["only comments", ": hi\n\n"],
    ["only usage", stream(usageChunk, done)],
  ])("of a stream with %s is an error and not an empty answer", (_name, input) => {
    expect(checkStream(repairAll([input]).bytes, { usage: false }).error).toMatchObject({
      code: "upstream_empty_answer",
    });
  });

  it("says nothing more after the error", () => {
    const { text } = repairAll([beginning + stream({ error: { message: "M" } }), stream(say("x"), stop, done)]);
    expect(text.endsWith('"status":502}}\n\n')).toBe(true);
  });

  it("does not tell the connection's key", () => {
    const input = stream({
      error: { message: "bad key my-secret-key and sk-abcdefghijklmnop", metadata: { raw: "my-secret-key" } },
    });
    const { text } = repairAll([input], { secrets: ["my-secret-key"] });
    expect(text).not.toMatch(/my-secret-key|sk-abc/);
    expect(text).toContain("[redacted]");
  });
});

describe("bounds", () => {
  it("an endless line ends in an error as soon as it is too long", () => {
    const { repair, parts } = repairAll(
      Array.from({ length: 50 }, (_, at) => (at === 0 ? "data: " : "x".repeat(1000))),
      { maxEventLength: 10_000 },
    );
    expect(repair.failure()).toMatchObject({ code: "upstream_answer_too_large" });
    expect(parts.findIndex((part) => part.length > 0)).toBe(10);
  });

  it("an endless event of many lines ends in an error", () => {
    const { repair } = repairAll(
      Array.from({ length: 50 }, () => `data: ${"x".repeat(1000)}\n`),
      { maxEventLength: 10_000 },
    );
    expect(repair.failure()).toMatchObject({ code: "upstream_answer_too_large" });
  });

  it("a long event in small pieces costs no more than its length", () => {
    const long = "é".repeat(2_000_000);
    const bytes = encode(stream(start, say(long), stop, done));
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 512) pieces.push(bytes.subarray(at, at + 512));
    const took = cpuTime(() => expect(repairAll(pieces).reply.content.length).toBe(long.length));
    expect(took).toBeLessThan(3000);
  });

  it("a document nested too deep is an error, not a crash", () => {
    const deep = `{"id":"x","choices":[{"index":0,"delta":{"content":"a","x":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}]}`;
    const { bytes } = repairAll([stream(deep, stop, done)]);
    const checked = checkStream(bytes, { usage: false });
    expect([undefined, "upstream_invalid_answer"]).toContain(checked.error?.["code"]);
  });
});

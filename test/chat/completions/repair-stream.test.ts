import { describe, expect, it } from "vitest";
import { checkStream } from "./stream-grammar.ts";
import { chunk, done, encode, frame, repairAll, say, start, stop, stream } from "./streams.ts";

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const usageChunk = { ...chunk({}), choices: [], usage };

describe("a stream without faults", () => {
  it("goes through in its own bytes, as the very same array where a piece is whole", () => {
    const input = stream(start, say("a"), say("b"));
    const piece = encode(input);
    const { parts, text } = repairAll([piece, stream(stop, done)]);
    expect(parts[0]).toBe(piece);
    expect(text).toBe(input + stream(stop, done));
  });

  it("keeps the spelling of each event: spaces, order of fields, escapes, big numbers", () => {
    const own = '{ "id" : "chatcmpl-1","object":"chat.completion.chunk","created":1762000000,"model":"m","big":12345678901234567890,"choices":[{"index":0,"delta":{"content":"\\u00e9\\/"},"finish_reason":null}]}';
    const { text } = repairAll([stream(start, own, stop, done)]);
    expect(text).toContain(`data: ${own}\n\n`);
  });

  it("keeps fields that it does not know", () => {
    const extras = { citations: ["https://a"], system_fingerprint: "fp" };
    const rich = chunk({ content: "x", reasoning: "r", reasoning_content: "rc", refusal: null, annotations: [{}] }, { top: extras });
    const { text } = repairAll([stream(start, rich, stop, done)]);
    expect(text).toContain(frame(rich));
  });

  it("forwards tool call fragments as they are", () => {
    const calls = [
      chunk({ role: "assistant", content: null }),
      chunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "f", arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
      chunk({}, { finish: "tool_calls" }),
    ];
    const { text, reply } = repairAll([stream(...calls, done)]);
    expect(text).toBe(stream(...calls, done));
    expect(reply.toolCalls).toEqual([{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }]);
  });
});

interface Case {
  name: string;
  input: string;
  content?: string;
  finish?: string;
}

const whole = stream(start, say("Hé"), say("llo"), stop, done);
const cases: Case[] = [
  { name: "CRLF line ends", input: whole.replaceAll("\n", "\r\n") },
  { name: "CR line ends", input: whole.replaceAll("\n", "\r") },
  { name: "a byte order mark", input: `\uFEFF${whole}` },
  { name: "comments, event names, ids and retry times", input: `: hi\n\nretry: 5\n${whole.replaceAll("data:", "event: message\nid: 7\ndata:")}` },
  { name: "no space after the colon", input: whole.replaceAll("data: ", "data:") },
  { name: "several data lines in an event", input: stream(start) + `data: ${JSON.stringify(say("Héllo"), null, 1).replaceAll("\n", "\ndata: ")}\n\n` + stream(stop, done) },
  { name: "a missing final blank line", input: whole.slice(0, -1) },
  { name: "a missing final line end", input: whole.slice(0, -2) },
  { name: "single line ends between events", input: whole.replaceAll("\n\n", "\n") },
  { name: "no [DONE]", input: stream(start, say("Héllo"), stop) },
  { name: "data after [DONE]", input: whole + stream(say("more"), { error: { message: "late" } }) },
  { name: "empty data and noise", input: `data:\n\ndata: \n\ndata: ping\n\ndata: null\n\ndata: 7\n\n${whole}` },
  { name: "a doubled field name", input: whole.replaceAll("data: ", "data: data: ") },
  { name: "a [DONE] in small letters with spaces", input: whole.replace("[DONE]", " [done] ") },
  { name: "JSON lines without field names", input: whole.replaceAll("data: ", "").replaceAll("\n\n", "\n") },
  { name: "ping events", input: `event: ping\ndata: {"type": "ping"}\n\ndata: {"type":"ping"}\n\n${whole}` },
  { name: "no role", input: stream(say("Hé"), say("llo"), stop, done) },
  { name: "a null role", input: stream(chunk({ role: null, content: "Hé" }), chunk({ role: null, content: "llo" }), stop, done) },
  { name: "another role", input: stream(chunk({ role: "model", content: "Héllo" }), stop, done) },
  { name: "a role in each chunk", input: stream(chunk({ role: "assistant", content: "Hé" }), chunk({ role: "assistant", content: "llo" }), chunk({ role: "assistant" }, { finish: "stop" }), done) },
  { name: "changing ids, models and times", input: stream(start, { ...say("Hé"), id: "x", created: 5 }, { ...say("llo"), id: "y", model: "z" }, { ...stop, id: "" }, done) },
  { name: "no id, model, time or object", input: stream(...[start, say("Héllo"), stop].map(({ choices }) => ({ choices })), done) },
  { name: "the wrong object", input: stream({ ...start, object: "chat.completion" }, { ...say("Héllo"), object: "chat.completion" }, stop, done) },
  { name: "no index", input: stream({ ...start, choices: [{ delta: { content: "Héllo" } }] }, { ...start, choices: [{ delta: {}, finish_reason: "stop" }] }, done) },
  { name: "a message instead of a delta", input: stream({ ...start, choices: [{ index: 0, message: { role: "assistant", content: "Héllo" }, finish_reason: null }] }, stop, done) },
  { name: "a text instead of a delta", input: stream({ ...start, choices: [{ index: 0, text: "Héllo", finish_reason: null }] }, stop, done) },
  { name: "no delta with the finish", input: stream(start, say("Héllo"), { ...stop, choices: [{ index: 0, finish_reason: "stop" }] }, done) },
  { name: "an empty finish reason in each chunk", input: stream({ ...start, choices: [{ index: 0, delta: { content: "Hé" }, finish_reason: "" }] }, { ...start, choices: [{ index: 0, delta: { content: "llo" }, finish_reason: "" }] }, stop, done) },
  { name: "the finish with the last text", input: stream(start, say("Hé"), chunk({ content: "llo" }, { finish: "stop" }), done) },
  { name: "everything in one chunk", input: stream(chunk({ content: "Héllo" }, { finish: "length" })), finish: "length" },
  { name: "two finishes", input: stream(start, say("Héllo"), stop, chunk({ content: "" }, { finish: "stop" }), done) },
  { name: "text after the finish", input: stream(start, say("Hé"), stop, say("llo"), done) },
  { name: "a finish with each chunk", input: stream(chunk({ content: "Hé" }, { finish: "stop" }), chunk({ content: "l" }, { finish: "stop" }), chunk({ content: "lo" }, { finish: "length" }), done), finish: "length" },
  { name: "a telling finish before a plain one", input: stream(start, say("Héllo"), chunk({}, { finish: "length" }), stop, done), finish: "length" },
  { name: "a plain finish before a telling one", input: stream(start, say("Héllo"), stop, chunk({}, { finish: "content_filter" }), done), finish: "content_filter" },
  { name: "an empty chunk after the finish", input: stream(start, say("Héllo"), stop, chunk({ content: "", role: "assistant" }), done) },
  { name: "[DONE] without a finish", input: stream(start, say("Héllo"), done) },
  { name: "[DONE] without a finish after tool calls", input: stream(chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }), done), content: "", finish: "tool_calls" },
  { name: "the connection cut inside an event after the finish", input: `${stream(start, say("Héllo"), stop)}data: {"id":"chatcmpl` },
  { name: "choices that are no objects", input: stream(start, { ...say("Héllo"), choices: [null, ...(say("Héllo")["choices"] as unknown[])] }, stop, done) },
];

describe("a stream that breaks the grammar is brought into it", () => {
  it.each(cases)("$name", ({ input, content = "Héllo", finish = "stop" }) => {
    const bytes = encode(input);
    // In one piece, byte by byte (which splits characters, line ends and fields), and in odd pieces.
    for (const size of [bytes.length, 1, 7]) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      const result = repairAll(pieces);
      const checked = checkStream(result.bytes, { usage: false });
      expect(checked.error).toBeUndefined();
      expect(checked.content.get(0) ?? "").toBe(content);
      expect(checked.finish.get(0)).toBe(finish);
      expect(result.reply).toMatchObject({ content, finishReason: finish, error: undefined });
    }
  });
});

describe("identity", () => {
  it("takes id, created and model of the first chunk and makes what is missing", () => {
    const first = { ...say("a"), id: undefined, created: 1.5, model: "" };
    const { bytes } = repairAll([stream(first, { ...say("b"), id: "late", created: 9, model: "late" }, done)]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks[0]).toMatchObject({ id: "chatcmpl-new", created: 1, model: "asked" });
  });

  it("waits with chunks without choices and id until the stream has one", () => {
    const filter = { choices: [], created: 0, id: "", model: "", object: "", prompt_filter_results: [{ prompt_index: 0 }] };
    const { bytes } = repairAll([stream(filter), stream(start, say("a"), stop, done)]);
    const { chunks } = checkStream(bytes, { usage: false });
    expect(chunks[0]).toMatchObject({ id: "chatcmpl-1", model: "m", prompt_filter_results: [{ prompt_index: 0 }] });
  });

  it("drops chunks that say nothing and keeps those that say something beside the choices", () => {
    const { bytes } = repairAll([stream(start, { ...start, choices: [] }, { ...start, choices: [], sources: [{ id: 1 }] }, say("a"), stop, done)]);
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
    ["in each chunk", stream(...[start, say("a"), stop].map((one, at) => ({ ...one, usage: { ...usage, total_tokens: at + 1 } })), done)],
    ["with the finish", stream(start, say("a"), { ...stop, usage }, done)],
    ["with an empty choice after the finish", stream(start, say("a"), stop, { ...chunk({ content: "" }), usage }, done)],
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
    const at = (delta: Record<string, unknown>, index: number, finish?: string) => chunk(delta, finish ? { index, finish } : { index });
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
    expect([...checked.content]).toEqual([[0, "ab"], [1, "xyz"]]);
    expect([...checked.finish].sort()).toEqual([[0, "stop"], [1, "length"]]);
    expect(reply.choices.map((choice) => choice.content)).toEqual(["ab", "xyz"]);
  });

  it("are cut off if one of them did not finish", () => {
    const { bytes } = repairAll([stream(start, say("a"), chunk({ content: "b" }, { index: 1 }), stop)]);
    expect(checkStream(bytes, { usage: false }).error).toMatchObject({ code: "upstream_incomplete_answer" });
  });

  it("are bounded in number", () => {
    const input = Array.from({ length: 200 }, (_, index) => frame(chunk({ content: "a" }, { index })));
    expect(checkStream(repairAll(input).bytes, { usage: false }).error).toMatchObject({ code: "upstream_invalid_answer" });
  });
});

describe("a failure", () => {
  const beginning = stream(start, say("Hel"), say("lo"));
  const failures: [string, string, Record<string, unknown>][] = [
    ["a stream that just stops", beginning, { code: "upstream_incomplete_answer", status: 502 }],
    ["a stream cut inside an event", `${beginning}data: {"id":"chatc`, { code: "upstream_incomplete_answer" }],
    ["an error object", beginning + stream({ error: { message: "M", type: "T", param: "P", code: "C" } }), { message: "M", type: "T", param: "P", code: "C" }],
    ["an error with a numeric code", beginning + stream({ error: { message: "M", code: 429 } }), { message: "M", code: "429", status: 429 }],
    ["an error as text", beginning + stream({ error: "boom" }), { message: "boom" }],
    ["an error event", `${beginning}event: error\ndata: {"message":"boom","code":"x"}\n\n`, { message: "boom", code: "x" }],
    ["an error event with a text", `${beginning}event: error\ndata: boom\n\n`, { message: "boom" }],
    ["an error beside choices", beginning + stream({ ...chunk({ content: "" }, { finish: "error" }), error: { message: "M", code: "server_error" } }), { message: "M", code: "server_error" }],
    ["an error in a choice", beginning + stream({ ...start, choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: "M", code: 502 } }] }), { message: "M", code: "502" }],
    ["an error without field name", `${beginning}{\n  "error": {\n    "message": "M"\n  }\n}\n`, { message: "M" }],
    ["an error of another dialect", beginning + stream({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }), { message: "Overloaded", type: "overloaded_error", status: 503 }],
    ["an error in a list", beginning + stream([{ error: { message: "M", status: "INVALID_ARGUMENT", code: 400 } }]), { message: "M", type: "INVALID_ARGUMENT", status: 400 }],
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
    expect(repair.failure?.message).toBe(checked.error?.["message"]);
  });

  it("keeps the text that came with a finish", () => {
    const { bytes } = repairAll([stream(chunk({ content: "all" }, { finish: "stop" }), { error: { message: "M" } })]);
    expect(checkStream(bytes, { usage: false }).content.get(0)).toBe("all");
  });

  it.each([["nothing", ""], ["only [DONE]", frame(done)], ["only comments", ": hi\n\n"], ["only usage", stream(usageChunk, done)]])(
    "of a stream with %s is an error and not an empty answer",
    (_name, input) => {
      expect(checkStream(repairAll([input]).bytes, { usage: false }).error).toMatchObject({ code: "upstream_empty_answer" });
    },
  );

  it("says nothing more after the error", () => {
    const { text } = repairAll([beginning + stream({ error: { message: "M" } }), stream(say("x"), stop, done)]);
    expect(text.endsWith('"status":502}}\n\n')).toBe(true);
  });

  it("does not tell the connection's key", () => {
    const input = stream({ error: { message: "bad key my-secret-key and sk-abcdefghijklmnop", metadata: { raw: "my-secret-key" } } });
    const { text } = repairAll([input], { secrets: ["my-secret-key"] });
    expect(text).not.toMatch(/my-secret-key|sk-abc/);
    expect(text).toContain("[redacted]");
  });
});

describe("bounds", () => {
  it("an endless line ends in an error as soon as it is too long", () => {
    const { repair, parts } = repairAll(Array.from({ length: 50 }, (_, at) => (at === 0 ? "data: " : "x".repeat(1000))), { maxEventLength: 10_000 });
    expect(repair.failure).toMatchObject({ code: "upstream_answer_too_large" });
    expect(parts.findIndex((part) => part.length > 0)).toBe(10);
  });

  it("an endless event of many lines ends in an error", () => {
    const { repair } = repairAll(Array.from({ length: 50 }, () => `data: ${"x".repeat(1000)}\n`), { maxEventLength: 10_000 });
    expect(repair.failure).toMatchObject({ code: "upstream_answer_too_large" });
  });

  it("a long event in small pieces costs no more than its length", () => {
    const long = "é".repeat(2_000_000);
    const bytes = encode(stream(start, say(long), stop, done));
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 512) pieces.push(bytes.subarray(at, at + 512));
    const before = performance.now();
    const { reply } = repairAll(pieces);
    expect(reply.content.length).toBe(long.length);
    expect(performance.now() - before).toBeLessThan(3000);
  });

  it("a document nested too deep is an error, not a crash", () => {
    const deep = `{"id":"x","choices":[{"index":0,"delta":{"content":"a","x":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}}]}`;
    const { bytes } = repairAll([stream(deep, stop, done)]);
    const checked = checkStream(bytes, { usage: false });
    expect([undefined, "upstream_invalid_answer"]).toContain(checked.error?.["code"]);
  });
});

describe("deltas", () => {
  it("are told in order as they come, reasoning apart from text", () => {
    const deltas: unknown[] = [];
    const input = stream(chunk({ reasoning_content: "r1" }), chunk({ reasoning: "r2" }), say("a"), say("b"), chunk({ content: "c" }, { finish: "stop" }), say("d"), done);
    const { reply } = repairAll([input], { onDelta: (delta) => deltas.push(delta) });
    expect(deltas).toEqual([
      { choice: 0, reasoning: "r1" },
      { choice: 0, reasoning: "r2" },
      ...["a", "b", "c", "d"].map((content) => ({ choice: 0, content })),
    ]);
    expect(reply).toMatchObject({ content: "abcd", reasoning: "r1r2" });
  });
});

import { describe, expect, it } from "vitest";
import { checkStream } from "../grammar/chat-completions.ts";
import { chunk, done, encode, frame, repairAll, say, start, stop, stream } from "./streams.ts";

describe("a stream without faults", () => {
  it("goes through in its own bytes, as the very same array where a piece is whole", () => {
    const input = stream(start, say("a"), say("b"));
    const piece = encode(input);
    const { parts, text } = repairAll([piece, stream(stop, done)]);
    expect(parts[0]).toBe(piece);
    expect(text).toBe(input + stream(stop, done));
  });

  it("keeps the spelling of each event: spaces, order of fields, escapes, big numbers", () => {
    const own =
      '{ "id" : "chatcmpl-1","object":"chat.completion.chunk","created":1762000000,"model":"m","big":12345678901234567890,"choices":[{"index":0,"delta":{"content":"\\u00e9\\/"},"finish_reason":null}]}';
    const { text } = repairAll([stream(start, own, stop, done)]);
    expect(text).toContain(`data: ${own}\n\n`);
  });

  it("keeps fields that it does not know", () => {
    const extras = { citations: ["https://a"], system_fingerprint: "fp" };
    const rich = chunk(
      { content: "x", reasoning: null, reasoning_content: "rc", refusal: null, annotations: [{}] },
      { top: extras },
    );
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
  {
    name: "comments, event names, ids and retry times",
    input: `: hi\n\nretry: 5\n${whole.replaceAll("data:", "event: message\nid: 7\ndata:")}`,
  },
  { name: "no space after the colon", input: whole.replaceAll("data: ", "data:") },
  {
    name: "several data lines in an event",
    input:
      stream(start) +
      `data: ${JSON.stringify(say("Héllo"), null, 1).replaceAll("\n", "\ndata: ")}\n\n` +
      stream(stop, done),
  },
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
  {
    name: "a null role",
    input: stream(chunk({ role: null, content: "Hé" }), chunk({ role: null, content: "llo" }), stop, done),
  },
  { name: "another role", input: stream(chunk({ role: "model", content: "Héllo" }), stop, done) },
  {
    name: "a role in each chunk",
    input: stream(
      chunk({ role: "assistant", content: "Hé" }),
      chunk({ role: "assistant", content: "llo" }),
      chunk({ role: "assistant" }, { finish: "stop" }),
      done,
    ),
  },
  {
    name: "changing ids, models and times",
    input: stream(
      start,
      { ...say("Hé"), id: "x", created: 5 },
      { ...say("llo"), id: "y", model: "z" },
      { ...stop, id: "" },
      done,
    ),
  },
  {
    name: "no id, model, time or object",
    input: stream(...[start, say("Héllo"), stop].map(({ choices }) => ({ choices })), done),
  },
  {
    name: "the wrong object",
    input: stream({ ...start, object: "chat.completion" }, { ...say("Héllo"), object: "chat.completion" }, stop, done),
  },
  {
    name: "no index",
    input: stream(
      { ...start, choices: [{ delta: { content: "Héllo" } }] },
      { ...start, choices: [{ delta: {}, finish_reason: "stop" }] },
      done,
    ),
  },
  {
    name: "a message instead of a delta",
    input: stream(
      { ...start, choices: [{ index: 0, message: { role: "assistant", content: "Héllo" }, finish_reason: null }] },
      stop,
      done,
    ),
  },
  {
    name: "a text instead of a delta",
    input: stream({ ...start, choices: [{ index: 0, text: "Héllo", finish_reason: null }] }, stop, done),
  },
  {
    name: "no delta with the finish",
    input: stream(start, say("Héllo"), { ...stop, choices: [{ index: 0, finish_reason: "stop" }] }, done),
  },
  {
    name: "an empty finish reason in each chunk",
    input: stream(
      { ...start, choices: [{ index: 0, delta: { content: "Hé" }, finish_reason: "" }] },
      { ...start, choices: [{ index: 0, delta: { content: "llo" }, finish_reason: "" }] },
      stop,
      done,
    ),
  },
  {
    name: "the finish with the last text",
    input: stream(start, say("Hé"), chunk({ content: "llo" }, { finish: "stop" }), done),
  },
  {
    name: "everything in one chunk",
    input: stream(chunk({ content: "Héllo" }, { finish: "length" })),
    finish: "length",
  },
  { name: "two finishes", input: stream(start, say("Héllo"), stop, chunk({ content: "" }, { finish: "stop" }), done) },
  { name: "text after the finish", input: stream(start, say("Hé"), stop, say("llo"), done) },
  {
    name: "a finish with each chunk",
    input: stream(
      chunk({ content: "Hé" }, { finish: "stop" }),
      chunk({ content: "l" }, { finish: "stop" }),
      chunk({ content: "lo" }, { finish: "length" }),
      done,
    ),
    finish: "length",
  },
  {
    name: "a finish with each chunk, all alike",
    input: stream(start, ..."xxy".split("").map((said) => chunk({ content: said }, { finish: "stop" })), done),
    content: "xxy",
  },
  {
    name: "a telling finish before a plain one",
    input: stream(start, say("Héllo"), chunk({}, { finish: "length" }), stop, done),
    finish: "length",
  },
  {
    name: "a plain finish before a telling one",
    input: stream(start, say("Héllo"), stop, chunk({}, { finish: "content_filter" }), done),
    finish: "content_filter",
  },
  {
    name: "an empty chunk after the finish",
    input: stream(start, say("Héllo"), stop, chunk({ content: "", role: "assistant" }), done),
  },
  { name: "[DONE] without a finish", input: stream(start, say("Héllo"), done) },
  {
    name: "[DONE] without a finish after tool calls",
    input: stream(chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: "{}" } }] }), done),
    content: "",
    finish: "tool_calls",
  },
  {
    name: "the connection cut inside an event after the finish",
    input: `${stream(start, say("Héllo"), stop)}data: {"id":"chatcmpl`,
  },
  {
    name: "choices that are no objects",
    input: stream(start, { ...say("Héllo"), choices: [null, ...(say("Héllo")["choices"] as unknown[])] }, stop, done),
  },
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

describe("the reply", () => {
  it("is not misled by another text under the same key", () => {
    const twice = (whole: string): unknown => ({
      ...start,
      choices: [{ index: 0, message: { content: whole }, delta: { content: "x" }, finish_reason: null }],
    });
    const { reply } = repairAll([stream(start, twice("x"), twice("y"), twice("z"), stop, done)]);
    expect(reply.content).toBe("xxx");
  });
});

describe("bytes that are no UTF-8", () => {
  it("are made valid, also in an event that would go through as it is", () => {
    const good = encode(stream(start, say("aQ")));
    const bad = Uint8Array.from(good, (byte) => (byte === 0x51 ? 0xff : byte));
    const { bytes } = repairAll([bad, stream(stop, done)], {});
    expect(checkStream(bytes, { usage: false }).content.get(0)).toBe("a\uFFFD");
  });
});

describe("deltas", () => {
  it("are told in order as they come, reasoning apart from text", () => {
    const deltas: unknown[] = [];
    const input = stream(
      chunk({ reasoning_content: "r1" }),
      chunk({ reasoning: "r2" }),
      say("a"),
      say("b"),
      chunk({ content: "c" }, { finish: "stop" }),
      say("d"),
      done,
    );
    const { reply } = repairAll([input], { onDelta: (delta) => deltas.push(delta) });
    expect(deltas).toEqual([
      { choice: 0, reasoning: "r1" },
      { choice: 0, reasoning: "r2" },
      ...["a", "b", "c", "d"].map((content) => ({ choice: 0, content })),
    ]);
    expect(reply).toMatchObject({ content: "abcd", reasoning: "r1r2" });
  });
});

import { expect } from "vitest";

type Json = Record<string, unknown>;

/** A call of a tool as a client that joins its pieces by their index has it. */
export interface CheckedCall {
  id: string;
  name: string;
  arguments: string;
}

/** What a checked stream said. */
export interface CheckedStream {
  chunks: Json[];
  /** Concatenated text of each choice. */
  content: Map<number, string>;
  reasoning: Map<number, string>;
  refusal: Map<number, string>;
  /** Calls of each choice, in the order of their index. */
  calls: Map<number, CheckedCall[]>;
  finish: Map<number, string>;
  usage: Json | undefined;
  error: Json | undefined;
}

/**
 * Holds a stream against the grammar that clients rely on, written from its description alone: frames, one identity, the
 * role first and once, one finish at the end of each choice, usage only if asked for and only at the end, `[DONE]` last or
 * an error last. Comment lines may stand between frames. Fails the test where anything is wrong.
 */
export function checkStream(bytes: Uint8Array, asked: { usage: boolean }): CheckedStream {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text.endsWith("\n\n"), "the stream ends with a blank line").toBe(true);
  const frames = text
    .slice(0, -2)
    .split("\n\n")
    .filter((frame) => !/^: [^\r\n]*$/.test(frame));
  const checked: CheckedStream = {
    chunks: [],
    content: new Map(),
    reasoning: new Map(),
    refusal: new Map(),
    calls: new Map(),
    finish: new Map(),
    usage: undefined,
    error: undefined,
  };
  const begun = new Set<number>();
  let over = false;
  for (const frame of frames) {
    expect(frame, "each frame is one data line").toMatch(/^data: [^\r\n]+$/);
    expect(over, "nothing follows the end").toBe(false);
    const data = frame.slice(6);
    if (data === "[DONE]") {
      over = true;
      expect(begun.size, "a whole answer has a choice").toBeGreaterThan(0);
      expect([...checked.finish.keys()].sort(), "each choice finished").toEqual([...begun].sort());
      continue;
    }
    const chunk = JSON.parse(data) as Json;
    if (chunk["error"] !== undefined && chunk["error"] !== null) {
      over = true;
      checked.error = chunk["error"] as Json;
      expect(checked.finish.size, "an answer that failed has no finish").toBe(0);
      continue;
    }
    checkChunk(chunk, checked, begun, asked.usage);
  }
  expect(over, "the stream has an end").toBe(true);
  return checked;
}

function checkChunk(chunk: Json, checked: CheckedStream, begun: Set<number>, usageAsked: boolean): void {
  const [first = chunk] = checked.chunks;
  checked.chunks.push(chunk);
  expect(chunk["object"]).toBe("chat.completion.chunk");
  expect(chunk["id"]).toBeTypeOf("string");
  expect(chunk["id"]).not.toBe("");
  expect(Number.isInteger(chunk["created"])).toBe(true);
  expect(chunk["model"]).toBeTypeOf("string");
  expect([chunk["id"], chunk["created"], chunk["model"]]).toEqual([first["id"], first["created"], first["model"]]);
  expect(checked.usage, "nothing but the end follows the usage").toBeUndefined();
  const choices = chunk["choices"] as Json[];
  expect(Array.isArray(choices)).toBe(true);
  if (chunk["usage"] !== null && chunk["usage"] !== undefined) {
    expect(usageAsked, "usage only if asked for").toBe(true);
    expect(choices).toEqual([]);
    expect(checked.finish.size, "usage after the finish").toBe(begun.size);
    checked.usage = chunk["usage"] as Json;
  }
  for (const choice of choices) {
    const index = choice["index"] as number;
    expect(Number.isInteger(index)).toBe(true);
    expect(checked.finish.has(index), "nothing in a choice after its finish").toBe(false);
    const delta = choice["delta"] as Json;
    expect(typeof delta).toBe("object");
    expect(delta).not.toBeNull();
    if (begun.has(index)) expect("role" in delta, "the role only once").toBe(false);
    else expect(delta["role"], "the role first").toBe("assistant");
    begun.add(index);
    add(checked.content, index, delta["content"]);
    add(checked.reasoning, index, delta["reasoning_content"]);
    expect(delta["reasoning"] ?? "", "thoughts have one name").toBe("");
    expect(delta["content"] ?? "", "text is a text").toBeTypeOf("string");
    add(checked.refusal, index, delta["refusal"]);
    if (Array.isArray(delta["tool_calls"]))
      for (const piece of delta["tool_calls"]) addCall(checked, index, piece as Json);
    const reason = choice["finish_reason"] ?? null;
    if (reason === null) continue;
    expect(reason).toBeTypeOf("string");
    expect(reason).not.toBe("");
    checked.finish.set(index, reason as string);
    // A whole answer with calls says so, or clients take it for the last one; with arguments that can be read.
    if (!checked.calls.has(index) || reason === "length" || reason === "content_filter") continue;
    expect(reason, "no answer with calls is the last one").not.toBe("stop");
    for (const call of checked.calls.get(index)!) expect(call.arguments.trim(), "arguments are there").not.toBe("");
  }
}

function add(texts: Map<number, string>, index: number, text: unknown): void {
  if (typeof text === "string") texts.set(index, (texts.get(index) ?? "") + text);
}

/**
 * Joins the pieces of calls by their index alone, as the clients do: the first one of an index says all of the call, the
 * others only what is added to its arguments; the indices begin at 0 and leave none out.
 */
function addCall(checked: CheckedStream, choice: number, piece: Json): void {
  const calls = checked.calls.get(choice) ?? [];
  checked.calls.set(choice, calls);
  const index = piece["index"] as number;
  const { id, type, function: fn } = piece as { id?: string; type?: string; function?: Json };
  expect(Number.isInteger(index) && index >= 0 && index <= calls.length, "calls are counted without gaps").toBe(true);
  const args = fn?.["arguments"];
  expect(args, "arguments are a text").toBeTypeOf("string");
  const known = calls[index];
  if (known) {
    expect([id, type, fn?.["name"]], "a call says only once who it is").toEqual([undefined, undefined, undefined]);
    known.arguments += args as string;
    return;
  }
  expect(type).toBe("function");
  expect(id, "a call has an id").toMatch(/./);
  expect(fn?.["name"], "a call has a name").toMatch(/./);
  const all = [...checked.calls.values()].flat();
  if (checked.calls.size === 1) expect(all.map((call) => call.id)).not.toContain(id);
  calls.push({ id: id!, name: fn!["name"] as string, arguments: args as string });
}

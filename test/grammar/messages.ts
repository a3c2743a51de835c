import { expect } from "vitest";

type Json = Record<string, unknown>;

export interface CheckedBlock {
  type: string;
  text: string;
  thinking: string;
  signature: string;
  /** Of a tool call: the pieces of its input, joined. */
  json: string;
  id: string | undefined;
  name: string | undefined;
}

/** What a checked stream of the Messages API said. */
export interface CheckedMessage {
  blocks: CheckedBlock[];
  start: Json;
  stopReason: string | undefined;
  stopSequence: string | null | undefined;
  usage: Json | undefined;
  error: Json | undefined;
  pings: number;
}

const counts = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const kindOfDelta: Record<string, string> = {
  text_delta: "text",
  citations_delta: "text",
  thinking_delta: "thinking",
  signature_delta: "thinking",
  input_json_delta: "tool_use",
};

/**
 * Holds a stream against the grammar of the Messages API, written from its description ("Streaming messages") alone: named events
 * whose name stands in the data too; one `message_start` with an empty message and its usage first; blocks with contiguous indices,
 * opened and closed one after another, deltas of their own kind only; one `message_delta` with reason and usage, `message_stop` last.
 * `ping` may come anywhere between, `error` instead of an end. Fails the test where anything is wrong.
 */
export function checkMessages(bytes: Uint8Array): CheckedMessage {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  expect(text.endsWith("\n\n"), "the stream ends with a blank line").toBe(true);
  const checked: CheckedMessage = {
    blocks: [],
    start: {},
    stopReason: undefined,
    stopSequence: undefined,
    usage: undefined,
    error: undefined,
    pings: 0,
  };
  let state: "before" | "between" | "block" | "ended" | "over" = "before";
  for (const frame of text.slice(0, -2).split("\n\n")) {
    const [, name, data] = /^event: (\w+)\ndata: ([^\n\r]+)$/.exec(frame) ?? [];
    expect(name, `a named event with one data line: ${frame.slice(0, 200)}`).toBeDefined();
    const event = JSON.parse(data!) as Json;
    expect(event["type"]).toBe(name);
    expect(state, "nothing follows the end").not.toBe("over");
    switch (name) {
      case "ping":
        checked.pings += 1;
        expect(state, "a ping stands between start and end").not.toBe("before");
        break;
      case "error":
        checked.error = event["error"] as Json;
        expect(checked.error["type"]).toMatch(/^\w+_error$|^request_too_large$/);
        expect(checked.error["message"]).toBeTypeOf("string");
        state = "over";
        break;
      case "message_start":
        expect(state).toBe("before");
        checked.start = event["message"] as Json;
        checkStart(checked.start);
        state = "between";
        break;
      case "content_block_start":
        expect(state).toBe("between");
        expect(event["index"]).toBe(checked.blocks.length);
        checked.blocks.push(openBlock(event["content_block"] as Json));
        state = "block";
        break;
      case "content_block_delta":
        expect(state).toBe("block");
        expect(event["index"]).toBe(checked.blocks.length - 1);
        addDelta(checked.blocks.at(-1)!, event["delta"] as Json);
        break;
      case "content_block_stop":
        expect(state).toBe("block");
        expect(event["index"]).toBe(checked.blocks.length - 1);
        checkBlock(checked.blocks.at(-1)!);
        state = "between";
        break;
      case "message_delta":
        expect(state).toBe("between");
        checkEnd(event, checked);
        state = "ended";
        break;
      case "message_stop":
        expect(state).toBe("ended");
        state = "over";
        break;
      default:
        expect.fail(`no event of the dialect: ${name}`);
    }
  }
  expect(state, "the stream has an end").toBe("over");
  return checked;
}

function checkStart(message: Json): void {
  expect(message).toMatchObject({
    type: "message",
    role: "assistant",
    content: [],
    stop_reason: null,
    stop_sequence: null,
  });
  expect(message["id"]).toMatch(/^msg_\w+$/);
  expect(message["model"]).toBeTypeOf("string");
  checkUsage(message["usage"] as Json);
  expect((message["usage"] as Json)["cache_creation"]).toMatchObject({ ephemeral_5m_input_tokens: expect.any(Number) });
}

function checkUsage(usage: Json): void {
  for (const name of counts) expect(Number.isInteger(usage[name]) && (usage[name] as number) >= 0, name).toBe(true);
}

function openBlock(block: Json): CheckedBlock {
  const { type, id, name } = block;
  if (type === "text") expect(block["text"]).toBe("");
  else if (type === "thinking") expect([block["thinking"], block["signature"]]).toEqual(["", ""]);
  else if (type === "redacted_thinking") expect(block["data"]).toBeTypeOf("string");
  else {
    expect(type).toBe("tool_use");
    expect(id).toMatch(/^[\w-]+$/);
    expect(name).toMatch(/./);
    expect(block["input"]).toEqual({});
  }
  return {
    type: type as string,
    text: "",
    thinking: "",
    signature: "",
    json: "",
    id: id as string | undefined,
    name: name as string | undefined,
  };
}

function addDelta(block: CheckedBlock, delta: Json): void {
  expect(kindOfDelta[delta["type"] as string], "a delta of the block's own kind").toBe(block.type);
  const { text, thinking, signature, partial_json: json } = delta;
  for (const piece of [text, thinking, signature, json]) if (piece !== undefined) expect(piece).toBeTypeOf("string");
  block.text += (text as string | undefined) ?? "";
  block.thinking += (thinking as string | undefined) ?? "";
  block.signature += (signature as string | undefined) ?? "";
  block.json += (json as string | undefined) ?? "";
}

/** Providers of the dialect refuse texts without letters when they come back; an input is a JSON object. */
function checkBlock({ type, text, json }: CheckedBlock): void {
  if (type === "text") expect(text.trim(), "a text says something").not.toBe("");
  if (type === "tool_use" && json !== "") expect(JSON.parse(json)).toBeTypeOf("object");
}

function checkEnd(event: Json, checked: CheckedMessage): void {
  const { stop_reason: reason, stop_sequence: sequence } = event["delta"] as Json;
  expect(reason).toMatch(
    /^(end_turn|max_tokens|stop_sequence|tool_use|pause_turn|refusal|model_context_window_exceeded)$/,
  );
  expect(sequence === null).toBe(reason !== "stop_sequence");
  if (reason === "tool_use") expect(checked.blocks.some(({ type }) => type === "tool_use")).toBe(true);
  checked.stopReason = reason as string;
  checked.stopSequence = sequence as string | null;
  checked.usage = event["usage"] as Json;
  checkUsage(checked.usage);
}

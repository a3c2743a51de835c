import { isRecord, tryParseJson } from "../../../lib/json.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { mergeUsage, toUsage } from "./to-usage.ts";

type Fields = Record<string, unknown>;

/** A content block that is being streamed. */
interface OpenBlock {
  type: unknown;
  /** Of a tool call: its index in the answer. */
  call: number;
  /** What a tool call began with, and whether its arguments came. */
  input: unknown;
  hasArguments: boolean;
  thought: { type: string; thinking?: string; signature?: string; data?: unknown } | undefined;
}

export interface EventConverterOptions {
  model: string;
  /** Epoch seconds. */
  now: number;
}

/** Maximum number of open blocks, and maximum length of a thought; more is dropped. */
const maxOpen = 256;
const maxThoughtLength = 4 * 1024 * 1024;

/**
 * Converts the events of a Messages stream to chat-completions frames: each call returns the frames for one event, or
 * nothing. Readers repair and end the stream; an error becomes that dialect's error event.
 */
export function createEventConverter({ model, now }: EventConverterOptions): (data: string) => string {
  const open = new Map<unknown, OpenBlock>();
  let head = headOf({ model });
  let usage: Fields = {};
  let calls = 0;

  /** All chunks begin alike, so that readers need not parse each of them. */
  function headOf(message: Fields): string {
    const { id, model: said } = message;
    const frame = {
      ...(typeof id === "string" && id !== "" ? { id } : {}),
      object: "chat.completion.chunk",
      created: now,
      model: typeof said === "string" && said !== "" ? said : model,
    };
    return `data: ${JSON.stringify(frame).slice(0, -1)},"choices":[`;
  }

  function chunk(delta: string): string {
    return `${head}{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;
  }

  function begin(message: unknown): string {
    if (isRecord(message)) {
      head = headOf(message);
      usage = mergeUsage(usage, message["usage"]);
    }
    return chunk('{"role":"assistant","content":""}');
  }

  function openBlock(index: unknown, block: unknown): string {
    if (!isRecord(block) || (open.size >= maxOpen && !open.has(index))) return "";
    const { type, text, thinking, input, id, name, signature, data } = block;
    const opened: OpenBlock = { type, call: calls, input, hasArguments: false, thought: undefined };
    open.set(index, opened);
    if (type === "redacted_thinking") opened.thought = { type, data };
    if (type === "thinking") {
      opened.thought = { type, thinking: "", signature: typeof signature === "string" ? signature : "" };
      return typeof thinking === "string" ? think(opened, thinking) : "";
    }
    if (type === "text" && typeof text === "string") return say(text);
    if (type !== "tool_use") return "";
    calls += 1;
    const call = { index: opened.call, id, type: "function", function: { name, arguments: "" } };
    return chunk(JSON.stringify({ tool_calls: [call] }));
  }

  function say(text: string): string {
    return text === "" ? "" : chunk(`{"content":${JSON.stringify(text)}}`);
  }

  function think(block: OpenBlock, text: string): string {
    if (text === "") return "";
    if (block.thought?.thinking !== undefined && block.thought.thinking.length < maxThoughtLength)
      block.thought.thinking += text;
    return chunk(`{"reasoning_content":${JSON.stringify(text)}}`);
  }

  function pass(block: OpenBlock, args: string): string {
    if (args === "" || block.type !== "tool_use") return "";
    block.hasArguments = true;
    return chunk(`{"tool_calls":[{"index":${block.call},"function":{"arguments":${JSON.stringify(args)}}}]}`);
  }

  function goOn(block: OpenBlock | undefined, delta: unknown): string {
    if (!block || !isRecord(delta)) return "";
    const { type, text, thinking, partial_json: json, signature } = delta;
    if (type === "text_delta" && typeof text === "string") return say(text);
    if (type === "thinking_delta" && typeof thinking === "string") return think(block, thinking);
    if (type === "input_json_delta" && typeof json === "string") return pass(block, json);
    if (type === "signature_delta" && typeof signature === "string" && block.thought)
      block.thought.signature = (block.thought.signature ?? "") + signature;
    return "";
  }

  function close(index: unknown): string {
    const block = open.get(index);
    open.delete(index);
    if (!block) return "";
    if (block.thought) return chunk(JSON.stringify({ thinking_blocks: [block.thought] }));
    // A tool that is called with nothing: its arguments are an empty object, not an empty text.
    return block.hasArguments ? "" : pass(block, JSON.stringify(isRecord(block.input) ? block.input : {}));
  }

  function finish(event: Fields): string {
    usage = mergeUsage(usage, event["usage"]);
    const ended = isRecord(event["delta"]) ? event["delta"] : {};
    if (typeof ended["stop_reason"] !== "string") return "";
    const choice = { index: 0, delta: {}, ...finishReasonOf(ended) };
    return `${head}${JSON.stringify(choice)}]}\n\n`;
  }

  function end(): string {
    const last = Object.keys(usage).length > 0 ? `${head}],"usage":${JSON.stringify(toUsage(usage))}}\n\n` : "";
    return `${last}data: [DONE]\n\n`;
  }

  return (data) => {
    const event = tryParseJson(data);
    if (!isRecord(event)) return "";
    switch (event["type"]) {
      case "message_start":
        return begin(event["message"]);
      case "content_block_start":
        return openBlock(event["index"], event["content_block"]);
      case "content_block_delta":
        return goOn(open.get(event["index"]), event["delta"]);
      case "content_block_stop":
        return close(event["index"]);
      case "message_delta":
        return finish(event);
      case "message_stop":
        return end();
      case "ping":
        return "";
      default:
        // An error, in this dialect or another: whoever reads it knows them all.
        return isRecord(event["error"]) ? `data: ${JSON.stringify({ error: event["error"] })}\n\n` : "";
    }
  };
}

import { newId as newUuid } from "../../lib/id.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { readContentParts } from "../../upstream/chunks/read-content-parts.ts";
import { dialectId, messageHead } from "./message-head.ts";
import type { AnswerOptions } from "./messages-converter.ts";
import { stopOf } from "./stop-reason.ts";
import { firstOf } from "./stop-watch.ts";
import { toUsage } from "./to-usage.ts";

type Block = Record<string, unknown>;

/** Converts a chat completion into a Messages answer. */
export function fromCompletion(completion: Record<string, unknown>, options: AnswerOptions): Record<string, unknown> {
  const { model, sequences, showsThinking, inputTokens, newId = newUuid } = options;
  const [choice = {}] = Array.isArray(completion["choices"]) ? completion["choices"].filter(isRecord) : [];
  const message = isRecord(choice["message"]) ? choice["message"] : {};
  const said = textsOf(message);
  const cut = firstOf(said.text, sequences);
  const text = cut ? said.text.slice(0, cut.at) : said.text;
  const calls = cut ? [] : callsOf(message, newId);
  const content = [
    ...(showsThinking ? thoughtsOf(message, said.thinking) : []),
    ...(text.trim() === "" ? [] : [{ type: "text", text, citations: null }]),
    ...calls,
  ];
  const letters = text.length + said.thinking.length + (calls.length > 0 ? JSON.stringify(calls).length : 0);
  return {
    ...messageHead(model, newId),
    content,
    ...stopOf(choice, { sequences, calls: calls.length, met: cut?.sequence }),
    stop_details: null,
    container: null,
    usage: toUsage(completion["usage"], { input: inputTokens, letters }),
  };
}

function textsOf(message: Block): { text: string; thinking: string } {
  const { content, refusal, reasoning_content: reasoning, reasoning: other } = message;
  const parts = Array.isArray(content) ? readContentParts(content) : { text: content, thinking: "" };
  const thinking = [reasoning, other, parts.thinking].find((each) => typeof each === "string" && each !== "");
  const text = [parts.text, refusal].filter((each) => typeof each === "string").join("");
  return { text, thinking: typeof thinking === "string" ? thinking : "" };
}

/** Complete blocks with their signatures, if the provider is native. */
function thoughtsOf({ thinking_blocks: blocks }: Block, thinking: string): Block[] {
  if (Array.isArray(blocks) && blocks.length > 0) return blocks.filter(isRecord);
  return thinking.trim() === "" ? [] : [{ type: "thinking", thinking, signature: "" }];
}

function callsOf({ tool_calls: calls, function_call: legacy }: Block, newId: () => string): Block[] {
  const given = Array.isArray(calls) ? calls.filter(isRecord) : isRecord(legacy) ? [{ function: legacy }] : [];
  const used = new Set<string>();
  return given.flatMap((call) => {
    const { id, function: fn } = call as Block;
    if (!isRecord(fn)) return [];
    const own = typeof id === "string" ? id.replace(/[^\w-]/g, "_") : "";
    const unique = own !== "" && !used.has(own) ? own : dialectId("toolu", newId);
    used.add(unique);
    return [{ type: "tool_use", id: unique, name: String(fn["name"] ?? ""), input: inputOf(fn["arguments"]) }];
  });
}

/**
 * The dialect allows only objects. Invalid arguments (of a truncated answer) are kept, so that the client's tool can
 * report them.
 */
function inputOf(args: unknown): Block {
  if (isRecord(args)) return args;
  if (typeof args !== "string" || args.trim() === "") return {};
  const value = tryParseJson(args);
  return isRecord(value) ? value : { invalid_arguments: args };
}

import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { ToolCall } from "../answers/accumulate-tool-calls.ts";

/** Ids of providers that are plain stay as they are, unless they only count: those come again in the next answer. */
const plain = /^(?!(?:\D{0,12}\d{1,4})$)[\w.:-]{1,64}$/;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Nine letters and digits: the one form that every provider takes (Mistral refuses all others). */
export function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}

/**
 * The calls of one round, each with an id that no other call of the message has: some providers leave ids out, and some count
 * from nought again in every round.
 * @param used ids that are taken; the new ones are added
 */
export function withOwnIds(calls: readonly ToolCall[], used: Set<string>): ToolCall[] {
  return calls.map((call) => {
    let { id } = call;
    while (!plain.test(id) || used.has(id)) id = newCallId();
    used.add(id);
    return { ...call, id };
  });
}

/** Ids of the calls that stand in the messages already. */
export function idsIn(messages: readonly Record<string, unknown>[]): Set<string> {
  const ids = messages.flatMap(({ tool_calls: calls }) =>
    Array.isArray(calls) ? calls.map((call: { id?: unknown } | null) => call?.id) : [],
  );
  return new Set(ids.filter((id): id is string => typeof id === "string"));
}

/** What a model wrote as name and arguments, in a form in which every provider takes it back: many read it as JSON again. */
export function presentable(call: { name: string; arguments: string }): { name: string; arguments: string } {
  const name = call.name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  const isObject = isRecord(tryParseJson(call.arguments));
  return { name: name === "" ? "unknown" : name, arguments: isObject ? call.arguments : "{}" };
}

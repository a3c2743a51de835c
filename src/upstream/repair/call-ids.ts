import { isRecord, tryParseJson } from "../../lib/json.ts";
import type { ToolCall } from "../answers/accumulate-tool-calls.ts";

/** Plain ids of providers are kept, unless they are only counters, which repeat in the next answer. */
const plain = /^(?!(?:\D{0,12}\d{1,4})$)[\w.:-]{1,64}$/;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Nine letters and digits: the one form that all providers accept (Mistral rejects all others). */
export function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => letters[byte % letters.length]).join("");
}

/**
 * The calls of one round with ids that are unique in the message: some providers leave ids out, and some count from
 * zero again in every round.
 * @param used existing ids; the new ones are added
 */
export function withOwnIds(calls: readonly ToolCall[], used: Set<string>): ToolCall[] {
  return calls.map((call) => {
    let { id } = call;
    while (!plain.test(id) || used.has(id)) id = newCallId();
    used.add(id);
    return { ...call, id };
  });
}

/** Ids of the calls in the messages. */
export function idsIn(messages: readonly Record<string, unknown>[]): Set<string> {
  const ids = messages.flatMap(({ tool_calls: calls }) =>
    Array.isArray(calls) ? calls.map((call: { id?: unknown } | null) => call?.id) : [],
  );
  return new Set(ids.filter((id): id is string => typeof id === "string"));
}

/** A call's name and arguments in a form that all providers accept back: many parse it as JSON again. */
export function presentable(call: { name: string; arguments: string }): { name: string; arguments: string } {
  const name = call.name.replaceAll(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  const isObject = isRecord(tryParseJson(call.arguments));
  return { name: name === "" ? "unknown" : name, arguments: isObject ? call.arguments : "{}" };
}

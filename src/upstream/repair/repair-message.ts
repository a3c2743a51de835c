import { isRecord } from "../../lib/json.ts";
import { createToolCallList } from "../answers/accumulate-tool-calls.ts";
import type { Chunk } from "../chunks/chunk-shape.ts";
import { createDeltaRepair, type DeltaRepairOptions } from "./repair-delta.ts";

/**
 * Brings a whole message into the dialect, in place: what a stream of it would come to.
 * @param isCut the answer was cut off at its longest
 * @returns whether anything was changed
 */
export function repairMessage(message: Chunk, options: DeltaRepairOptions, isCut: boolean): boolean {
  const repair = createDeltaRepair(options);
  const { tool_calls: given } = message;
  // Each entry is a call of its own here.
  const entries = (Array.isArray(given) ? given : isRecord(given) ? [given] : []) as unknown[];
  if (entries.length > 0)
    message["tool_calls"] = entries.map((call, index) => (isRecord(call) ? { ...call, index } : call));
  const { isChanged, before } = repair.add(message);
  const rest = repair.rest();
  const end = repair.end(isCut);
  const deltas = [...before, message, ...(rest ? [rest] : []), ...(end ? [end] : [])];
  const isOther = isChanged || rest !== undefined || end !== undefined;
  if (isOther) {
    for (const name of ["reasoning_content", "content"]) {
      const texts = deltas.map((delta) => delta[name]).filter((text) => typeof text === "string");
      if (texts.length > 0) message[name] = texts.join("");
    }
  }
  const calls = createToolCallList();
  for (const { tool_calls: pieces } of deltas) if (Array.isArray(pieces)) pieces.forEach(calls.add);
  if (entries.length > 0) message["tool_calls"] = isOther ? calls.list() : given;
  return isOther;
}

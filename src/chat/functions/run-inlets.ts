import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { pluginError } from "../../plugins/failure.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { FunctionCaller } from "./function-caller.ts";
import { metadataOf } from "./reserved.ts";
import type { TurnPlace } from "./turn-place.ts";

type Body = Record<string, unknown>;

/**
 * The request after the inlet filters, one after the other. Whether the answer is streamed remains the caller's choice.
 * @throws AppError with the message of the filter that refuses, before any model is asked
 */
export async function runInlets(
  ctx: Context,
  filters: readonly PluginEntry[],
  functions: FunctionCaller,
  turn: { body: Body; place: TurnPlace; stream: boolean },
): Promise<Body> {
  const { body, place, stream } = turn;
  let filtered: Body = { ...body, stream, metadata: metadataOf(ctx, place, body) };
  for (const filter of filters) {
    if (!filter.info.hooks.includes("inlet")) continue;
    const result = await functions.call(filter, "inlet", { body: filtered });
    if (!result.ok) throw pluginError(result.error, filter.name);
    filtered = readBody(filter, result.value ?? filtered);
    if (filter.info.fileHandler) delete filtered["files"];
  }
  const { metadata: _, ...rest } = filtered;
  // The request's own field of this name goes on to the model.
  return { ...rest, stream, ...(body["metadata"] === undefined ? {} : { metadata: body["metadata"] }) };
}

function readBody(filter: PluginEntry, value: unknown): Body {
  const isBody =
    isRecord(value) &&
    typeof value["model"] === "string" &&
    Array.isArray(value["messages"]) &&
    value["messages"].every(isRecord);
  if (!isBody) throw new AppError("plugin_failed", `${filter.name}: its inlet did not return a request`);
  return value;
}

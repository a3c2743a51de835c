import type { AppError } from "../../errors.ts";
import { isRecord } from "../../lib/json.ts";
import { pluginError } from "../../plugins/failure.ts";
import type { PluginEntry } from "../../plugins/plugin-index.ts";
import type { FunctionCaller } from "./function-caller.ts";

type Payload = Record<string, unknown>;

/**
 * The payload of a finished chat after the outlet filters, one after the other.
 * @param onFailed handles a failed filter: it throws, or the filter is skipped
 */
export async function runOutlets(
  filters: readonly PluginEntry[],
  functions: FunctionCaller,
  payload: Payload,
  signal: AbortSignal,
  onFailed: (filter: PluginEntry, error: AppError) => void,
): Promise<Payload> {
  let filtered = payload;
  for (const filter of filters) {
    if (!filter.info.hooks.includes("outlet")) continue;
    const result = await functions.call(filter, "outlet", { body: filtered }, { signal });
    if (!result.ok) onFailed(filter, pluginError(result.error, filter.name));
    else if (isRecord(result.value)) filtered = result.value;
  }
  return filtered;
}

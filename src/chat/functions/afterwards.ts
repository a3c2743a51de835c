import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { findReadable } from "../../plugins/find-plugin.ts";
import type { PluginCall, PluginCapabilities, PluginLog } from "../../plugins/plugin-host.ts";
import { isSwitchedOn, type PluginEntry } from "../../plugins/plugin-index.ts";
import { contextNow } from "./capabilities.ts";

/**
 * What a plugin leaves running goes on after its answer, as long as the plugin is what was called and is on, and the caller may still
 * use it: signed in, not switched off, and with access to it.
 * @param capabilitiesUntil made with the signal that ends what it asked for
 * @returns of its call: the capabilities, how long it may take, and what may go on, where the setting and the language allow something
 */
export function allowancesOf(
  ctx: Context,
  entry: PluginEntry,
  method: string,
  signal: AbortSignal,
  capabilitiesUntil: (signal: AbortSignal, entry: PluginEntry) => PluginCapabilities,
): Pick<PluginCall, "capabilities" | "timeoutMs" | "afterwards"> {
  const timeoutMs = ctx.settings.PLUGIN_TIMEOUT * 1000;
  const limitMs = ctx.settings.PLUGIN_TASK_TIMEOUT * 1000;
  if (limitMs === 0 || entry.language !== "python")
    return { capabilities: capabilitiesUntil(signal, entry), timeoutMs, afterwards: undefined };
  const end = new AbortController();
  return {
    capabilities: capabilitiesUntil(AbortSignal.any([signal, end.signal]), entry),
    timeoutMs,
    afterwards: {
      limitMs,
      check: () => requireUnchanged(ctx, entry),
      ended({ logs }) {
        end.abort();
        noteLogs(ctx, entry, method, logs);
      },
    },
  };
}

/** Two round trips. @throws AppError */
async function requireUnchanged(ctx: Context, entry: PluginEntry): Promise<void> {
  const now = await contextNow(ctx, false);
  const { entry: current } = await findReadable(now, entry.family, entry.id);
  const isSame = current.fingerprint === entry.fingerprint && current.isTrusted === entry.isTrusted;
  if (isSame && isSwitchedOn(now.settings, current)) return;
  throw new AppError("plugins_disabled", `${entry.name} was changed or switched off since it was called`);
}

/** Passes on a function's warnings and errors. Other output stays with its author. */
export function noteLogs(ctx: Context, { id, family }: PluginEntry, method: string, logs: readonly PluginLog[]): void {
  for (const { level, text } of logs) {
    if (level === "error" || level === "warning")
      ctx.log.warn("a plugin said", { plugin: `${family}/${id}`, method, level, text: text.slice(0, 1000) });
  }
}

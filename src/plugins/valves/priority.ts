import type { PluginInfo } from "../plugin-host.ts";

/** A plugin's priority among others: its valve `priority`, as set or by default. */
export function priorityOf(info: Pick<PluginInfo, "valveDefaults">, values: Record<string, unknown>): number {
  const priority = values["priority"] ?? info.valveDefaults["priority"];
  return typeof priority === "number" && Number.isFinite(priority)
    ? Math.max(-1_000_000, Math.min(1_000_000, Math.round(priority)))
    : 0;
}

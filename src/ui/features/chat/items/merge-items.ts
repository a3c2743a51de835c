import type { LiveEvent } from "../../../../shared/live-protocol.ts";
import { applyEvent } from "./apply-event.ts";
import { type MessageItems, noItems, type ToolStep } from "./message-items.ts";

/**
 * The items with what an event brings. The same items where it brings nothing, or nothing new: what a load has brought, which
 * the number of the event tells, is not added again.
 */
export function addEvent(items: MessageItems = noItems, { item, data }: LiveEvent): MessageItems {
  if (item !== undefined && item <= items.last) return items;
  const changed = applyEvent(items, data);
  if (!changed && item === undefined) return items;
  return { ...items, ...changed, last: Math.max(items.last, item ?? 0) };
}

/**
 * Joins loaded items with those on screen: whoever knows the later thing knows all before it. Steps of tools change without
 * a number, and only ever go on.
 */
export function mergeItems(
  shown: MessageItems | undefined,
  stored: MessageItems | undefined,
): MessageItems | undefined {
  if (!shown || !stored) return stored ?? shown;
  const newer = shown.last > stored.last ? shown : stored;
  return { ...newer, tools: mergeSteps(shown.tools, stored.tools) };
}

function mergeSteps(shown: readonly ToolStep[], stored: readonly ToolStep[]): readonly ToolStep[] {
  const known = new Map(shown.map((step) => [step.callId, step]));
  const joined = stored.map((step) => {
    const other = known.get(step.callId);
    known.delete(step.callId);
    return other && step.state === "running" ? other : step;
  });
  return [...joined, ...known.values()];
}

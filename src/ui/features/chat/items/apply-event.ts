import type { LiveEvent } from "../../../../shared/live-protocol.ts";
import { isRecord } from "../../../lib/live/live-state.ts";
import {
  addStatus,
  listOf,
  type MessageItems,
  readFollowUps,
  readStatus,
  readTool,
  type ToolStep,
} from "./message-items.ts";

/**
 * What an event changes beside a message's text; undefined for events that change nothing of it, also for types that
 * nobody here knows: plugins may send their own. Long and short names are the same event.
 */
export function applyEvent(items: MessageItems, { type, data }: LiveEvent["data"]): Partial<MessageItems> | undefined {
  const record = isRecord(data) ? data : {};
  switch (type) {
    case "status":
      return { statuses: addStatus(items.statuses, readStatus(data)) };
    case "source":
    case "citation":
      // Other things travel under this name too, such as code that was run; they say so by a type.
      return record["type"] ? undefined : { sources: [...items.sources, data] };
    case "files":
    case "chat:message:files":
      return { files: listOf(record["files"]) };
    case "embeds":
    case "chat:message:embeds": {
      const embeds = listOf(record["embeds"]);
      return { embeds: record["replace"] === true ? embeds : [...items.embeds, ...embeds] };
    }
    case "chat:tool": {
      const step = readTool(data);
      return step && { tools: putStep(items.tools, step) };
    }
    case "chat:message:follow_ups":
      return { followUps: readFollowUps(record["follow_ups"]) };
    case "chat:message:favorite":
      return { favorite: record["favorite"] === true };
    default:
      return undefined;
  }
}

/** Steps of one call are one thing that changes. */
function putStep(steps: readonly ToolStep[], step: ToolStep): ToolStep[] {
  return steps.some((each) => each.callId === step.callId)
    ? steps.map((each) => (each.callId === step.callId ? step : each))
    : [...steps, step];
}

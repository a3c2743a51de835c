import { isRecord, tryParseJson } from "../../lib/json.ts";
import { createEventSplitter } from "../../upstream/answers/split-events.ts";

/** Observes a provider's native stream while it passes through. */
export interface NativeEvents {
  add(text: string): void;
  /** The last event has come: `message_stop`, or an error. */
  isOver(): boolean;
  failed(): boolean;
  /** As the provider counted so far. */
  usage(): Record<string, unknown> | undefined;
}

/** Longer events have no counts. */
const maxEventLength = 4 * 1024 * 1024;

/** Watches a Messages stream for the events with usage or the end, and skips all others. */
export function createNativeEvents(): NativeEvents {
  let usage: Record<string, unknown> | undefined;
  let isOver = false;
  let failed = false;
  const splitter = createEventSplitter({
    maxLength: maxEventLength,
    onEvent: ({ data, name }) => {
      if (/^message_(start|delta)$/.test(name)) count(data);
      if (name === "error") failed = true;
      if (name === "message_stop" || name === "error") isOver = true;
      return true;
    },
    onOverflow: () => undefined,
  });

  function count(data: string): void {
    const event = tryParseJson(data);
    if (!isRecord(event)) return;
    const message = isRecord(event["message"]) ? event["message"] : event;
    if (!isRecord(message["usage"])) return;
    // What comes later are totals; what it leaves out stands.
    const said = Object.entries(message["usage"]).filter(([, value]) => value !== null);
    usage = { ...usage, ...Object.fromEntries(said) };
  }

  return {
    add: splitter.push,
    isOver() {
      return isOver;
    },
    failed() {
      return failed;
    },
    usage() {
      return usage;
    },
  };
}

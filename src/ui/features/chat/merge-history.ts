import { mergeItems } from "./items/merge-items.ts";
import { type History, type Message, pathTo, soundHistory } from "./message-tree.ts";

/** What a tab knows that the service may not have stored yet when it answered. */
export interface LocalKnowledge {
  /** Messages that are on their way to the service. */
  unsent: ReadonlySet<string>;
  /** Whether a run writes to the message right now. */
  isRunning: (id: string) => boolean;
}

/**
 * Joins the stored history with what the tab shows. The service wins, except that messages on their way stay, and an
 * answer whose end has been heard does not become unfinished again by a copy that was read before that end.
 *
 * The shown branch stays, unless it has grown on the service: another tab has gone on in it.
 */
export function mergeHistory(shown: History, stored: History, local: LocalKnowledge): History {
  const messages: Record<string, Message> = { ...stored.messages };
  for (const id of local.unsent) {
    const message = shown.messages[id];
    if (message && !messages[id]) messages[id] = message;
  }
  for (const message of Object.values(stored.messages)) {
    const known = shown.messages[message.id];
    const ended = known !== undefined && known.state !== "streaming" && !local.unsent.has(message.id);
    if (message.state === "streaming" && ended && !local.isRunning(message.id)) messages[message.id] = known;
    else if (known) messages[message.id] = joined(known, message);
  }
  const merged = soundHistory({ currentId: stored.currentId, messages });
  const current = shown.currentId;
  if (current === null || !merged.messages[current]) return merged;
  const grown = pathTo(merged, stored.currentId).some((message) => message.id === current);
  return grown ? merged : { ...merged, currentId: current };
}

/** A stored message with what the tab knows better. */
function joined(known: Message, stored: Message): Message {
  const items = mergeItems(known.items, stored.items);
  const duration = stored.duration ?? known.duration;
  return { ...stored, ...(items ? { items } : {}), ...(duration === undefined ? {} : { duration }) };
}

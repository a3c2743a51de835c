import type { LiveEvent } from "../../../../events/protocol.ts";
import { isRecord } from "../../../lib/live/live-state.ts";
import { changeMessage, type History, type Message } from "../message-tree.ts";
import { applyEvent } from "./apply-event.ts";
import { noItems, readStatus } from "./message-items.ts";

/** Milliseconds after a load in which an event can still speak of what the load has brought. */
const overlap = 5000;

interface Heard {
  messageId: string;
  data: LiveEvent["data"];
}

/**
 * Keeps what events add to messages exactly once while the chat is loaded: an event may speak of something that the loaded
 * chat holds already (stored before it was read, heard after), or that it lacks (read before it was stored).
 */
export class ItemJoiner {
  /** Per message, what events or older loads had told of when the load began. */
  #before = new Map<string, string[]>();
  #heard: Heard[] | undefined;
  /** Per message, what the last load brought that no event has told of, as JSON. */
  #fresh = new Map<string, string[]>();
  #freshUntil = 0;

  /** A load begins; `shown` is what is known now. */
  begin(shown: History): void {
    this.#before.clear();
    for (const message of Object.values(shown.messages)) {
      const all = describe(message);
      if (all.length > 0) this.#before.set(message.id, without(all, this.#freshOf(message.id) ?? []));
    }
    this.#heard = [];
  }

  /** The message with what the event brings; the same message for an event that brings nothing new. */
  apply(message: Message, data: LiveEvent["data"]): Message {
    if (this.#isKnown(message.id, data)) return message;
    this.#heard?.push({ messageId: message.id, data });
    return change(message, data);
  }

  /** The load has arrived: `stored` is the loaded history, with messages of `shown` where those are newer. */
  join(stored: History, shown: History): History {
    this.#fresh.clear();
    /** Kept as it is shown, so that it has what was heard already. */
    const isShown = ({ id, items }: Message): boolean => items === shown.messages[id]?.items;
    for (const message of Object.values(stored.messages)) {
      const fresh = without(describe(message), this.#before.get(message.id) ?? []);
      if (fresh.length > 0 && !isShown(message)) this.#fresh.set(message.id, fresh);
    }
    this.#freshUntil = Date.now() + overlap;
    const heard = this.#heard ?? [];
    this.#heard = undefined;
    let history = stored;
    for (const { messageId, data } of heard) {
      const message = history.messages[messageId];
      if (!message || isShown(stored.messages[messageId] ?? message) || this.#isKnown(messageId, data)) continue;
      history = changeMessage(history, messageId, change(message, data));
    }
    return history;
  }

  #freshOf(messageId: string): string[] | undefined {
    return Date.now() > this.#freshUntil ? undefined : this.#fresh.get(messageId);
  }

  /** Whether the event tells of something that a load has brought; each thing is told of once. */
  #isKnown(messageId: string, { type, data }: LiveEvent["data"]): boolean {
    const fresh = this.#freshOf(messageId);
    const told = name(kinds[type] ?? type, data);
    const at = fresh?.indexOf(told) ?? -1;
    if (at < 0) return false;
    fresh?.splice(at, 1);
    this.#before.get(messageId)?.push(told);
    return true;
  }
}

const kinds: Readonly<Record<string, string>> = { citation: "source" };

function change(message: Message, data: LiveEvent["data"]): Message {
  const items = message.items ?? noItems;
  const changed = applyEvent(items, data);
  return changed ? { ...message, items: { ...items, ...changed } } : message;
}

function describe({ items = noItems }: Message): string[] {
  const { statuses, sources } = items;
  return [...statuses.map((status) => name("status", status)), ...sources.map((source) => name("source", source))];
}

/** What an event adds and what is stored of it get the same name, whatever order their fields have. */
function name(type: string, data: unknown): string {
  if (type !== "status") return `${type} ${JSON.stringify(sorted(data))}`;
  // Without `done`: the end of a run closes statuses where they are stored.
  const { description, hidden } = readStatus(data);
  return `status ${hidden} ${description}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

/** What is in `all` beyond `some`, counting how often. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...some];
  return all.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

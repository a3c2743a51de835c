import type { MessageItems } from "./items/message-items.ts";
import type { Rating } from "./rating/rating.ts";

/** How far a message has come; the service sets it. */
export type MessageState = "streaming" | "done" | "stopped" | "interrupted" | "error";

/** A message as the chats API keeps it (peer facts 7.9) with this service's `state`, `error` and `reasoning`. */
export interface Message {
  id: string;
  parentId: string | null;
  childrenIds: string[];
  role: "user" | "assistant" | "system";
  content: string;
  reasoning?: string;
  /** Epoch seconds of its creation. */
  timestamp: number;
  model?: string;
  modelName?: string;
  state?: MessageState;
  done?: boolean;
  /** Of a question: what models get in the place of everything before it. */
  summary?: string | undefined;
  /** Of an answer whose text the person has changed: the model's own, and when it was changed in epoch seconds. */
  edited?: { original: string; at: number } | undefined;
  /** Why the model ended: `stop`, `length`, `content_filter` and so on; undefined where nobody has kept it. */
  finishReason?: string | undefined;
  error?: { message: string; code?: string } | null;
  usage?: Record<string, unknown> | null;
  /** Of a question: ids of the models that were asked, if it was more than one. */
  models?: readonly string[];
  /** Of a question: the model that answered it, in place of those of the chat (`models`), which stay. */
  turnModel?: string;
  /** Seconds from the start of the answer to its end, when known. */
  duration?: number;
  /** Seconds of it that the model has thought. */
  reasoningDuration?: number;
  /** What the person has said about this answer. */
  rating?: Rating | undefined;
  /** Statuses, tool steps, sources and so on; undefined when there are none. */
  items?: MessageItems;
}

/** All messages of a chat with all branches; `currentId` is the last message of the branch that is shown. */
export interface History {
  currentId: string | null;
  messages: Record<string, Message>;
}

export const emptyHistory: History = { currentId: null, messages: {} };

/** The shown branch from the first message to `currentId`. A broken or circular parent ends the walk. */
export function currentPath(history: History): Message[] {
  return pathTo(history, history.currentId);
}

/** The branch from the first message to the given one. */
export function pathTo(history: History, id: string | null): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>();
  for (let at = id; at !== null && !seen.has(at);) {
    const message: Message | undefined = history.messages[at];
    if (!message) break;
    seen.add(at);
    path.push(message);
    at = message.parentId;
  }
  return path.reverse();
}

/** All versions that stand at this message's place, itself included, oldest first. */
export function siblings(history: History, id: string): string[] {
  const message = history.messages[id];
  if (!message) return [];
  const parent = message.parentId === null ? undefined : history.messages[message.parentId];
  return parent ? parent.childrenIds : rootIds(history);
}

/** Shows the branch through another version: down to its newest descendants. Unknown ids change nothing. */
export function showBranch(history: History, id: string): History {
  if (!history.messages[id]) return history;
  return { ...history, currentId: newestLeaf(history, id) };
}

/** Adds a message below its parent and shows it. One that exists already is replaced, its children stay. */
export function addMessage(history: History, message: Omit<Message, "childrenIds">): History {
  const old = history.messages[message.id];
  const messages: Record<string, Message> = {
    ...history.messages,
    [message.id]: { ...message, childrenIds: old?.childrenIds ?? [] },
  };
  const parent = message.parentId === null ? undefined : messages[message.parentId];
  if (parent && !parent.childrenIds.includes(message.id)) {
    messages[parent.id] = { ...parent, childrenIds: [...parent.childrenIds, message.id] };
  }
  return { currentId: message.id, messages };
}

/** Changes fields of a message; unknown ids change nothing. */
export function changeMessage(history: History, id: string, change: Partial<Omit<Message, "id">>): History {
  const message = history.messages[id];
  if (!message) return history;
  return { ...history, messages: { ...history.messages, [id]: { ...message, ...change } } };
}

/**
 * Removes a message with everything below it. If the shown branch ran through it, the newest other version takes its
 * place, or the branch ends at its parent.
 */
export function removeMessage(history: History, id: string): History {
  const target = history.messages[id];
  if (!target) return history;
  const gone = new Set(descendants(history, id));
  const messages = Object.fromEntries(Object.entries(history.messages).filter(([key]) => !gone.has(key)));
  const parent = target.parentId === null ? undefined : messages[target.parentId];
  if (parent) messages[parent.id] = { ...parent, childrenIds: parent.childrenIds.filter((child) => child !== id) };
  const rest = { currentId: history.currentId, messages };
  if (history.currentId !== null && !gone.has(history.currentId)) return rest;
  const others = parent ? (messages[parent.id]?.childrenIds ?? []) : rootIds(rest);
  const next = others.at(-1) ?? parent?.id ?? null;
  return { ...rest, currentId: next === null ? null : newestLeaf(rest, next) };
}

/** How many messages go when this one is deleted: itself and everything below it. */
export function countBranch(history: History, id: string): number {
  return history.messages[id] ? descendants(history, id).length : 0;
}

/**
 * Makes a stored history safe to walk: children follow from the parents (which are the truth), a parent that does not
 * exist or a circle makes a message a root, and `currentId` is the end of a branch: what came after it would be out of sight.
 * Histories written by other clients of the same API can hold anything.
 */
export function soundHistory(stored: History): History {
  const messages: Record<string, Message> = {};
  for (const [id, message] of Object.entries(stored.messages)) {
    const parentId = message.parentId !== null && stored.messages[message.parentId] ? message.parentId : null;
    messages[id] = { ...message, id, parentId: parentId === id ? null : parentId, childrenIds: [] };
  }
  for (const message of Object.values(messages)) {
    if (isCircular(messages, message)) message.parentId = null;
  }
  const inStoredOrder = (parent: Message): string[] => stored.messages[parent.id]?.childrenIds ?? [];
  for (const message of Object.values(messages)) {
    if (message.parentId !== null) messages[message.parentId]?.childrenIds.push(message.id);
  }
  for (const message of Object.values(messages)) {
    const order = inStoredOrder(message);
    const rank = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length);
    message.childrenIds.sort(
      (a, b) => rank(a) - rank(b) || (messages[a]?.timestamp ?? 0) - (messages[b]?.timestamp ?? 0),
    );
  }
  const sound: History = { currentId: null, messages };
  const { currentId } = stored;
  const shown = currentId !== null && messages[currentId] ? currentId : rootIds(sound).at(-1);
  return shown === undefined ? sound : showBranch(sound, shown);
}

function isCircular(messages: Record<string, Message>, start: Message): boolean {
  const seen = new Set<string>();
  for (let at: Message | undefined = start; at; at = at.parentId === null ? undefined : messages[at.parentId]) {
    if (seen.has(at.id)) return true;
    seen.add(at.id);
  }
  return false;
}

function rootIds(history: History): string[] {
  return Object.values(history.messages)
    .filter((message) => message.parentId === null)
    .sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1))
    .map((message) => message.id);
}

function newestLeaf(history: History, id: string): string {
  const seen = new Set<string>();
  let at = id;
  for (;;) {
    seen.add(at);
    const next = history.messages[at]?.childrenIds.findLast(
      (child) => history.messages[child] !== undefined && !seen.has(child),
    );
    if (next === undefined) return at;
    at = next;
  }
}

function descendants(history: History, id: string): string[] {
  const found = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    open.push(...(history.messages[at]?.childrenIds ?? []));
  }
  return [...found];
}

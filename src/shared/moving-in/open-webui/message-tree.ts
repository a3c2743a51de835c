import { parentsFirst } from "../parents-first.ts";
import { flagOf, isObject, jsonOf, secondsOf, textOf } from "../read-values.ts";
import type { Row } from "../row-source.ts";
import type { LargePictures } from "./large-pictures.ts";
import { translateMessage, type MessageChanges } from "./message.ts";

export interface MessageTree {
  /** Parents before children, with ids that can be stored. */
  messages: { id: string; message: Record<string, unknown> }[];
  /** The id that a message has here. */
  idOf(given: unknown): string | undefined;
  /** For the report. */
  notes: string[];
}

type Message = Record<string, unknown>;

/**
 * The messages of a chat: by the rows of `chat_message`, and by the document, which in older versions has all of them. None is dropped;
 * of one that is in both the newer counts.
 * @param pictures takes large ones; left out, they stay in the messages
 */
export function readMessageTree(
  chatId: string,
  document: Record<string, unknown>,
  rows: readonly Row[],
  pictures?: LargePictures,
): MessageTree {
  const fromDocument = messagesIn(document);
  const merged = new Map<string, Message>(fromDocument);
  let differing = 0;
  for (const row of rows) {
    const id = idOfRow(row, chatId);
    if (id === undefined) continue;
    const known = fromDocument.get(id);
    const message = messageOfRow(row);
    if (known && differ(known["content"], message["content"])) differing += 1;
    merged.set(id, known ? merge(known, message, secondsOf(row, "updated_at") ?? 0) : message);
  }
  const changes: MessageChanges = { cut: 0, pictures };
  const ids = storableIds(merged.keys());
  const parents = parentsOf(merged);
  const items = [...merged.keys()].map((id) => ({ id, parentId: parents.get(id) ?? null }));
  let moved = 0;
  const messages = parentsFirst(items).map(({ item, parentId, moved: why }) => {
    if (why) moved += 1;
    const id = ids.get(item.id)!;
    const { childrenIds, ...message } = translateMessage(merged.get(item.id)!, changes);
    const children: unknown[] = Array.isArray(childrenIds) ? childrenIds : [];
    const parent = parentId === null ? null : ids.get(parentId)!;
    const known = children.flatMap((child) => (typeof child === "string" ? (ids.get(child) ?? []) : []));
    return { id, message: { ...message, id, parentId: parent, childrenIds: known } };
  });
  const notes = [
    counted(moved, "put at the top: the message before was missing, or there was a loop"),
    counted(unreadableIn(document), "left out: nothing in it can be read"),
    counted(changes.cut, "cut: the text, or what was with it, was too large"),
    counted([...ids].filter(([given, id]) => given !== id).length, "given another id"),
    counted(differing, "in two versions: the newer one was brought"),
  ];
  return {
    messages,
    idOf: (given) => (typeof given === "string" ? ids.get(given) : undefined),
    notes: notes.filter((note) => note !== ""),
  };
}

function counted(count: number, what: string): string {
  return count === 0 ? "" : `${count === 1 ? "1 message was" : `${count} messages were`} ${what}`;
}

function unreadableIn(document: Record<string, unknown>): number {
  const history = document["history"];
  const tree = isObject(history) ? history["messages"] : undefined;
  return isObject(tree) ? Object.values(tree).filter((message) => !isObject(message)).length : 0;
}

/** By their ids; a list without ids is a single branch. */
function messagesIn(document: Record<string, unknown>): Map<string, Message> {
  const history = document["history"];
  const tree = isObject(history) ? history["messages"] : undefined;
  if (isObject(tree)) {
    const found = Object.entries(tree).flatMap(([id, message]) => (isObject(message) ? [[id, message] as const] : []));
    if (found.length > 0) return new Map(found);
  }
  const list: unknown[] = Array.isArray(document["messages"]) ? document["messages"] : [];
  const found = new Map<string, Message>();
  let before: string | null = null;
  for (const [at, message] of list.entries()) {
    if (!isObject(message)) continue;
    const own = typeof message["id"] === "string" && !found.has(message["id"]) ? message["id"] : `message-${at + 1}`;
    const parentId: unknown = message["parentId"] === undefined ? before : message["parentId"];
    found.set(own, { ...message, parentId });
    before = own;
  }
  return found;
}

/** Rows have the id of their chat before their own. */
function idOfRow(row: Row, chatId: string): string | undefined {
  const id = textOf(row, "id");
  return id?.startsWith(`${chatId}-`) ? id.slice(chatId.length + 1) : id;
}

function messageOfRow(row: Row): Message {
  const fields: Message = {
    role: textOf(row, "role"),
    parentId: textOf(row, "parent_id") ?? null,
    content: contentOfRow(row),
    model: textOf(row, "model_id"),
    timestamp: secondsOf(row, "created_at"),
    output: jsonOf(row, "output"),
    files: jsonOf(row, "files"),
    sources: jsonOf(row, "sources"),
    embeds: jsonOf(row, "embeds"),
    meta: jsonOf(row, "meta"),
    statusHistory: jsonOf(row, "status_history"),
    error: errorOf(row),
    usage: jsonOf(row, "usage"),
    done: row["done"] === undefined || row["done"] === null ? undefined : flagOf(row, "done"),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && !(value === null)));
}

/** JSON, usually of a text; what is not JSON is taken as the text itself. */
function contentOfRow(row: Row): unknown {
  const value = row["content"];
  if (typeof value !== "string") return value ?? undefined;
  const parsed = jsonOf(row, "content");
  return typeof parsed === "string" || Array.isArray(parsed) ? parsed : parsed === null ? undefined : value;
}

function errorOf(row: Row): unknown {
  const parsed = jsonOf(row, "error");
  return parsed === undefined && typeof row["error"] === "string" && row["error"] !== "" ? row["error"] : parsed;
}

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";

function differ(one: unknown, other: unknown): boolean {
  return isText(one) && isText(other) && one !== other;
}

/** One message of both: the row counts, unless the document's is newer or only that one has a text. What only one says is kept. */
function merge(known: Message, row: Message, rowTime: number): Message {
  const time = secondsOf(known, "updated_at") ?? 0;
  const isEmpty = row["content"] === undefined || row["content"] === "";
  const isUnfinished = row["done"] === false && known["done"] === true;
  if (time > rowTime || (isEmpty && isText(known["content"])) || isUnfinished) return { ...row, ...known };
  const parentId = row["parentId"] ?? known["parentId"];
  return { ...known, ...row, ...(parentId === undefined ? {} : { parentId }) };
}

/** Parents, and for messages that name none those that have them in their list of children. */
function parentsOf(messages: ReadonlyMap<string, Message>): Map<string, string | null> {
  const adoptive = new Map<string, string>();
  for (const [id, message] of messages) {
    const children: unknown[] = Array.isArray(message["childrenIds"]) ? message["childrenIds"] : [];
    for (const child of children)
      if (typeof child === "string" && child !== id && !adoptive.has(child)) adoptive.set(child, id);
  }
  return new Map(
    [...messages].map(([id, { parentId }]) => {
      if (typeof parentId === "string" && parentId !== "") return [id, parentId];
      return [id, parentId === undefined ? (adoptive.get(id) ?? null) : null];
    }),
  );
}

/** Their own where these can be stored. */
function storableIds(given: Iterable<string>): Map<string, string> {
  const all = [...given];
  const sound = (id: string) => /^[\x21-\x7e]{1,100}$/.test(id) && id !== "__proto__";
  const used = new Set(all.filter(sound));
  let number = 0;
  return new Map(
    all.map((id) => {
      if (sound(id)) return [id, id];
      let made: string;
      do made = `message-${(number += 1)}`;
      while (used.has(made));
      used.add(made);
      return [id, made];
    }),
  );
}

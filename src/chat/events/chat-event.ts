import type { messageItems } from "../../stored-chats/tables.ts";

export type ItemKind = (typeof messageItems.$inferSelect)["kind"];

/** What is stored of an event, and how; null for one that is only shown. */
export type Kept =
  | { what: "text"; mode: "append" | "replace"; content: string }
  /** `add` appends to the list, `set` replaces it, `put` replaces the item with that name. */
  | { what: "items"; kind: ItemKind; mode: "add" | "set"; items: Record<string, unknown>[] }
  | { what: "items"; kind: ItemKind; mode: "put"; name: string; items: [Record<string, unknown>] }
  /** Keys of the message as clients read them. */
  | { what: "keys"; keys: Record<string, unknown> }
  | { what: "error"; error: { message: string; code: string } }
  | { what: "usage"; usage: Record<string, unknown> }
  | { what: "title"; title: string }
  | { what: "tags"; tags: string[] }
  | null;

/** A checked event: `live` is what tabs receive, under the long name of its type. */
export interface ChatEvent {
  live: { type: string; data: unknown };
  kept: Kept;
}

/**
 * The result of an event: `missing`: the person has no such chat or message; `full`: the message would be too large.
 */
export type Emitted = "stored" | "missing" | "full";

/** Where an event belongs. */
export interface EventPlace {
  chatId: string;
  /** Undefined: the chat itself. */
  messageId: string | undefined;
  runId?: string | undefined;
}

import type { messageItems } from "../conversations/tables.ts";

export type ItemKind = (typeof messageItems.$inferSelect)["kind"];

/** What of an event is kept, and how; null for one that is only shown. */
export type Kept =
  | { what: "text"; mode: "append" | "replace"; content: string }
  /** `add` puts behind what there is, `set` takes its place, `put` is about the one thing of that name. */
  | { what: "items"; kind: ItemKind; mode: "add" | "set"; items: Record<string, unknown>[] }
  | { what: "items"; kind: ItemKind; mode: "put"; name: string; items: [Record<string, unknown>] }
  /** Keys of the message as clients read them. */
  | { what: "keys"; keys: Record<string, unknown> }
  | { what: "error"; error: { message: string; code: string } }
  | { what: "usage"; usage: Record<string, unknown> }
  | { what: "title"; title: string }
  | { what: "tags"; tags: string[] }
  | null;

/** A checked event: `live` is what tabs are sent, under the long one of its names. */
export interface ChatEvent {
  live: { type: string; data: unknown };
  kept: Kept;
}

/** What became of an event: `missing`: the person has no such chat or message; `full`: the message would hold too much. */
export type Emitted = "stored" | "missing" | "full";

/** Where an event belongs. */
export interface EventPlace {
  chatId: string;
  /** Undefined: the chat as such. */
  messageId: string | undefined;
  runId?: string | undefined;
}

import type { Turn } from "./chats-api.ts";
import type { Message } from "./message-tree.ts";

/** What the page around the chat does when something happens in it. */
export interface OpenChatOptions {
  /** A first message has made a chat. */
  onCreated: (id: string) => void;
  /** The service has taken a turn. */
  onTaken: (turn: Turn) => void;
  /** An answer of this chat has ended, in whatever way. */
  onEnded: (message: Message) => void;
  /** The tools and filters that the person wants for the answers of this turn. */
  chosen: (turn: Turn) => Pick<Turn, "toolIds" | "filterIds" | "runsCode">;
}

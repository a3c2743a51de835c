import type { StoredMessage } from "../conversations/schema.ts";
import type { Exported } from "./exported.ts";
import { reparent } from "./reparent.ts";

/** What was read from a conversation of another product. */
export interface ReadConversation {
  title: string;
  /** Messages that people can see. */
  said: Map<string, StoredMessage>;
  /** Of all messages, those that nobody sees included. */
  parents: ReadonlyMap<string, string | null>;
  /** The end of the branch that was open. */
  shown: string | null;
  messagesLeftOut: number;
  filesLeftOut: number;
  isArchived?: boolean;
  /** Epoch seconds. */
  createdAt: number | undefined;
  updatedAt: number | undefined;
}

/** The conversation as a chat: messages get the nearest parent that people can see. */
export function treeOf(read: ReadConversation): Exported {
  const { title, said, shown } = read;
  if (said.size === 0) return { reason: "It has no messages", title };
  const parentOf = reparent(read.parents, (id) => said.has(id));
  for (const [id, message] of said) message.parentId = parentOf(id);
  return {
    chat: {
      title,
      chat: {
        title,
        models: [...new Set([...said.values()].map(({ model }) => model).filter((model) => typeof model === "string"))],
        history: {
          currentId: shown === null || said.has(shown) ? shown : parentOf(shown),
          messages: Object.fromEntries(said),
        },
      },
      archived: read.isArchived ?? false,
      created_at: read.createdAt ?? null,
      updated_at: read.updatedAt ?? null,
    },
    messagesLeftOut: read.messagesLeftOut,
    filesLeftOut: read.filesLeftOut,
    inFolder: false,
  };
}

export function titleOf(given: unknown): string {
  return typeof given === "string" ? given.slice(0, 1000) : "";
}

/** Epoch seconds of a time as in RFC 3339. */
export function readIsoTime(given: unknown): number | undefined {
  const ms = typeof given === "string" ? Date.parse(given) : Number.NaN;
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}

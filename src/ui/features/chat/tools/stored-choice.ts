import { isRecord } from "../../../lib/live/live-state.ts";

/** What a person has switched in a chat; what is not there is as the model proposes it. */
export interface StoredChoice {
  tools?: readonly string[];
  filters?: Readonly<Record<string, boolean>>;
  /** Models may run code. */
  code?: boolean;
}

/** Kept in this browser per person and chat, for as many chats as somebody may come back to. */
const prefix = "parley:tools:";
const maxStored = 300;

const keyOf = (person: string, chatId: string | undefined): string => `${prefix}${person}:${chatId ?? "new"}`;

/** The choice for a chat, empty when there is none. */
export function readChoice(person: string, chatId: string | undefined): StoredChoice {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(person, chatId)) ?? "{}");
    if (!isRecord(stored)) return {};
    const { tools, filters, code } = stored;
    return {
      ...(code === true ? { code } : {}),
      ...(Array.isArray(tools) ? { tools: tools.filter((id) => typeof id === "string") } : {}),
      ...(isRecord(filters)
        ? {
            filters: Object.fromEntries(Object.entries(filters).filter(([, on]) => typeof on === "boolean")) as Record<
              string,
              boolean
            >,
          }
        : {}),
    };
  } catch {
    return {};
  }
}

/** Keeps a choice; an empty one is forgotten. Without storage it lasts as long as the page shows the chat. */
export function writeChoice(person: string, chatId: string | undefined, choice: StoredChoice): void {
  try {
    if (!choice.tools && !choice.filters && !choice.code) return localStorage.removeItem(keyOf(person, chatId));
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(`${prefix}${person}:`));
    // Ids of chats are in the order of their making.
    for (const old of keys.sort().slice(0, Math.max(0, keys.length - maxStored))) localStorage.removeItem(old);
    localStorage.setItem(keyOf(person, chatId), JSON.stringify(choice));
  } catch {
    // Full or forbidden.
  }
}

export function forgetChoice(person: string, chatId: string | undefined): void {
  writeChoice(person, chatId, {});
}

/**
 * What a person has typed and not sent, kept in this browser per person and chat, also over signing out and in again.
 * Storage may be full or forbidden: then drafts live as long as the page.
 */
const prefix = "parley:draft:";
const memory = new Map<string, string>();

function keyOf(person: string, chatId: string | undefined): string {
  return `${prefix}${person}:${chatId ?? "new"}`;
}

/** The draft of a chat, or of the chat that does not exist yet; an empty text when there is none. */
export function readDraft(person: string, chatId: string | undefined): string {
  const key = keyOf(person, chatId);
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? "";
  } catch {
    return memory.get(key) ?? "";
  }
}

/** Keeps a draft; an empty one is forgotten. */
export function writeDraft(person: string, chatId: string | undefined, text: string): void {
  const key = keyOf(person, chatId);
  try {
    if (text === "") localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    if (text === "") memory.delete(key);
    else memory.set(key, text);
  }
}

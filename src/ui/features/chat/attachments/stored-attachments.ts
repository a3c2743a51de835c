import { isRecord } from "../../../lib/live/live-state.ts";
import { readSent, type SentFile } from "./attachment.ts";

/** What stands beside a draft, kept like the draft: in this browser, per person and chat. */
const prefix = "parley:attached:";
const keyOf = (person: string, chatId: string | undefined): string => `${prefix}${person}:${chatId ?? "new"}`;

/** A file of a draft, and whether it was uploaded for it. */
export interface StoredAttachment extends SentFile {
  own?: true;
}

export function readAttachments(person: string, chatId: string | undefined): StoredAttachment[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(person, chatId)) ?? "[]");
    const own = new Set(
      (Array.isArray(stored) ? stored : []).flatMap((item) => (isRecord(item) && item["own"] ? [item["id"]] : [])),
    );
    return readSent(stored).map((sent) => (own.has(sent.id) ? { ...sent, own: true } : sent));
  } catch {
    return [];
  }
}

/** Without storage they last as long as the page. */
export function writeAttachments(
  person: string,
  chatId: string | undefined,
  attached: readonly StoredAttachment[],
): void {
  try {
    if (attached.length === 0) localStorage.removeItem(keyOf(person, chatId));
    else localStorage.setItem(keyOf(person, chatId), JSON.stringify(attached));
  } catch {
    // Full or forbidden.
  }
}

import { isRecord, textField } from "../../lib/live/live-state.ts";
import { readSent } from "../chat/attachments/attachment.ts";
import { outboxKey } from "./outbox-key.ts";
import type { Outgoing } from "./outbox.svelte.ts";

/** How long what was not sent is kept (ms): later nobody remembers what it answered to. */
const maxAgeMs = 7 * 86_400_000;

/** Messages on their way as an earlier visit left them; what was refused then is shown as refused again. */
export function readOutbox(person: string, now = Date.now()): Outgoing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(outboxKey(person)) ?? "[]");
    return (Array.isArray(stored) ? stored : []).flatMap((each) => readOutgoing(each, now));
  } catch {
    return [];
  }
}

/** Without storage they last as long as the page. */
export function writeOutbox(person: string, list: readonly Outgoing[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(outboxKey(person));
    else localStorage.setItem(outboxKey(person), JSON.stringify(list.map((each) => ({ ...each, error: undefined }))));
  } catch {
    // Full or forbidden.
  }
}

function readOutgoing(stored: unknown, now: number): Outgoing[] {
  if (!isRecord(stored)) return [];
  const [tempId, channelId, content] = ["tempId", "channelId", "content"].map((name) => textField(stored, name));
  const createdAt = Number(stored["createdAt"]);
  if (!tempId || !channelId || content === undefined || !(now - createdAt < maxAgeMs)) return [];
  return [
    {
      tempId,
      channelId,
      parentId: textField(stored, "parentId") || null,
      replyToId: textField(stored, "replyToId") || null,
      content,
      files: readSent(stored["files"]),
      createdAt,
      status: stored["status"] === "failed" ? "failed" : "sending",
    },
  ];
}

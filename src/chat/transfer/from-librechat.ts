import { isRecord } from "../../lib/json.ts";
import { messageId, type StoredMessage } from "../conversations/schema.ts";
import type { Exported } from "./exported.ts";
import { readIsoTime, titleOf, treeOf } from "./read-conversation.ts";

/**
 * A conversation of LibreChat's JSON export: its messages as a list that names parents, or as a tree of `children`.
 */
export function fromLibreChat(conversation: Record<string, unknown>): Exported {
  const parents = new Map<string, string | null>();
  const said = new Map<string, StoredMessage>();
  let messagesLeftOut = 0;
  let filesLeftOut = 0;
  let last: string | null = null;
  const given = conversation["messages"] ?? conversation["messagesTree"];
  const waiting: { entry: unknown; parent: string | undefined }[] = [];
  const add = (list: unknown, parent?: string) => {
    if (Array.isArray(list)) waiting.push(...list.map((entry: unknown) => ({ entry, parent })));
  };
  add(given);
  // A list, not a recursion: trees are as deep as their conversation is long.
  for (let at = 0; at < waiting.length; at += 1) {
    const { entry, parent } = waiting[at]!;
    const id = isRecord(entry) ? entry["messageId"] : undefined;
    if (!isRecord(entry) || typeof id !== "string" || !messageId.safeParse(id).success) {
      messagesLeftOut += 1;
      continue;
    }
    const named = entry["parentMessageId"];
    parents.set(id, parent ?? (typeof named === "string" ? named : null));
    add(entry["children"], id);
    filesLeftOut += Array.isArray(entry["files"]) ? entry["files"].length : 0;
    const message = readMessage(entry);
    if (message.content === "") continue;
    said.set(id, { ...message, id });
    last = id;
  }
  return treeOf({
    title: titleOf(conversation["title"]),
    said,
    parents,
    shown: last,
    messagesLeftOut,
    filesLeftOut,
    createdAt: undefined,
    updatedAt: undefined,
  });
}

function readMessage(entry: Record<string, unknown>): StoredMessage {
  const blocks = Array.isArray(entry["content"]) ? entry["content"].filter(isRecord) : [];
  const texts = blocks.flatMap((block) => (block["type"] === "text" ? [textOf(block["text"])] : []));
  const thoughts = blocks.flatMap((block) => (block["type"] === "think" ? [textOf(block["think"])] : []));
  const plain = typeof entry["text"] === "string" ? entry["text"] : "";
  const model = entry["model"];
  const isPerson = entry["isCreatedByUser"] === true;
  const timestamp = readIsoTime(entry["createdAt"]);
  const reasoning = thoughts.join("\n\n");
  return {
    role: isPerson ? "user" : "assistant",
    content: (plain === "" ? texts.join("\n\n") : plain).trim(),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(!isPerson && typeof model === "string" && model.length <= 256 ? { model } : {}),
    ...(timestamp === undefined ? {} : { timestamp }),
    done: true,
  };
}

/** Assistants of LibreChat put texts into `{value}`. */
function textOf(given: unknown): string {
  const text = isRecord(given) ? given["value"] : given;
  return typeof text === "string" ? text : "";
}

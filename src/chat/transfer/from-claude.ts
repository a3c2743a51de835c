import { isRecord } from "../../lib/json.ts";
import { messageId, type StoredMessage } from "../conversations/schema.ts";
import type { Exported } from "./exported.ts";
import { readIsoTime, titleOf, treeOf } from "./read-conversation.ts";

/**
 * A conversation of Claude's export (`conversations.json`): a list of messages, which newer exports make a tree by naming parents. Texts,
 * thoughts and the texts of attachments are imported; the bytes of files are not in that file.
 */
export function fromClaude(conversation: Record<string, unknown>): Exported {
  const title = titleOf(conversation["name"]);
  const list = conversation["chat_messages"] as unknown[];
  let filesLeftOut = 0;
  let before: string | null = null;
  const parents = new Map<string, string | null>();
  const said = new Map<string, StoredMessage>();
  for (const entry of list) {
    if (!isRecord(entry) || !messageId.safeParse(entry["uuid"]).success) continue;
    const id = entry["uuid"] as string;
    const parent = entry["parent_message_uuid"];
    parents.set(id, typeof parent === "string" ? parent : before);
    before = id;
    const message = readMessage(entry);
    filesLeftOut += Array.isArray(entry["files"]) ? entry["files"].length : 0;
    if (message.content !== "") said.set(id, { ...message, id });
  }
  return treeOf({
    title,
    said,
    parents,
    shown: before,
    messagesLeftOut: 0,
    filesLeftOut,
    createdAt: readIsoTime(conversation["created_at"]),
    updatedAt: readIsoTime(conversation["updated_at"]),
  });
}

function readMessage(entry: Record<string, unknown>): StoredMessage {
  const blocks = Array.isArray(entry["content"]) ? entry["content"].filter(isRecord) : [];
  const textOf = (type: string, field: string) =>
    blocks.flatMap((block) => (block["type"] === type && typeof block[field] === "string" ? [block[field]] : []));
  const texts = textOf("text", "text");
  const plain = typeof entry["text"] === "string" ? entry["text"] : "";
  const attachments = (Array.isArray(entry["attachments"]) ? entry["attachments"] : []).flatMap((file: unknown) => {
    if (!isRecord(file) || typeof file["extracted_content"] !== "string") return [];
    const name = typeof file["file_name"] === "string" && file["file_name"] !== "" ? file["file_name"] : "attachment";
    return [`${name}:\n\n${file["extracted_content"]}`];
  });
  const reasoning = textOf("thinking", "thinking").join("\n\n");
  const timestamp = readIsoTime(entry["created_at"]);
  return {
    role: entry["sender"] === "assistant" ? "assistant" : "user",
    content: [...(texts.length > 0 ? texts : [plain]), ...attachments].join("\n\n").trim(),
    ...(reasoning === "" ? {} : { reasoning }),
    ...(timestamp === undefined ? {} : { timestamp }),
    done: true,
  };
}

import { isRecord } from "../../lib/json.ts";
import { messageId, importedChat, storedMessage, type StoredMessage } from "../conversations/schema.ts";
import type { Exported } from "./exported.ts";
import { fromChatGpt } from "./from-chatgpt.ts";
import { fromClaude } from "./from-claude.ts";
import { fromLibreChat } from "./from-librechat.ts";
import { reparent } from "./reparent.ts";

/**
 * Reads one entry of an export: a row of Open WebUI or of this service, only its document (Open WebUI's older files),
 * or a conversation of ChatGPT, Claude or LibreChat. Unreadable messages are left out one by one, and their children are attached to their
 * parents.
 */
export function readExported(value: unknown): Exported {
  if (!isRecord(value)) return { reason: "Not a chat", title: "" };
  if (isRecord(value["mapping"])) return fromChatGpt(value);
  if (Array.isArray(value["chat_messages"])) return fromClaude(value);
  if (typeof value["conversationId"] === "string") return fromLibreChat(value);
  if (value["kind"] === "chat_messages")
    return { reason: "It is a part of a large chat: an administrator can import all of it", title: "" };
  const row = isRecord(value["chat"]) ? value : { chat: value };
  const document = row["chat"] as Record<string, unknown>;
  const title = titleOf(row, document);
  const history = isRecord(document["history"]) ? document["history"] : undefined;
  if (!isRecord(history?.["messages"]) && !Array.isArray(document["messages"]))
    return { reason: "It has no messages", title };
  const mended =
    history && isRecord(history["messages"]) ? mendTree(history["messages"]) : mendList(document["messages"]);
  const messages = mended.messages as Record<string, StoredMessage>;
  const current = history?.["currentId"];
  const parsed = importedChat.safeParse({
    ...only(row, ["meta", "variables", "pinned", "archived", "folder_id", "folder_path", "created_at", "updated_at"]),
    ...(title === "" ? {} : { title }),
    chat: {
      ...document,
      title,
      models: Array.isArray(document["models"]) ? document["models"].filter(isModelId).slice(0, 50) : [],
      params: isRecord(document["params"]) ? document["params"] : {},
      messages: undefined,
      history: { currentId: typeof current === "string" && current in messages ? current : mended.last, messages },
    },
  });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { reason: issue ? `${issue.path.join(".")}: ${issue.message}` : "Not a chat", title };
  }
  return {
    chat: parsed.data,
    messagesLeftOut: mended.leftOut,
    filesLeftOut: 0,
    inFolder: typeof row["folder_id"] === "string",
  };
}

function titleOf(row: Record<string, unknown>, document: Record<string, unknown>): string {
  const title = [row["title"], document["title"]].find((text) => typeof text === "string" && text.trim() !== "");
  return typeof title === "string" ? title.slice(0, 1000) : "";
}

/** The valid values of the row; invalid ones are ignored. */
function only(row: Record<string, unknown>, names: (keyof typeof importedChat.shape)[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (importedChat.shape[name].safeParse(row[name]).success ? [[name, row[name]]] : [])),
  );
}

function isModelId(value: unknown): value is string {
  return typeof value === "string" && value.length <= 256;
}

interface Mended {
  messages: Record<string, unknown>;
  leftOut: number;
  /** The last message, shown if the export does not say which. */
  last: string | null;
}

function mendTree(raw: Record<string, unknown>): Mended {
  const read = new Map<string, StoredMessage>();
  const parents = new Map<string, string | null>();
  for (const [id, value] of Object.entries(raw)) {
    const parent = isRecord(value) && typeof value["parentId"] === "string" ? value["parentId"] : null;
    parents.set(id, parent);
    const message = messageId.safeParse(id).success ? mendMessage(value) : undefined;
    if (message) read.set(id, message);
  }
  const leftOut = parents.size - read.size;
  if (leftOut > 0) {
    const parentOf = reparent(parents, (id) => read.has(id));
    for (const [id, message] of read) {
      message.parentId = parentOf(id);
      message.childrenIds = message.childrenIds?.filter((child) => read.has(child));
    }
  }
  return { messages: Object.fromEntries(read), leftOut, last: null };
}

function mendList(raw: unknown): Mended {
  const list = Array.isArray(raw) ? (raw as unknown[]) : [];
  const read = list.map(mendMessage).filter((message) => message !== undefined);
  let before: string | null = null;
  const messages: Record<string, unknown> = {};
  for (const [at, message] of read.entries()) {
    const isNew = typeof message.id === "string" && !(message.id in messages);
    const id: string = isNew ? message.id! : `message-${at + 1}`;
    messages[id] = { ...message, id, parentId: before, childrenIds: [] };
    before = id;
  }
  return { messages, leftOut: list.length - read.length, last: before };
}

/** A message that can be stored: complete, or its essential fields. Undefined if not even those are readable. */
function mendMessage(value: unknown): StoredMessage | undefined {
  if (!isRecord(value)) return undefined;
  const whole = storedMessage.safeParse(value);
  if (whole.success) return whole.data;
  const fields = storedMessage.shape;
  const sound = Object.fromEntries(
    Object.entries(value).filter(
      ([name, field]) => !(name in fields) || fields[name as keyof typeof fields].safeParse(field).success,
    ),
  );
  return "role" in sound && "content" in sound ? storedMessage.parse(sound) : undefined;
}

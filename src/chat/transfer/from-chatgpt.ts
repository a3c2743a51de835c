import { isRecord } from "../../lib/json.ts";
import type { StoredMessage } from "../conversations/schema.ts";
import { messageId } from "../conversations/schema.ts";
import type { Exported } from "./exported.ts";
import { titleOf, treeOf } from "./read-conversation.ts";

/**
 * A conversation of ChatGPT's export (`conversations.json`): a tree `mapping` of nodes, many of which are hidden steps.
 * Texts are imported; pictures are not in that file.
 */
export function fromChatGpt(conversation: Record<string, unknown>): Exported {
  const title = titleOf(conversation["title"]);
  const nodes = Object.entries(conversation["mapping"] as Record<string, unknown>).filter(
    (entry): entry is [string, Record<string, unknown>] => isRecord(entry[1]),
  );
  const parents = new Map(
    nodes.map(([id, node]) => [id, typeof node["parent"] === "string" ? node["parent"] : null] as const),
  );
  let filesLeftOut = 0;
  const said = new Map<string, StoredMessage>();
  for (const [id, node] of nodes) {
    if (!messageId.safeParse(id).success) continue;
    const read = readNode(node["message"]);
    filesLeftOut += read?.pictures ?? 0;
    if (read && read.message.content !== "") said.set(id, { ...read.message, id });
  }
  const current = conversation["current_node"];
  return treeOf({
    title,
    said,
    parents,
    // The last node may be a step that nobody sees.
    shown: typeof current === "string" ? current : null,
    messagesLeftOut: 0,
    filesLeftOut,
    isArchived: conversation["is_archived"] === true,
    createdAt: timeOf(conversation["create_time"]),
    updatedAt: timeOf(conversation["update_time"]),
  });
}

/** The message of a node, if people can see it. */
function readNode(node: unknown): { message: StoredMessage; pictures: number } | undefined {
  if (!isRecord(node) || !isRecord(node["author"]) || !isRecord(node["content"])) return undefined;
  const role = node["author"]["role"];
  const metadata = isRecord(node["metadata"]) ? node["metadata"] : {};
  if (role !== "user" && role !== "assistant") return undefined;
  if (metadata["is_visually_hidden_from_conversation"] === true) return undefined;
  // Calls of tools are said to the tool.
  if (typeof node["recipient"] === "string" && node["recipient"] !== "all") return undefined;
  const { content_type: type, parts } = node["content"];
  if ((type !== "text" && type !== "multimodal_text") || !Array.isArray(parts)) return undefined;
  const texts = parts.filter((part): part is string => typeof part === "string");
  const model = metadata["model_slug"];
  const timestamp = timeOf(node["create_time"]);
  return {
    message: {
      role,
      content: texts.join("\n").trim(),
      ...(role === "assistant" && typeof model === "string" && model.length <= 256 ? { model } : {}),
      ...(timestamp === undefined ? {} : { timestamp }),
      done: true,
    },
    pictures: parts.filter((part) => isRecord(part) && typeof part["asset_pointer"] === "string").length,
  };
}

function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

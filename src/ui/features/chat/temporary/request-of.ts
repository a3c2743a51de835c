import { readSent } from "../attachments/attachment.ts";
import type { Turn, WantedAnswer } from "../chats-api.ts";
import { type History, type Message, pathTo } from "../message-tree.ts";
import type { Params } from "../parameters/chat-params.svelte.ts";
import { isPicture } from "../sees-pictures.ts";

/** The whole of a temporary conversation as one request: nothing of it is known to the service. */
export function requestOf(
  history: History,
  turn: Turn,
  wanted: WantedAnswer,
  chat: { id: string; params: Params },
): Record<string, unknown> {
  const path = pathTo(history, turn.goOn ? wanted.answerId : (history.messages[wanted.answerId]?.parentId ?? null));
  const files = path.flatMap((message) => (message.role === "user" ? (message.items?.files ?? []) : []));
  return {
    model: wanted.model,
    stream: true,
    stream_options: { include_usage: true },
    chat_id: chat.id,
    id: wanted.answerId,
    messages: path.filter(isSaid).map((message) => ({ role: message.role, content: contentOf(message) })),
    ...(Object.keys(chat.params).length > 0 ? { params: chat.params } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(turn.toolIds ? { tool_ids: turn.toolIds } : {}),
    ...(turn.filterIds?.length ? { filter_ids: turn.filterIds } : {}),
    ...(turn.runsCode ? { features: { code_interpreter: true } } : {}),
  };
}

/** Pictures stand where they were shown; the service gives them to models that see. */
function contentOf({ role, content, items }: Message): unknown {
  const pictures = role === "user" ? readSent(items?.files).filter((file) => isPicture(file.content_type ?? "")) : [];
  if (pictures.length === 0) return content;
  return [
    { type: "text", text: content },
    ...pictures.map(({ id }) => ({ type: "image_url", image_url: { url: `/api/v1/files/${id}/content` } })),
  ];
}

/** An answer without text has failed, or is the one that is asked for. */
function isSaid({ role, content }: Message): boolean {
  return role !== "assistant" || content !== "";
}

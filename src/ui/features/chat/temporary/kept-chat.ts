import type { History, Message } from "../message-tree.ts";
import type { Params } from "../parameters/chat-params.svelte.ts";

/** A temporary conversation as the chats API stores one (peer facts 7.9): all of its branches. */
export function keptChat(title: string, history: History, params: Params): Record<string, unknown> {
  const messages = Object.fromEntries(
    Object.values(history.messages).map((message) => [message.id, stored(message, history)]),
  );
  return { title, params, history: { currentId: history.currentId, messages } };
}

function stored(message: Message, history: History): Record<string, unknown> {
  const { id, parentId, childrenIds, role, content, timestamp, model, models, reasoning, usage, state, error } =
    message;
  const { items, duration, reasoningDuration, finishReason, edited } = message;
  return {
    id,
    parentId,
    role,
    content,
    timestamp,
    state,
    done: true,
    childrenIds: childrenIds.filter((child) => history.messages[child]),
    ...(model === undefined ? {} : { model }),
    ...(models ? { models } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(usage ? { usage } : {}),
    ...(error ? { error } : {}),
    ...(finishReason ? { finish_reason: finishReason } : {}),
    ...(edited ? { edited } : {}),
    ...(duration === undefined ? {} : { duration }),
    ...(reasoningDuration === undefined ? {} : { reasoning_duration: reasoningDuration }),
    ...(items?.files.length ? { files: items.files } : {}),
    ...(items?.sources.length ? { sources: items.sources } : {}),
  };
}

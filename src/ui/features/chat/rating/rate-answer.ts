import type { FeedbackView } from "../../../../feedback/schema.ts";
import { api } from "../../../lib/api.ts";
import { changeMessage, type Message, pathTo } from "../message-tree.ts";
import type { OpenChat } from "../open-chat.svelte.ts";
import type { Rating } from "./rating.ts";

const base = "/api/v1/evaluations";
/** Characters of a conversation that goes along; the service takes half a million. */
const maxSnapshot = 400_000;

/** Stores a rating and shows it with the answer. @param share administrators may read the conversation up to here; undefined: as before @throws ApiError */
export async function rateAnswer(
  chat: OpenChat,
  message: Message,
  { rating, score, reason, tags, comment }: Omit<Rating, "id">,
  share?: boolean,
): Promise<void> {
  const data = {
    rating,
    model_id: message.model ?? null,
    ...(reason ? { reason } : {}),
    ...(comment ? { comment } : {}),
    ...(tags && tags.length > 0 ? { tags } : {}),
    ...(score === undefined ? {} : { details: { rating: score } }),
  };
  const meta = {
    chat_id: chat.id,
    message_id: message.id,
    ...(share === undefined ? {} : { share_chat: share }),
  };
  const snapshot = share ? { snapshot: { chat: conversation(chat, message) } } : {};
  const known = message.rating?.id;
  const { id } = known
    ? await api<FeedbackView>("POST", `${base}/feedback/${known}`, { body: { data, meta, ...snapshot } })
    : await api<FeedbackView>("POST", `${base}/feedback`, { body: { type: "rating", data, meta, ...snapshot } });
  show(chat, message, { id, rating, score, reason, tags, comment });
}

/** Takes a rating back. @throws ApiError */
export async function removeRating(chat: OpenChat, message: Message): Promise<void> {
  if (message.rating?.id) await api("DELETE", `${base}/feedback/${message.rating.id}`);
  show(chat, message, undefined);
}

/** What is stored of a rating beside what the answer knows. */
export async function sharesChat(id: string, signal?: AbortSignal): Promise<boolean> {
  return (await api<FeedbackView>("GET", `${base}/feedback/${id}`, { signal })).snapshot !== null;
}

function show(chat: OpenChat, message: Message, rating: Rating | undefined): void {
  chat.history = changeMessage(chat.history, message.id, { rating });
}

/** The messages up to an answer, as clients of Open WebUI send them; of a long conversation the last ones. */
function conversation(chat: OpenChat, message: Message): Record<string, unknown> {
  const path = pathTo(chat.history, message.id);
  let size = 0;
  const kept = path.filter((_, at) => {
    size += path[path.length - 1 - at]!.content.length + 500;
    return size < maxSnapshot;
  }).length;
  const last = path.slice(path.length - Math.max(kept, 1));
  const messages = last.map(({ id, role, content, model, timestamp }, at) => ({
    id,
    role,
    content: content.slice(0, maxSnapshot),
    timestamp,
    ...(model ? { model } : {}),
    parentId: last[at - 1]?.id ?? null,
    childrenIds: last[at + 1] ? [last[at + 1]!.id] : [],
  }));
  return {
    title: chat.title,
    models: chat.lastModels,
    history: { currentId: message.id, messages: Object.fromEntries(messages.map((each) => [each.id, each])) },
  };
}

import { profileImagePath } from "../../people/users/parse-profile-image.ts";
import type { MessageCard } from "../cards/schema.ts";
import type { ChannelMessage, MessageAuthor, ShownAs } from "../schema.ts";
import { webhookAuthor } from "../webhooks/webhook-author.ts";
import { namedReactors, type MessageRow } from "./select-messages.ts";

/** The author name of deleted accounts. */
export const formerMember = "Former member";

type AuthorRow = Pick<
  MessageRow,
  | "user_id"
  | "webhook_id"
  | "face_id"
  | "model"
  | "model_name"
  | "user_name"
  | "user_role"
  | "user_kind"
  | "face_name"
  | "shown_as"
>;

/**
 * A message in API format.
 * @param reader whose view it is; null for the general view of events: nothing in it is "mine"
 */
export function messageView(row: MessageRow, reader: string | null): ChannelMessage {
  const isDeleted = row.deleted_at !== null;
  const data = JSON.parse(row.data) as Record<string, unknown>;
  return {
    id: row.id,
    channel_id: row.channel_id,
    seq: row.seq,
    user_id: row.user_id,
    parent_id: row.parent_id,
    reply_to_id: row.reply_to_id,
    reply_to_message: row.quoted === null ? null : quotedView(row.quoted),
    content: row.content,
    ...(row.card === null ? {} : { card: JSON.parse(row.card) as MessageCard }),
    files: JSON.parse(row.files) as ChannelMessage["files"],
    data: row.files !== "[]" || Object.keys(data).length > 0,
    meta: { ...(JSON.parse(row.meta) as Record<string, unknown>), ...ownMeta(row) },
    state: row.state,
    error: row.error === null ? null : (JSON.parse(row.error) as ChannelMessage["error"]),
    user: isDeleted ? nobody : authorView(row),
    reactions: reactionViews(row.reactions, reader),
    reply_count: row.reply_count,
    latest_reply_at: row.latest_reply_at,
    is_pinned: row.pinned_at !== null,
    pinned_at: row.pinned_at,
    pinned_by: row.pinned_by,
    edited_at: row.edited_at,
    deleted_at: row.deleted_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(reader !== null && row.key !== null && row.sender === `user:${reader}` ? { temp_id: row.key } : {}),
  };
}

const nobody: MessageAuthor = { id: null, name: "", role: "user", profile_image_url: "", is_deleted: true };

function ownMeta(row: AuthorRow): Record<string, unknown> {
  if (row.webhook_id !== null) return { webhook: { id: row.webhook_id } };
  return row.model === null ? {} : { model_id: row.model, model_name: row.model_name };
}

function authorView(row: AuthorRow): MessageAuthor {
  if (row.webhook_id !== null) {
    const author = webhookAuthor({ webhookId: row.webhook_id, faceId: row.face_id ?? "", name: row.face_name });
    return row.shown_as === null ? author : { ...author, shown_as: JSON.parse(row.shown_as) as ShownAs };
  }
  if (row.model !== null)
    return {
      id: row.model,
      name: row.model_name ?? row.model,
      role: "assistant",
      profile_image_url: `/api/v1/models/model/profile/image?id=${encodeURIComponent(row.model)}`,
      is_deleted: false,
    };
  if (row.user_id === null || row.user_name === null) return { ...nobody, name: formerMember };
  return {
    id: row.user_id,
    name: row.user_name,
    role: row.user_role === "admin" ? "admin" : "user",
    ...(row.user_kind === "service" && { is_service: true }),
    profile_image_url: profileImagePath(row.user_id),
    is_deleted: false,
  };
}

function quotedView(quoted: string): ChannelMessage["reply_to_message"] {
  const row = JSON.parse(quoted) as AuthorRow & Pick<MessageRow, "id" | "seq" | "parent_id" | "content">;
  return { id: row.id, seq: row.seq, parent_id: row.parent_id, content: row.content, user: authorView(row) };
}

function reactionViews(text: string, reader: string | null): ChannelMessage["reactions"] {
  const views = new Map<string, ChannelMessage["reactions"][number]>();
  for (const [name, userId, userName, place, count] of JSON.parse(text) as [string, string, string, number, number][]) {
    const view = views.get(name) ?? { name, count, users: [], mine: false };
    views.set(name, view);
    if (place <= namedReactors) view.users.push({ id: userId, name: userName });
    if (userId === reader) view.mine = true;
  }
  return [...views.values()];
}

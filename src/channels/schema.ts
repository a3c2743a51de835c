import * as z from "zod";

/** Wire shapes of channels; names are the peer's where it has them. All times are epoch milliseconds (the peer: nanoseconds). */

/** Longest text of a message, in UTF-16 units; posts of webhooks have a limit in bytes of their own. */
export const longestMessage = 16_384;
/** Messages in a page of history at most. */
export const mostMessages = 100;
/** Unread messages are counted up to here: more are shown as that many and a plus. */
export const mostUnread = 100;

const time = z.number().int();

/** Somebody in a channel. */
export const channelPerson = z.object({
  id: z.string(),
  name: z.string(),
  /** Path of the picture. */
  profile_image_url: z.string(),
});
export type ChannelPerson = z.infer<typeof channelPerson>;

/** Who is shown above a message: a person, a webhook as it was at that moment, or a model. */
export const messageAuthor = z.object({
  /** Of the person, webhook or model; null for people who are gone. */
  id: z.string().nullable(),
  /** `Deleted webhook` and `Former member` for authors who are gone. */
  name: z.string(),
  role: z.enum(["admin", "user", "webhook", "assistant"]),
  profile_image_url: z.string(),
  /** Whether the webhook or person is gone: names of theirs are labels then. */
  is_deleted: z.boolean(),
});
export type MessageAuthor = z.infer<typeof messageAuthor>;

export const channelFile = z.object({
  id: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  content_type: z.string(),
});

export const reaction = z.object({
  name: z.string(),
  count: z.number().int(),
  /** The first of them; whether the caller is one of all is in `mine`. */
  users: z.array(z.object({ id: z.string(), name: z.string() })),
  mine: z.boolean(),
});

/** The message that another one quotes. */
export const quotedMessage = z.object({
  id: z.string(),
  content: z.string(),
  user: messageAuthor,
});

export const channelMessage = z.object({
  id: z.string(),
  channel_id: z.string(),
  /** Its place in the channel, from 1 on, threads included. */
  seq: z.number().int(),
  user_id: z.string().nullable(),
  parent_id: z.string().nullable(),
  reply_to_id: z.string().nullable(),
  reply_to_message: quotedMessage.nullable(),
  content: z.string(),
  files: z.array(channelFile),
  /** `{webhook: {id}}`, `{model_id, model_name}` and what clients keep with it. */
  meta: z.record(z.string(), z.unknown()),
  /** Of answers of models: whether it is still being written, or failed. */
  state: z.enum(["done", "streaming", "error"]),
  error: z.object({ message: z.string(), code: z.string() }).nullable(),
  user: messageAuthor,
  reactions: z.array(reaction),
  reply_count: z.number().int(),
  latest_reply_at: time.nullable(),
  is_pinned: z.boolean(),
  pinned_at: time.nullable(),
  pinned_by: z.string().nullable(),
  edited_at: time.nullable(),
  /** Deleted messages are shown only as the head of a thread that has answers: without text, files and author. */
  deleted_at: time.nullable(),
  created_at: time,
  updated_at: time,
  /** What the sender called it; to the sender only. */
  temp_id: z.string().optional(),
});
export type ChannelMessage = z.infer<typeof channelMessage>;

export const channelView = z.object({
  id: z.string(),
  /** Only people whose home it is take part. */
  organization_id: z.string(),
  /** Who made it; null when they are gone. */
  user_id: z.string().nullable(),
  /** As in the peer: null for public ones, `group` for private ones, `dm` for direct ones. */
  type: z.enum(["group", "dm"]).nullable(),
  name: z.string(),
  description: z.string(),
  is_private: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  meta: z.record(z.string(), z.unknown()),
  created_at: time,
  updated_at: time,
  last_message_at: time.nullable(),
  /** Number of the latest message. */
  head: z.number().int(),
  is_member: z.boolean(),
  is_manager: z.boolean(),
  write_access: z.boolean(),
  /** Unread messages of others outside of threads, up to `mostUnread`; 0 for those who are no members. */
  unread_count: z.number().int(),
  /** Unread messages that name the caller, threads included. */
  mention_count: z.number().int(),
  /** Number and time of the latest message that the caller has seen. */
  last_read: z.number().int(),
  last_read_at: time.nullable(),
  user_count: z.number().int(),
  /** Of direct ones: the others. */
  users: z.array(channelPerson).optional(),
  user_ids: z.array(z.string()).optional(),
});
export type ChannelView = z.infer<typeof channelView>;

/** Events of the live socket with a `channel_id`, by `data.type`; `data.data` is what stands here. */
export const channelEvents = {
  /** A message was posted, in the channel or in a thread (`parent_id`). */
  "channel:message": z.object({ message: channelMessage }),
  /**
   * A message has changed: text, pin, reactions, number of replies, state. `reactions[].mine` is always false in events: whose
   * they are says `users`, and `reaction` who added or removed one just now.
   */
  "channel:message:update": z.object({
    message: channelMessage,
    reaction: z.object({ name: z.string(), user_id: z.string(), added: z.boolean() }).optional(),
  }),
  /** A message was deleted; `message` is what is left of one with a thread. */
  "channel:message:delete": z.object({ id: z.string(), seq: z.number().int(), message: channelMessage.optional() }),
  /** More of a model's answer: its text so far is cut or filled up to `at` and goes on with `text`. Never stored as such. */
  "channel:message:delta": z.object({ id: z.string(), at: z.number().int(), text: z.string() }),
  /** The person has come into the channel, or it was made or changed. Personal fields of the view have to be loaded. */
  "channel:changed": z.object({}),
  /** The person is no longer in the channel, or it is gone. */
  "channel:left": z.object({}),
  /** Members came, went or changed. */
  "channel:members": z.object({}),
  /** Somebody is writing. */
  "channel:typing": z.object({
    user: z.object({ id: z.string(), name: z.string() }),
    parent_id: z.string().nullable(),
  }),
  /** The person has read up to here, maybe in another tab. */
  "channel:read": z.object({ last_read: z.number().int() }),
} as const;
export type ChannelEventType = keyof typeof channelEvents;
export type ChannelEvent = {
  [T in ChannelEventType]: { type: T; data: z.infer<(typeof channelEvents)[T]> };
}[ChannelEventType];

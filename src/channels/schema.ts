import * as z from "zod";
import { grantList } from "../people/grants/schema.ts";
import { messageCard } from "./cards/schema.ts";

/** Wire shapes of channels; names are Open WebUI's where it has them. All times are epoch milliseconds (Open WebUI: nanoseconds). */

/** Maximum length of a message, in UTF-16 units; webhook posts have their own limit in bytes. */
export const maxMessageLength = 16_384;
/** Maximum number of messages per page of history. */
export const maxMessages = 100;
/** Unread messages are counted up to this number, then shown with a plus. */
export const maxUnread = 100;

const time = z.number().int();

/** A person in a channel. */
export const channelPerson = z.object({
  id: z.string(),
  name: z.string(),
  /** Path of the picture. */
  profile_image_url: z.string(),
  status_emoji: z.string().nullable(),
  status_message: z.string().nullable(),
});

export type ChannelPerson = z.infer<typeof channelPerson>;

/** What a post of a webhook brought for itself: shown beside the webhook's own name, never in its place. */
export const shownAs = z.object({
  name: z.string().optional(),
  /** Address on another site. */
  picture_url: z.string().optional(),
  /** A sign that stands for a picture. */
  emoji: z.string().optional(),
});
export type ShownAs = z.infer<typeof shownAs>;

/** The displayed author of a message: a person, a webhook as it was at that time, or a model. */
export const messageAuthor = z.object({
  /** Of the person, webhook or model; null for people who are gone. */
  id: z.string().nullable(),
  /** `Deleted webhook` and `Former member` for authors who are gone. */
  name: z.string(),
  role: z.enum(["admin", "user", "webhook", "assistant"]),
  /** Only there, and true, for the account of a machine. */
  is_service: z.literal(true).optional(),
  profile_image_url: z.string(),
  /** Whether the webhook or person was deleted: the name is only a label then. */
  is_deleted: z.boolean(),
  shown_as: shownAs.optional(),
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

/** The message quoted by another one. */
export const quotedMessage = z.object({
  id: z.string(),
  seq: z.number().int(),
  parent_id: z.string().nullable(),
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
  /** Of posts of webhooks: what `content` says, as data. */
  card: messageCard.optional(),
  files: z.array(channelFile),
  /** Whether there are files, or more that its sender keeps with it: `GET .../data` has all of it. */
  data: z.boolean(),
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
  /** What the sender called it (`temp_id` or `Idempotency-Key`); to the sender, and `temp_id` in the event of its post. */
  temp_id: z.string().optional(),
});
export type ChannelMessage = z.infer<typeof channelMessage>;

export const channelView = z.object({
  id: z.string(),
  /** Only people whose home it is take part. */
  organization_id: z.string(),
  /** Who made it; null when they are gone. */
  user_id: z.string().nullable(),
  /** As in Open WebUI: null for public ones, `group` for private ones, `dm` for direct ones. */
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
  /** Unread messages of others outside of threads, up to `maxUnread`; 0 for those who are no members. */
  unread_count: z.number().int(),
  /** Unread messages that name the caller; those in threads until their thread is read. */
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

/** Channels per page when browsing. */
export const browsedChannels = 30;
/** Maximum number of people in a direct conversation, including the one who opens it. */
export const maxDirectPeople = 8;
/** Maximum number of ids in one request to add or remove people; each group counts as one. */
export const maxNamed = 500;

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** As Open WebUI has them: lower case, and one word. A leading `#` is how names are spoken of, not part of them. */
const channelName = z
  .string()
  .max(200)
  .transform((text) => text.normalize("NFC").trim().replace(/^#+/, "").trim().replaceAll(/\s+/gu, "-").toLowerCase())
  .refine((text) => text !== "", "A channel needs a name")
  .refine((text) => text.length <= 80, "A name can have at most 80 characters")
  .refine((text) => !unprintable.test(text), "A name cannot have line breaks");
const description = z
  .string()
  .trim()
  .max(1000)
  .refine((text) => text.isWellFormed(), "unpaired surrogate (invalid Unicode)");
/** What its makers keep with a channel. */
const kept = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= 20_000, "At most 20,000 characters of JSON");
const ids = z.array(z.string().min(1).max(100)).max(maxNamed);

/**
 * The people to add to a channel, in Open WebUI's words: people and the members that groups have now; `access_grants` name the same,
 * and a grant of `write` to the user `*` is a public channel. Anyone who reads may also write: a grant of `read` alone is refused.
 */
const audience = {
  is_private: z.boolean().nullish(),
  user_ids: ids.nullish(),
  group_ids: ids.nullish(),
  access_grants: grantList.nullish(),
};

/** Private unless it has `is_private: false` or grants everyone: the default is private. */
export const newChannel = z
  .object({
    type: z.enum(["group", "dm", ""]).nullish(),
    /** Not for direct ones. */
    name: z.string().max(200).nullish(),
    description: description.nullish(),
    data: kept.nullish(),
    meta: kept.nullish(),
    ...audience,
  })
  .transform((channel, { issues }) => {
    if (channel.type === "dm") return { ...channel, name: "" };
    const name = channelName.safeParse(channel.name ?? "");
    if (name.success) return { ...channel, name: name.data };
    issues.push({ code: "custom", message: name.error.issues[0]!.message, path: ["name"], input: channel.name });
    return z.NEVER;
  });
export type NewChannel = z.infer<typeof newChannel>;

/**
 * Only the given fields change. Members have their own endpoints; `access_grants` can only make it public or private.
 */
export const channelChange = z.object({
  name: channelName.nullish(),
  description: description.nullish(),
  data: kept.nullish(),
  meta: kept.nullish(),
  ...audience,
});
export type ChannelChange = z.infer<typeof channelChange>;

export const browseQuery = z.object({
  query: z.string().max(200).optional(),
  cursor: z.string().max(1000).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(browsedChannels),
});
export type BrowseQuery = z.infer<typeof browseQuery>;
/** Public channels of the caller's organization, by name. */
export const browsePage = z.object({
  items: z.array(channelView),
  /** Where the next page begins; null after the last one. */
  next_cursor: z.string().nullable(),
});
export type BrowsePage = z.infer<typeof browsePage>;

export const readPosition = z.object({
  /** Number of the latest message that the person has seen; never goes back. */
  seq: z.number().int().min(0),
  /** Of a thread: the message that it is about. Mentions in threads are unread until their thread is read. */
  parent_id: z.string().max(100).nullish(),
});
export type ReadPosition = z.infer<typeof readPosition>;
export const lastRead = z.object({ last_read: z.number().int(), last_read_at: time.nullable() });
export type LastRead = z.infer<typeof lastRead>;

/** Events of the live socket with a `channel_id`, by `data.type`, with the schema of `data.data`. */
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
  /** The person has read up to here, or in a thread, maybe in another tab. */
  "channel:read": z.object({ last_read: z.number().int() }),
} as const;
export type ChannelEventType = keyof typeof channelEvents;
export type ChannelEvent = {
  [T in ChannelEventType]: { type: T; data: z.infer<(typeof channelEvents)[T]> };
}[ChannelEventType];

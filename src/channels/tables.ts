import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, id, json } from "../db/columns.ts";
import { files } from "../documents/files/tables.ts";
import { organizations } from "../people/organizations/tables.ts";
import { users } from "../people/users/tables.ts";
import type { MessageCard } from "./cards/schema.ts";
import type { ShownAs } from "./schema.ts";

/** Who can see a channel: everyone in its organization, its members, or the people of a direct conversation. */
export const channelKinds = ["public", "private", "direct"] as const;

/** The state of a message. Only a model's answer is `streaming` or `error`. */
export const channelMessageStates = ["done", "streaming", "error"] as const;

/** Rooms where people of one organization write to each other. All times of channels are epoch milliseconds. */
export const channels = sqliteTable(
  "channels",
  {
    id: id(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** Who made it. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    kind: text("kind", { enum: channelKinds }).notNull(),
    /** "" for direct ones: their people are their name. */
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    /** What its makers keep with it; nothing here reads them. */
    data: json<Record<string, unknown>>("data").notNull().default({}),
    meta: json<Record<string, unknown>>("meta").notNull().default({}),
    /** Of direct ones: the ids of their people, sorted, so that the same few have one only. */
    people: text("people"),
    /** Number of its latest message. */
    head: integer("head").notNull().default(0),
    lastMessageAt: integer("last_message_at"),
    /** Counts up with every change of its members, by triggers: who remembers them looks again. */
    membersVersion: integer("members_version").notNull().default(0),
    /** How many it has, by the same triggers. */
    memberCount: integer("member_count").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Since when nobody finds it any more; what was in it goes in slices, the row itself last. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    uniqueIndex("channels_people").on(table.organizationId, table.people),
    uniqueIndex("channels_public_name")
      .on(table.organizationId, table.name)
      .where(sql`kind = 'public'`),
    index("channels_left")
      .on(table.kind)
      .where(sql`member_count = 0`),
    index("channels_deleted")
      .on(table.deletedAt)
      .where(sql`deleted_at IS NOT NULL`),
    index("channels_organization").on(table.organizationId, table.kind, table.name),
    index("channels_user").on(table.userId),
  ],
);

export const channelMembers = sqliteTable(
  "channel_members",
  {
    channelId: text("channel_id")
      .notNull()
      .references(() => channels.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["manager", "member"] })
      .notNull()
      .default("member"),
    /** Number of the latest message that the person has seen. */
    lastRead: integer("last_read").notNull().default(0),
    lastReadAt: integer("last_read_at"),
    /** Whether the person has put it out of sight; a new message in a direct one brings it back. */
    isHidden: flag("is_hidden").notNull().default(false),
    joinedAt: integer("joined_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.channelId, table.userId] }), index("channel_members_user").on(table.userId)],
);

/**
 * Messages. The row of a deleted message stays, without text, files, mentions and author: its number is used, replies
 * keep their head, and a repeated post with its key is not posted again.
 */
export const channelMessages = sqliteTable(
  "channel_messages",
  {
    /** What the search index points at; never shown. */
    number: integer("number").primaryKey(),
    id: text("id").notNull(),
    channelId: text("channel_id")
      .notNull()
      .references(() => channels.id, { onDelete: "cascade" }),
    /** Of the channel: people search in what is said in their organization. */
    organizationId: text("organization_id").notNull().default(""),
    /** Its place in the channel, from 1 on, threads included: the one order for everybody. */
    seq: integer("seq").notNull(),
    /** The message that its thread is about; null in the channel itself. Threads are one deep. */
    parentId: text("parent_id"),
    /** The message that it quotes. */
    replyToId: text("reply_to_id"),
    /** Its author, or who asked the model; null for posts of webhooks, and of people who are gone. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** Of posts of webhooks. Not a foreign key: posts outlive their webhook. */
    webhookId: text("webhook_id"),
    /** Name and picture of the webhook at that moment. */
    faceId: text("face_id"),
    /** Of answers of models: the model's id, and its name at that moment. */
    model: text("model"),
    modelName: text("model_name"),
    content: text("content").notNull(),
    /** Of posts of webhooks: what `content` says, as data. */
    card: json<MessageCard>("card"),
    /** Of posts of webhooks: the name and picture that the post brought for itself. */
    shownAs: json<ShownAs>("shown_as"),
    meta: json<Record<string, unknown>>("meta").notNull().default({}),
    /** What its sender keeps with it beside its files; nothing here reads it. */
    data: json<Record<string, unknown>>("data").notNull().default({}),
    state: text("state", { enum: channelMessageStates }).notNull().default("done"),
    error: json<{ message: string; code: string }>("error"),
    /** `user:<id>`, `webhook:<id>` or `model:<id>`: whose `key` it is. */
    sender: text("sender").notNull(),
    /** What the sender calls this post (`Idempotency-Key`, `temp_id`): sent again, it is the same one. */
    key: text("key"),
    /** Of messages with a thread. */
    replyCount: integer("reply_count").notNull().default(0),
    latestReplyAt: integer("latest_reply_at"),
    pinnedAt: integer("pinned_at"),
    pinnedBy: text("pinned_by"),
    editedAt: integer("edited_at"),
    deletedAt: integer("deleted_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("channel_messages_id").on(table.id),
    uniqueIndex("channel_messages_seq").on(table.channelId, table.seq),
    uniqueIndex("channel_messages_key").on(table.channelId, table.sender, table.key),
    index("channel_messages_top")
      .on(table.channelId, table.seq)
      .where(sql`parent_id IS NULL`),
    index("channel_messages_thread").on(table.parentId, table.seq),
    index("channel_messages_pinned")
      .on(table.channelId, table.pinnedAt)
      .where(sql`pinned_at IS NOT NULL`),
    index("channel_messages_user").on(table.userId),
    index("channel_messages_age")
      .on(table.organizationId, table.createdAt)
      .where(sql`deleted_at IS NULL`),
    index("channel_messages_streaming")
      .on(table.updatedAt)
      .where(sql`state = 'streaming'`),
  ],
);

export const channelReactions = sqliteTable(
  "channel_reactions",
  {
    messageId: text("message_id")
      .notNull()
      .references(() => channelMessages.id, { onDelete: "cascade" }),
    /** An emoji, or the name of one. */
    name: text("name").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.name, table.userId] }),
    index("channel_reactions_user").on(table.userId),
  ],
);

/** People mentioned in a message who could read it. */
export const channelMentions = sqliteTable(
  "channel_mentions",
  {
    messageId: text("message_id")
      .notNull()
      .references(() => channelMessages.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    channelId: text("channel_id").notNull(),
    seq: integer("seq").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.userId] }),
    index("channel_mentions_user").on(table.userId, table.channelId, table.seq),
  ],
);

/** Files of a message: everyone who can read the message can read them. */
export const channelFiles = sqliteTable(
  "channel_files",
  {
    messageId: text("message_id")
      .notNull()
      .references(() => channelMessages.id, { onDelete: "cascade" }),
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    channelId: text("channel_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.fileId] }), index("channel_files_file").on(table.fileId)],
);

/** Webhooks that post into a channel. */
export const channelWebhooks = sqliteTable(
  "channel_webhooks",
  {
    id: id(),
    channelId: text("channel_id")
      .notNull()
      .references(() => channels.id, { onDelete: "cascade" }),
    /** Who made it. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    /** Its name and picture now. */
    faceId: text("face_id").notNull(),
    /** SHA-256 of the token, hexadecimal. */
    tokenHash: text("token_hash").notNull(),
    /** The token itself, sealed: those who may are shown the address again. */
    sealedToken: text("sealed_token").notNull(),
    /** Posts that it may send at once, in thousandths, as of `refilledAt`; none in 1970 for a new one, which begins with all. */
    allowance: integer("allowance").notNull(),
    refilledAt: integer("refilled_at").notNull(),
    /** Id of its latest post: what stores a post asks in the same transaction whether it was let in. */
    lastPost: text("last_post"),
    /** Whether something was posted with its present face, which has to stay then. */
    isFaceUsed: flag("is_face_used").notNull().default(false),
    /** Whether posts that belong together become a thread. */
    hasThreads: flag("has_threads").notNull().default(true),
    lastUsedAt: integer("last_used_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [index("channel_webhooks_channel").on(table.channelId), index("channel_webhooks_user").on(table.userId)],
);

/** Pictures of webhooks: a renamed webhook keeps its picture. */
export const channelWebhookPictures = sqliteTable(
  "channel_webhook_pictures",
  {
    id: id(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => channelWebhooks.id, { onDelete: "cascade" }),
    /** A data URL or an address, as of people. */
    url: text("url").notNull(),
  },
  (table) => [index("channel_webhook_pictures_webhook").on(table.webhookId)],
);

/** Name and picture of a webhook, a row for each change: posts keep those of their time. */
export const channelWebhookFaces = sqliteTable(
  "channel_webhook_faces",
  {
    id: id(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => channelWebhooks.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Null for none. */
    pictureId: text("picture_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("channel_webhook_faces_webhook").on(table.webhookId)],
);

/** The thread of what belongs together: an alert, a pull request. One of two posts at once makes it. */
export const channelWebhookThreads = sqliteTable(
  "channel_webhook_threads",
  {
    webhookId: text("webhook_id")
      .notNull()
      .references(() => channelWebhooks.id, { onDelete: "cascade" }),
    /** SHA-256 of what the sender calls it. */
    key: text("key").notNull(),
    /** Its first post. */
    messageId: text("message_id")
      .notNull()
      .references(() => channelMessages.id, { onDelete: "cascade" }),
    /** Whether it goes on: an alert that is not resolved. */
    isOpen: flag("is_open").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.key] }),
    index("channel_webhook_threads_message").on(table.messageId),
  ],
);

/** The latest requests to each webhook's address, for those who set up what posts. Nothing of their bodies is kept. */
export const channelWebhookRequests = sqliteTable(
  "channel_webhook_requests",
  {
    id: id(),
    webhookId: text("webhook_id")
      .notNull()
      .references(() => channelWebhooks.id, { onDelete: "cascade" }),
    /** Whose form the body had; null where that was not found out. */
    format: text("format"),
    /** HTTP status of the answer. */
    status: integer("status").notNull(),
    /** Why it was refused, or not posted again. */
    reason: text("reason"),
    /** What it posted. Not a foreign key: messages go before it. */
    messageId: text("message_id"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("channel_webhook_requests_webhook").on(table.webhookId, table.id)],
);

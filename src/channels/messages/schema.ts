import * as z from "zod";
import { channelMessage, maxMessageLength, maxMessages } from "../schema.ts";

/** Wire shapes of messages in channels; paths and names are the peer's where it has them. Times are epoch milliseconds. */

/** Files beside one message. */
export const maxFiles = 20;
/** JSON characters of what a sender keeps with a message: what is shown in lists, and what is loaded on its own. */
const maxMetaLength = 4096;
const maxDataLength = 16_384;
/** Characters of the name that a sender gives to a post. */
export const maxKeyLength = 255;

const id = z.string().min(1).max(100);
/** Clients of the peer send null for what they leave out. */
const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
const record = (limit: number) =>
  z
    .record(z.string(), z.unknown())
    .refine((value) => JSON.stringify(value).length <= limit, `at most ${limit} characters of JSON`);
const files = z.array(z.object({ id })).max(maxFiles);
/** `data.files` are files beside the message, as in the peer; whatever else stands in `data` is kept. */
const data = record(maxDataLength).refine((value) => files.nullish().safeParse(value["files"]).success, {
  path: ["files"],
  message: `a list of at most ${maxFiles} objects with a file id`,
});
const content = z.string().max(maxMessageLength);

/** What the sender calls a post: sent again with it, by header or in the body, it is the same one. */
export const postKey = z.string().min(1).max(maxKeyLength);

export const newMessage = z.object({
  content,
  temp_id: optional(postKey),
  /** The message that it quotes. */
  reply_to_id: optional(id),
  /** The message that it answers in its thread; an answer of a thread stands for the thread. */
  parent_id: optional(id),
  files: optional(files),
  data: optional(data),
  meta: optional(record(maxMetaLength)),
});
export type NewMessage = z.infer<typeof newMessage>;

/** What is left out stays. */
export const messageChange = z.object({
  content,
  files: optional(files),
  data: optional(data),
  meta: optional(record(maxMetaLength)),
});
export type MessageChange = z.infer<typeof messageChange>;

export const pinChange = z.object({ is_pinned: z.boolean() });

/** An emoji, or the name of one: no blanks, nothing that cannot be seen. */
export const reactionName = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[^\s\p{Cc}\p{Cs}]+$/u, "an emoji or its name, without spaces"),
});

/** The peer's pages: newest first, counted from the newest. */
export const offsetQuery = z.object({
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(maxMessages).default(50),
});

export const pinnedQuery = z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) });

const seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** At most one of `before`, `after` and `around`; none of them: the newest. */
export const historyQuery = z
  .object({
    before: seq.optional(),
    after: seq.optional(),
    around: seq.optional(),
    limit: offsetQuery.shape.limit,
    /** A thread instead of the channel: its head is the first message of it. */
    parent_id: id.optional(),
  })
  .refine(({ before, after, around }) => [before, after, around].filter((at) => at !== undefined).length <= 1, {
    path: ["before"],
    message: "use only one of before, after and around",
  });
export type HistoryQuery = z.infer<typeof historyQuery>;

/**
 * A part of a channel or thread, complete from number `from` up to number `to`, both included: a message with a number in
 * between that is not here is in another thread, or deleted for good.
 */
export const historyPage = z.object({
  /** Oldest first. */
  messages: z.array(channelMessage),
  /** 0 where nothing is before it. */
  from: z.number().int(),
  /** The channel's `head` where nothing is after it. */
  to: z.number().int(),
  /** Number of the latest message in the channel at that moment. */
  head: z.number().int(),
});
export type HistoryPage = z.infer<typeof historyPage>;

export const messageData = z
  .object({
    files: z.array(z.object({ type: z.literal("file"), ...channelMessage.shape.files.element.shape })),
  })
  .catchall(z.unknown());

export const searchQuery = z.object({
  q: z.string().max(500),
  channel_id: id.optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type SearchQuery = z.infer<typeof searchQuery>;

export const searchPage = z.object({
  /** Newest first. */
  messages: z.array(
    channelMessage.extend({
      channel: z.object({ id: z.string(), name: z.string(), type: z.enum(["group", "dm"]).nullable() }),
      /** The text around the first word that fits. */
      snippet: z.string(),
    }),
  ),
  /** For the next page; null on the last one. */
  next_cursor: z.string().nullable(),
});
export type SearchPage = z.infer<typeof searchPage>;

import * as z from "zod";

/** The progress of processing a file. `total` is null while it is unknown. */
export const fileProgress = z.object({
  done: z.number().int(),
  total: z.number().int().nullable(),
  unit: z.enum(["bytes", "pages", "slides", "sheets", "chunks"]),
});

/**
 * The status of a file. `pending` until its text is searchable; then `completed`, or `failed` with a reason (`error`
 * for people, `code` for programs). `pending` with the code `file_not_processed`: processing was never requested.
 */
export const fileStatus = z.object({
  status: z.enum(["pending", "completed", "failed"]),
  stage: z.enum(["waiting", "extracting", "embedding"]).nullable(),
  progress: fileProgress.nullable(),
  error: z.string().optional(),
  code: z.string().optional(),
});
export type FileStatus = z.infer<typeof fileStatus>;

export const fileView = z.object({
  id: z.string(),
  user_id: z.string(),
  /** SHA-256 of its bytes, hexadecimal; null for what plugins made. */
  hash: z.string().nullable(),
  filename: z.string(),
  data: z.object({ ...fileStatus.shape, /** Its whole text. */ content: z.string().optional() }),
  meta: z.object({
    name: z.string(),
    content_type: z.string(),
    /** Bytes. */
    size: z.number().int(),
    pages: z.number().int().optional(),
    /** Passages of its text. */
    chunks: z.number().int().optional(),
    /** What its sender keeps with it. */
    data: z.record(z.string(), z.unknown()),
  }),
  /** Where its bytes are. */
  url: z.string(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type FileView = z.infer<typeof fileView>;

/** The response to an upload: `status` if the file is being processed. */
export const uploadedFile = fileView.extend({ status: z.literal(true).optional() });

export const passageView = z.object({
  chunk: z.number().int(),
  text: z.string(),
  /** Outermost first. */
  headings: z.array(z.string()),
  page: z.number().int().nullable(),
  label: z.string().nullable(),
  /** Where it stands in the file's text, UTF-16 units. */
  start: z.number().int(),
  end: z.number().int(),
});
export type PassageView = z.infer<typeof passageView>;

/** A part of a file's text; offsets in UTF-16 units, `length` is that of the whole text. */
export const textWindow = z.object({
  content: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  length: z.number().int(),
});
export type TextWindow = z.infer<typeof textWindow>;

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

/** Options of an upload. */
export const uploadQuery = z.object({
  /** Whether the file is read and made searchable. */
  process: flag.default(true),
  /** `false`: the answer comes when that has ended. */
  process_in_background: flag.default(true),
});

export const fileParam = z.object({ id: z.string().min(1).max(300) });
export const passageParam = fileParam.extend({ chunk: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });
export const listQuery = z.object({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) });
export const fileList = z.object({ items: z.array(fileView), total: z.number().int() });

export const ownFilesQuery = z.object({
  /** Words that the names have. */
  query: z.string().max(200).optional(),
  sort: z.enum(["newest", "largest"]).default("newest"),
  /** `next_cursor` of the page before. */
  cursor: z
    .string()
    .max(400)
    .regex(/^\d{1,15}\.[\w-]{1,300}$/, "This is not a place in the list")
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type OwnFilesQuery = z.infer<typeof ownFilesQuery>;

const ownFile = z.object({
  id: z.string(),
  filename: z.string(),
  content_type: z.string(),
  /** Bytes. */
  size: z.number().int(),
  state: z.enum(["stored", "pending", "completed", "failed"]),
  /** Why reading it failed. */
  error: z.string().nullable(),
  created_at: z.number().int(),
  /** In how many knowledge bases, models, folders and messages of channels it is. */
  used: z.number().int(),
});
export type OwnFile = z.infer<typeof ownFile>;
export const ownFilePage = z.object({ items: z.array(ownFile), next_cursor: z.string().nullable() });
export type OwnFilePage = z.infer<typeof ownFilePage>;

const places = z.object({
  /** At most 20. */
  named: z.array(z.object({ id: z.string(), name: z.string() })),
  /** How many more there are that the caller can't read. */
  others: z.number().int(),
});
export const fileUses = z.object({
  knowledge: places,
  models: places,
  folders: places,
  channels: places,
  chats: places,
});
export type FileUses = z.infer<typeof fileUses>;

export const searchQuery = z.object({
  /** `*` is any text, `?` any letter. */
  filename: z.string().min(1).max(500),
  skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export const statusQuery = z.object({ /** As server-sent events, until it is settled. */ stream: flag.default(false) });
export const oneQuery = z.object({ /** Whether its text comes along. */ content: flag.default(true) });
export const contentQuery = z.object({ /** To be saved, not shown. */ attachment: flag.default(false) });
const offset = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const windowQuery = z.object({ start: offset.optional(), end: offset.optional() });
export const renameBody = z.object({ filename: z.string().trim().min(1).max(1000) });
export const contentBody = z.object({ content: z.string().min(1) });

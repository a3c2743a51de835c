import * as z from "zod";

/** How far the reading of a file is. `total` is null while it is not known. */
export const fileProgress = z.object({
  done: z.number().int(),
  total: z.number().int().nullable(),
  unit: z.enum(["bytes", "pages", "slides", "sheets", "chunks"]),
});

/**
 * Where a file stands. `pending` until its text is searchable; then `completed`, or `failed` with a reason (`error` for people,
 * `code` for programs). `pending` with the code `file_not_processed`: nobody asked for it to be read.
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

/** A file as the answer to its upload: `status` where it is being read. */
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

/** A stretch of a file's text; offsets in UTF-16 units, `length` is that of the whole text. */
export const textWindow = z.object({
  content: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  length: z.number().int(),
});
export type TextWindow = z.infer<typeof textWindow>;

const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

/** How an upload is treated. */
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

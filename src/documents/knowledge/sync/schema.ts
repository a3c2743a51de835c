import * as z from "zod";
import { sourcePath } from "../schema.ts";

/** Files of one manifest. */
export const maxEntries = 50_000;

/** SHA-256 of the bytes, hexadecimal. */
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, "A SHA-256 must have 64 hexadecimal digits")
  .transform((text) => text.toLowerCase());
const size = z.number().int().min(0).optional();

/** What there is at the source. */
const files = z.array(z.object({ path: sourcePath, hash, size })).max(maxEntries);
/** The same as the peer's tools say it: `path` is the directory. */
const manifest = z
  .array(z.object({ filename: z.string().min(1).max(1000), path: z.string().max(2000), checksum: hash, size }))
  .max(maxEntries);

export const diffBody = z.union([z.object({ files }), z.object({ manifest })]);
export type DiffBody = z.infer<typeof diffBody>;

const at = z.object({ path: z.string(), file_id: z.string() });

/** Every path of the manifest stands in exactly one of the lists but `remove`. */
export const syncDiff = z.object({
  /** Not there, or with another content: send these. */
  upload: z.array(z.string()),
  /** There, at this path or another. */
  unchanged: z.array(at),
  /** What is there and not at the source any more, or with another content: take these out. The rest in the next answer, where `more`. */
  remove: z.array(z.object({ file_id: z.string(), path: z.string() })),
  more: z.boolean(),
  /** Sent already, and being read. */
  pending: z.array(at),
  /** Sent already, and not readable; sending the same again will do no better. */
  failed: z.array(at.extend({ code: z.string(), error: z.string() })),
  /** The same content as another path of `upload`: a base holds each content once. */
  duplicates: z.array(z.object({ path: z.string(), of: z.string() })),
});
export type SyncDiff = z.infer<typeof syncDiff>;

/** The answer in the peer's words. */
export const peerDiff = z.object({
  added: z.array(z.object({ filename: z.string(), path: z.string() })),
  modified: z.array(z.object({ filename: z.string(), path: z.string(), stale_file_id: z.string() })),
  deleted: z.array(z.object({ file_id: z.string(), filename: z.string() })),
  /** Paths of directories to make, the outer ones first. */
  mkdir: z.array(z.string()),
  /** Ids of directories that nothing is in any more, the inner ones last. */
  rmdir: z.array(z.string()),
  unmodified_count: z.number().int(),
  /** Ids of directories by their paths. */
  directory_map: z.record(z.string(), z.string()),
});
export type PeerDiff = z.infer<typeof peerDiff>;

const ids = z.array(z.string().min(1).max(100));
export const cleanupBody = z.object({
  file_ids: ids.max(maxEntries).default([]),
  dir_ids: ids.max(maxEntries).default([]),
});

export const cleaned = z.object({
  status: z.literal(true),
  removed: z.number().int(),
  removed_directories: z.number().int(),
});

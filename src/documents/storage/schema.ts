import * as z from "zod";
import { time } from "../../people/schema.ts";

const bytes = z.number().int();
const limit = z.number().int().nullable();

/** What the caller has, and what they may have; a limit that is null does not exist. */
export const ownStorage = z.object({
  /** Of all files. */
  used_bytes: bytes,
  /** Set aside for uploads that are under way. */
  held_bytes: bytes,
  max_bytes: limit,
  file_count: z.number().int(),
  max_files: limit,
  chat_count: z.number().int(),
  max_chats: limit,
  /** Largest first. */
  largest_files: z.array(
    z.object({
      id: z.string(),
      filename: z.string(),
      content_type: z.string(),
      /** Bytes. */
      size: bytes,
      /** The chat that it goes with. */
      chat_id: z.string().nullable(),
      created_at: time,
    }),
  ),
});
export type OwnStorage = z.infer<typeof ownStorage>;

export const ownStorageQuery = z.object({
  /** How many of the largest files. */
  limit: z.coerce.number().int().min(0).max(100).default(20),
});

/** Who uses how much, most first. For administrators of an organization: of its people. */
export const storageReport = z.object({
  /** Of the service, or of the caller's organization. */
  used_bytes: bytes,
  file_count: z.number().int(),
  max_bytes: limit,
  /** What one person may have. */
  max_person_bytes: limit,
  people: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      organization_id: z.string(),
      used_bytes: bytes,
      file_count: z.number().int(),
      chat_count: z.number().int(),
    }),
  ),
  organizations: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      used_bytes: bytes,
      file_count: z.number().int(),
      max_bytes: limit,
    }),
  ),
});
export type StorageReport = z.infer<typeof storageReport>;

export const storageReportQuery = z.object({
  /** How many people and organizations. */
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

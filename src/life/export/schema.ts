import * as z from "zod";

export const newExport = z.object({
  /** Everything of the service, for system administrators, or everything of one person. */
  scope: z.enum(["service", "person"]),
  /** Whose; the caller where it is left out. Somebody else's: system administrators only. */
  person_id: z.string().min(1).max(200).optional(),
  /** Whether keys and other secrets that are sealed here go along in the clear. Of the whole service only. */
  secrets: z.boolean().default(false),
});
export type NewExport = z.infer<typeof newExport>;

export const exportView = z.object({
  id: z.string(),
  scope: newExport.shape.scope,
  person_id: z.string().nullable(),
  secrets: z.boolean(),
  /** The same in every export of this service. */
  source: z.string(),
  created_at: z.number(),
  /** The kinds of records in the order in which they are imported, with how many there are now. */
  kinds: z.array(z.object({ kind: z.string(), count: z.number() })),
  /** What stays here, and why. */
  left_out: z.array(z.object({ what: z.string(), count: z.number(), reason: z.string() })),
});
export type ExportView = z.infer<typeof exportView>;

export const recordParams = z.object({ id: z.string().min(1).max(100), kind: z.string().min(1).max(40) });
export const recordQuery = z.object({
  /** `X-Next-Cursor` of the page before. */
  cursor: z.string().max(2000).optional(),
});
export const exportedFileParams = z.object({ id: z.string().min(1).max(100), file_id: z.string().min(1).max(100) });

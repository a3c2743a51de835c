import * as z from "zod";

/** An upload in parts begins: what is to come. */
export const newUpload = z.object({
  filename: z.string().trim().min(1).max(1000),
  /** Bytes. */
  size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  content_type: z.string().max(200).optional(),
  /** As in the form of a whole upload. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** Whether the file is read and made searchable; yes, unless said otherwise. */
  process: z.boolean().optional(),
});
export type NewUpload = z.infer<typeof newUpload>;

export const uploadView = z.object({
  id: z.string(),
  filename: z.string(),
  /** Bytes in all. */
  size: z.number().int(),
  /** Bytes of each part but the last. */
  part_size: z.number().int(),
  /** How many parts there will be. */
  parts: z.number().int(),
  /** Those that have come; `sha256` of their bytes. */
  received: z.array(z.object({ number: z.number().int(), size: z.number().int(), sha256: z.string() })),
  /** Then it is thrown away. */
  expires_at: z.number().int(),
});
export type UploadView = z.infer<typeof uploadView>;

export const uploadParam = z.object({ id: z.string().min(1).max(300) });
export const partParam = uploadParam.extend({ number: z.coerce.number().int().min(1).max(10_000) });
export const partView = z.object({ number: z.number().int(), size: z.number().int(), sha256: z.string() });

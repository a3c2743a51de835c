import * as z from "zod";

export const fileView = z.object({
  id: z.string(),
  user_id: z.string(),
  filename: z.string(),
  meta: z.object({ name: z.string(), content_type: z.string(), /** Bytes. */ size: z.number().int() }),
  /** Where its bytes are. */
  url: z.string(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type FileView = z.infer<typeof fileView>;

import * as z from "zod";
import { time } from "../schema.ts";

export const holdKinds = ["person", "organization"] as const;

export const legalHold = z.object({
  id: z.string(),
  kind: z.enum(holdKinds),
  target_id: z.string(),
  /** Null when the person or the organization cannot be found. */
  target_name: z.string().nullable(),
  reason: z.string(),
  created_by: z.string(),
  created_by_name: z.string().nullable(),
  created_at: time,
});
export type LegalHold = z.infer<typeof legalHold>;

export const legalHoldList = z.object({ holds: z.array(legalHold) });

export const newLegalHold = z.object({
  kind: z.enum(holdKinds),
  target_id: z.string().min(1).max(200),
  reason: z.string().trim().min(1).max(2000),
});
export type NewLegalHold = z.infer<typeof newLegalHold>;

import * as z from "zod";
import { time } from "../../people/schema.ts";

export const erasureStates = ["running", "failed", "done"] as const;

/** What happens to things of a person, by kind: `removed.chats`, `handed_over.models`, `anonymised.channel_messages`. */
const counts = z.record(z.string(), z.number().int());

/** What an erasure would do now. */
export const erasurePlan = z.object({
  counts,
  /** Bytes of files and chats that would be removed. */
  bytes: z.number().int(),
  /** Whether a legal hold forbids it. */
  held: z.boolean(),
  /** The erasure that is under way or has failed. */
  erasure_id: z.string().nullable(),
});
export type ErasurePlan = z.infer<typeof erasurePlan>;

export const newErasure = z.object({
  /** Who gets what is handed over; the caller without it. */
  successor_id: z.string().min(1).max(200).optional(),
});

/** The report; without any personal data of the person. */
export const erasure = z.object({
  id: z.string(),
  /** A hash of the person's id. */
  subject: z.string(),
  state: z.enum(erasureStates),
  step: z.string(),
  error: z.string().nullable(),
  counts,
  /** The administrator who asked for it, and who got what was handed over. */
  started_by: z.string(),
  successor_id: z.string(),
  started_at: time,
  finished_at: time.nullable(),
  /** What may still mention the person, because it belongs to others. */
  not_searched: z.array(z.string()),
});
export type Erasure = z.infer<typeof erasure>;

export const erasureList = z.object({ erasures: z.array(erasure) });

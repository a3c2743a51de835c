import * as z from "zod";

export const historySpans = ["hour", "day", "week"] as const;
export type HistorySpan = (typeof historySpans)[number];

export const historyQuery = z.object({ span: z.enum(historySpans).default("day") });

const count = z.number().int();

export const history = z.object({
  /** Whether this service keeps a history: only on one machine. */
  kept: z.boolean(),
  /** Seconds that a point stands for. */
  step: count,
  /** The oldest first, without gaps; null where nothing was recorded. */
  points: z.array(
    z.object({
      /** When it begins, epoch seconds. */
      at: count,
      figures: z
        .object({
          requests: count,
          errors: count,
          /** The average, milliseconds; null without a streamed answer. */
          first_byte_ms: count.nullable(),
          tokens_in: count,
          tokens_out: count,
          /** The most that were waiting or running. */
          jobs: count,
          /** The most that had the web page open. */
          people: count,
          disk_used: count,
          disk_size: count,
        })
        .nullable(),
    }),
  ),
});
export type History = z.infer<typeof history>;

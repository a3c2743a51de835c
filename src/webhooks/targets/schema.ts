import * as z from "zod";
import { maxUrlLength } from "../schema.ts";

/** The peer's wire shapes of a person's notification targets: here each person has one at most, their webhook. */

/** What a target can hear of: a finished answer. */
export const targetEvents = ["chat.finished"] as const;

export const eventList = z.object({
  events: z.array(z.object({ event: z.enum(targetEvents), label: z.string(), description: z.string() })),
});

/** Times are epoch seconds, as in the peer's other settings. */
export const target = z.object({
  id: z.string(),
  type: z.literal("webhook"),
  enabled: z.boolean(),
  events: z.array(z.enum(targetEvents)),
  /** `away`: only while the person looks at no tab. */
  delivery: z.enum(["away", "always"]),
  /** The address without what may be a secret in it. */
  config: z.object({ url_masked: z.string() }),
  is_default: z.boolean(),
  created_at: z.number().int(),
  updated_at: z.number().int(),
});
export type Target = z.infer<typeof target>;

export const targetList = z.object({ targets: z.array(target) });

/** What is left out stays as it is; an address with `...` in it, as answers show it, too. No events at all means all. */
export const targetChange = z.object({
  type: z.literal("webhook").optional(),
  enabled: z.boolean().optional(),
  events: z.array(z.string().max(200)).max(100).optional(),
  delivery: z.enum(["away", "always"]).optional(),
  config: z.object({ url: z.string().max(maxUrlLength).optional() }).optional(),
});
export type TargetChange = z.infer<typeof targetChange>;

export const done = z.object({ ok: z.literal(true) });

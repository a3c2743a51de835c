import * as z from "zod";

/** What a person asks for; an empty body is valid. */
export const compactForm = z.object({
  /** The model that reads the conversation from now on; by default the one of the last answer. */
  model: z.string().min(1).max(256).nullish(),
});
export type CompactForm = z.infer<typeof compactForm>;

const contextUsage = z.object({
  tokens: z.number().int(),
  estimated_tokens: z.number().int(),
  /** Tokens from which on conversations are shortened by themselves; null where the model's context is not known. */
  threshold: z.number().int().nullable(),
  percent: z.number().int().nullable(),
  source: z.literal("estimated"),
});

/** As in Open WebUI. */
export const compactedChat = z.object({
  ok: z.literal(true),
  compacted: z.boolean(),
  /** Why nothing was summarized: it is off for this service or model, there are no messages, or too few. */
  reason: z.enum(["disabled", "empty", "too_short"]).optional(),
  dropped_messages: z.number().int().optional(),
  kept_messages: z.number().int().optional(),
  summary_chars: z.number().int().optional(),
  context_usage: contextUsage.nullable(),
});
export type CompactedChat = z.infer<typeof compactedChat>;

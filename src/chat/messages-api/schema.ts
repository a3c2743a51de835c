import * as z from "zod";

/** A content block: its fields depend on its type and are checked when it is converted. */
const block = z.looseObject({ type: z.string().min(1).max(100) });
const content = z.union([z.string(), z.array(block).max(100_000)]);

const message = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content,
});

/**
 * The part of a Messages request that counts as input (https://docs.anthropic.com/en/api/messages-count-tokens). Only
 * fields that Parley uses are checked; native providers get all other fields unchanged.
 */
export const countRequest = z.looseObject({
  model: z.string().min(1).max(256),
  messages: z.array(message).min(1).max(20_000),
  system: content.nullish(),
  tools: z.array(z.looseObject({})).max(10_000).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  /** Parley's own, as in chat completions. */
  files: z.array(z.looseObject({})).max(1000).nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type CountRequest = z.infer<typeof countRequest>;

/** `POST /api/v1/messages` (https://docs.anthropic.com/en/api/messages). */
export const messagesRequest = countRequest.extend({
  max_tokens: z.int().min(1),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string().min(1).max(1000)).max(256).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  output_config: z.looseObject({}).nullish(),
});
export type MessagesRequest = z.infer<typeof messagesRequest>;

/** A whole answer. */
export const messagesAnswer = z.looseObject({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(block),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
});

export const tokenCount = z.looseObject({ input_tokens: z.int() });

export const messagesError = z.object({
  type: z.literal("error"),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string().optional(),
});

/** Fields that only Parley uses, not providers. */
export const ownFields: readonly string[] = [
  "params",
  "files",
  "tool_ids",
  "filter_ids",
  "chat_id",
  "id",
  "session_id",
  "features",
];

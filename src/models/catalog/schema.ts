import * as z from "zod";

export const modelEntry = z.object({
  id: z.string(),
  name: z.string(),
  object: z.literal("model"),
  /** Epoch seconds. */
  created: z.number().int(),
  /**
   * The provider's own value, `openai` if it has none; `ollama` for local runtimes; `parley` for the built-in guide.
   */
  owned_by: z.string(),
  connection_type: z.enum(["external", "local"]),
  /** The provider's entry, trimmed; the key is the kind of connection. */
  openai: z.record(z.string(), z.unknown()).optional(),
  ollama: z.record(z.string(), z.unknown()).optional(),
  anthropic: z.record(z.string(), z.unknown()).optional(),
  /** Tokens of the model's context, where it is known. */
  context_length: z.number().int().optional(),
  /** The stored data of the model, without its parameters. */
  info: z.record(z.string(), z.unknown()).optional(),
  /** Custom models. */
  preset: z.literal(true).optional(),
  /** Of one of the caller's own connections: only the caller has it. */
  direct: z.literal(true).optional(),
  /** A function answers. */
  pipe: z.object({ type: z.literal("pipe") }).optional(),
  tags: z.array(z.object({ name: z.string() })),
  /** Of a function: people have their own settings for it. */
  has_user_valves: z.literal(true).optional(),
  /** Buttons below its answers; `id` is the `action_id` of `/api/chat/actions/{action_id}`. */
  actions: z.array(
    z.object({ id: z.string(), name: z.string(), description: z.string(), icon: z.string().nullable() }),
  ),
  /** Filters that people may switch on in a chat (`filter_ids`); `default`: on by default. */
  filters: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      icon: z.string().nullable(),
      default: z.boolean(),
      has_user_valves: z.boolean(),
    }),
  ),
});
export type ModelEntry = z.infer<typeof modelEntry>;

export const modelList = z.object({ object: z.literal("list"), data: z.array(modelEntry) });

/** A model in the format of the Messages API. */
export const messagesModelEntry = z.looseObject({
  type: z.literal("model"),
  id: z.string(),
  display_name: z.string(),
  /** RFC 3339. */
  created_at: z.string(),
});
export const messagesModelList = z.object({
  data: z.array(messagesModelEntry),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

import * as z from "zod";

/** An item of the input: its fields depend on its type and are checked when it is converted. */
const item = z.looseObject({
  type: z.string().min(1).max(100).nullish(),
  role: z.string().min(1).max(40).nullish(),
  id: z.string().max(200).nullish(),
});

const format = z.looseObject({
  type: z.enum(["text", "json_schema", "json_object"]),
  name: z.string().max(200).nullish(),
  schema: z.looseObject({}).nullish(),
});

/** Id of a stored response. */
export const responseId = z.string().regex(/^resp_[\w-]{1,100}$/, "must be the id of a response");

/**
 * `POST /api/v1/responses` (https://platform.openai.com/docs/api-reference/responses/create). Only fields that Parley
 * uses or repeats in the answer are checked; options of OpenAI's own tools have no meaning here.
 */
export const responsesRequest = z.looseObject({
  model: z.string().min(1).max(256),
  input: z.union([z.string(), z.array(item).max(20_000)]).nullish(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  /** Kept for 30 days unless `false`, to be continued and read again. */
  store: z.boolean().nullish(),
  previous_response_id: responseId.nullish(),
  background: z.boolean().nullish(),
  conversation: z.unknown().optional(),
  prompt: z.unknown().optional(),
  include: z.array(z.string().max(100)).max(50).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((value) => Object.keys(value).length <= 16, "At most 16 entries")
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  prompt_cache_key: z.string().max(1000).nullish(),
  reasoning: z.looseObject({ effort: z.string().max(20).nullish(), summary: z.string().max(20).nullish() }).nullish(),
  safety_identifier: z.string().max(1000).nullish(),
  service_tier: z.string().max(40).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z.looseObject({ format: format.nullish(), verbosity: z.string().max(20).nullish() }).nullish(),
  tool_choice: z.union([z.string().max(40), z.looseObject({ type: z.string().max(100) })]).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string().max(100) }))
    .max(10_000)
    .nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  truncation: z.string().max(20).nullish(),
  user: z.string().max(1000).nullish(),
  /** Parley's own, as in chat completions. */
  files: z.array(z.looseObject({})).max(1000).nullish(),
  tool_ids: z.array(z.string().max(256)).max(1000).nullish(),
  filter_ids: z.array(z.string().max(256)).max(1000).nullish(),
  params: z.record(z.string(), z.unknown()).nullish(),
});
export type ResponsesRequest = z.infer<typeof responsesRequest>;

const tokens = z.int().min(0);

/** A response, complete or in its current state. */
export const responseObject = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  /** Epoch seconds. */
  created_at: z.int(),
  status: z.enum(["completed", "failed", "in_progress", "incomplete"]),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.looseObject({ reason: z.string() }).nullable(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  previous_response_id: z.string().nullable(),
  store: z.boolean(),
  usage: z
    .looseObject({
      input_tokens: tokens,
      input_tokens_details: z.looseObject({ cached_tokens: tokens }),
      output_tokens: tokens,
      output_tokens_details: z.looseObject({ reasoning_tokens: tokens }),
      total_tokens: tokens,
    })
    .nullable(),
});

export const responseQuery = z.object({
  /** `reasoning.encrypted_content` includes the provider's signatures on its thoughts. */
  "include[]": z.union([z.string(), z.array(z.string())]).optional(),
  include: z.union([z.string(), z.array(z.string())]).optional(),
});

export const inputItemsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(["asc", "desc"]).default("desc"),
  /** The id of the item after which to continue. */
  after: z.string().max(200).optional(),
});
export type InputItemsQuery = z.infer<typeof inputItemsQuery>;

export const inputItems = z.object({
  object: z.literal("list"),
  data: z.array(z.looseObject({})),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedResponse = z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) });

export const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});

import * as z from "zod";

const tokens = z.array(z.number().int().min(0)).min(1).max(100_000);

/** OpenAI's embeddings request; what else it holds goes on to the provider. */
export const embeddingRequest = z.looseObject({
  model: z.string().min(1).max(600),
  input: z.union([
    z.string().min(1),
    tokens,
    z.array(z.string().min(1)).min(1).max(2048),
    z.array(tokens).min(1).max(2048),
  ]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.number().int().min(1).max(100_000).nullish(),
});
export type EmbeddingRequest = z.output<typeof embeddingRequest>;

export const embeddingList = z.looseObject({
  object: z.literal("list"),
  data: z.array(
    z.looseObject({
      object: z.literal("embedding"),
      index: z.number().int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.looseObject({ prompt_tokens: z.number(), total_tokens: z.number() }),
});

/** How the index stands. */
export const retrievalStatus = z.object({
  embedding: z.object({
    /** The model that is chosen; null for none. */
    model: z.string().nullable(),
    /** Numbers in a vector; null as long as there is none. */
    dimension: z.number().int().nullable(),
    /** `building`: the index of the chosen model is being filled, and does not serve yet. */
    state: z.enum(["off", "serving", "building"]),
    /** The model whose index serves; another one than `model` while that is being built, null where search finds words only. */
    serving_model: z.string().nullable(),
    /** Passages that have their vector in the index of the chosen model, and passages in all. */
    done: z.number().int(),
    total: z.number().int(),
    /** Why it stands still, in words for people; it is tried again all the while. */
    error: z.string().nullable(),
  }),
  /** Nothing is found by meaning at the moment. */
  keyword_only: z.boolean(),
  files: z.object({
    stored: z.number().int(),
    pending: z.number().int(),
    completed: z.number().int(),
    failed: z.number().int(),
  }),
});
export type RetrievalStatus = z.output<typeof retrievalStatus>;

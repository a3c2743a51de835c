import * as z from "zod";

const collection = z.string().min(1).max(300);
/** What is asked beside the collections; each takes the place of the setting that it is named after. */
const question = {
  query: z.string().min(1).max(20_000),
  k: z.number().int().min(1).max(100).optional().meta({ description: "Number of passages; default RAG_TOP_K" }),
  k_reranker: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "How many passages to keep after reranking, if there is a reranker" }),
  r: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "Minimum similarity of passages found only by meaning; default RAG_RELEVANCE_THRESHOLD" }),
  hybrid: z
    .boolean()
    .optional()
    .meta({ description: "false: search by meaning only, if there is an embedding model. Default: the setting" }),
  hybrid_bm25_weight: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "Weight of the word search relative to the meaning search; default RAG_HYBRID_BM25_WEIGHT" }),
};

export const queryDoc = z.object({ collection_name: collection, ...question });
export const queryCollection = z.object({ collection_names: z.array(collection).min(1).max(1000), ...question });
export type QueryOptions = Omit<z.infer<typeof queryDoc>, "collection_name">;

const leg = z.union([z.enum(["used", "off"]), z.object({ failed: z.string() })]);
const metadata = z.object({
  file_id: z.string(),
  name: z.string(),
  source: z.string(),
  content_type: z.string(),
  chunk: z.number().int(),
  headings: z.array(z.string()),
  page: z.number().int().nullable(),
  label: z.string().nullable(),
  start: z.number().int(),
  end: z.number().int(),
  score: z.number(),
  similarity: z.number().nullable(),
  keyword: z.boolean(),
});

/** One inner list: there is one query. The lists are parallel, the best first. */
export const queryResult = z.object({
  distances: z.array(z.array(z.number())).meta({ description: "1 - score" }),
  documents: z.array(z.array(z.string())),
  metadatas: z.array(z.array(metadata)),
  legs: z
    .object({ keyword: leg, vector: leg, reranker: leg })
    .meta({ description: "Which search methods were used, and why one failed" }),
});
export type QueryResult = z.infer<typeof queryResult>;

import * as z from "zod";
import { time } from "../people/schema.ts";
import { maxMemoryLength } from "../shared/max-memory-length.ts";

/** Fields that only Open WebUI has (`type`, `path`) are ignored. */
export const memoryText = z.object({
  content: z
    .string()
    .trim()
    .min(1, "a text of at least one character")
    .max(maxMemoryLength)
    .refine((text) => !text.includes("\0"), "a text without NUL characters"),
});

export const memoryQuery = z.object({
  content: z.string().max(20_000),
  /** How many at most; 1 if left out, as in Open WebUI. */
  k: z.number().int().min(1).max(100).nullish(),
});

/** In Open WebUI's shape. */
export const memoryView = z.object({
  id: z.string(),
  user_id: z.string(),
  type: z.literal("context"),
  path: z.null(),
  content: z.string(),
  meta: z.object({
    /** Who wrote it: the person, or a model with its tool. */
    created_by: z.enum(["manual", "tool"]),
    /** The chat in which a model wrote it. It may be deleted since. */
    chat_id: z.string().nullable(),
  }),
  created_at: time,
  updated_at: time,
});
export type MemoryView = z.infer<typeof memoryView>;

/** In the shape of a search in Open WebUI's vector store: one list, the best first. */
export const memoryMatches = z.object({
  ids: z.array(z.array(z.string())),
  documents: z.array(z.array(z.string())),
  metadatas: z.array(z.array(z.object({ created_at: time, updated_at: time }))),
  /** 0 to 1; higher is better. */
  distances: z.array(z.array(z.number())),
});
export type MemoryMatches = z.infer<typeof memoryMatches>;

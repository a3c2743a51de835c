import * as z from "zod";
import { time } from "../people/schema.ts";
import { maxMemoryLength } from "../shared/max-memory-length.ts";

/** Wire shapes of memories: paths and names are Open WebUI's. */

const content = z
  .string()
  .trim()
  .min(1, "a text of at least one character")
  .max(maxMemoryLength)
  .refine((text) => !text.includes("\0"), "a text without NUL characters");

/** `user`: about the person, models always get it. `context`: they get it where it fits the question. */
export const memoryTypes = ["user", "context"] as const;
export type MemoryType = (typeof memoryTypes)[number];
const type = z.enum(memoryTypes);
const anyType = z.enum([...memoryTypes, "all"]).default("all");

export const maxMemoryPath = 300;

/** What it belongs to, as `work/parley`. Slashes around and beside each other are left out; null for nothing. */
export const memoryPath = z
  .string()
  .max(maxMemoryPath)
  .transform((text) =>
    text
      .trim()
      .replaceAll(/\/+/g, "/")
      .replaceAll(/^\/|\/$/g, ""),
  )
  .refine((text) => !/\p{Cc}/u.test(text), "a path without line breaks and control characters")
  .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), "a path without . and ..")
  .transform((text) => text || null)
  .nullable();

export const memoryText = z.object({ content });

export const newMemory = z.object({ content, type: type.default("context"), path: memoryPath.default(null) });
export type NewMemory = z.infer<typeof newMemory>;

/** Missing fields, and null for all but the path, stay as they are. An empty path removes it. */
export const memoryChange = z
  .object({
    content: content.nullish(),
    type: type.nullish(),
    path: z.preprocess((value) => value ?? undefined, memoryPath.optional()),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined && value !== null) || change.path === null,
    "content, type or path",
  );
export type MemoryChange = z.infer<typeof memoryChange>;

const id = z.string().min(1).max(100);
/** One step of several. `replace` without a type keeps it; `replace` and `move` set the path, to nothing where it is missing. */
const operation = z.discriminatedUnion("action", [
  z.object({ action: z.literal("add"), content, type: type.nullish(), path: memoryPath.optional() }),
  z.object({ action: z.literal("replace"), id, content, type: type.nullish(), path: memoryPath.optional() }),
  z.object({ action: z.literal("move"), id, path: memoryPath.optional() }),
  z.object({ action: z.literal("remove"), id }),
]);
export type MemoryOperation = z.infer<typeof operation>;

export const memoryOperations = z.object({
  operations: z.array(operation).min(1).max(100),
  /** Who asks for it; `tool` if left out. */
  source: z.enum(["tool", "background_review"]).nullish(),
});

export const memoryQuery = z.object({
  content: z.string().max(20_000),
  /** How many at most; 1 if left out, as in Open WebUI. */
  k: z.number().int().min(1).max(100).nullish(),
});

/** What text and path have to contain. */
const words = z.string().max(1000).nullish();

export const memorySearch = z.object({
  query: words,
  type: anyType,
  /** Memories there, around it and about it, the nearest first. */
  path: memoryPath.optional(),
  memory_id: id.nullish(),
  limit: z.number().int().min(1).max(100).default(20),
});
export type MemorySearch = z.infer<typeof memorySearch>;

export const pathQuery = z.object({
  query: words,
  type: anyType,
  limit: z.number().int().min(1).max(500).default(100),
});
export type PathQuery = z.infer<typeof pathQuery>;

export const pathReading = z.object({
  path: memoryPath.refine((path) => path !== null, "a path").transform((path) => path!),
  type: anyType,
  include_children: z.boolean().default(true),
  limit: z.number().int().min(1).max(100).default(50),
});
export type PathReading = z.infer<typeof pathReading>;

const fields = {
  id: z.string(),
  user_id: z.string(),
  type,
  path: z.string().nullable(),
  content: z.string(),
  created_at: time,
  updated_at: time,
};

/** A memory without what is known of where it comes from. */
export const plainMemory = z.object(fields);
export type PlainMemory = z.infer<typeof plainMemory>;

export const memoryView = z.object({
  ...fields,
  meta: z.object({
    /** Who wrote it: the person, or a model with its tool. */
    created_by: z.enum(["manual", "tool"]),
    /** The chat in which a model wrote it. It may be deleted since. */
    chat_id: z.string().nullable(),
  }),
});
export type MemoryView = z.infer<typeof memoryView>;

/** What became of one step; `skipped`: the same text was there already. */
export const operationResult = z.object({
  action: z.enum(["add", "replace", "move", "remove"]),
  status: z.enum(["created", "updated", "deleted", "skipped"]),
  id: z.string().optional(),
  memory: plainMemory.optional(),
  reason: z.literal("duplicate").optional(),
});
export type OperationResult = z.infer<typeof operationResult>;

/** Paths that memories have, last changed first; those without one are together under null. */
export const pathGroups = z.object({
  paths: z.array(
    z.object({
      path: z.string().nullable(),
      type,
      count: z.number().int(),
      updated_at: time,
      /** The paths below it that come next, 20 at most. */
      children: z.array(z.string()),
    }),
  ),
  count: z.number().int(),
});
export type PathGroups = z.infer<typeof pathGroups>;

export const pathContent = z.object({
  path: z.string(),
  /** Paths above it that have memories. */
  parents: z.array(z.string()),
  children: z.array(z.string()),
  memories: z.array(plainMemory),
});
export type PathContent = z.infer<typeof pathContent>;

/** In the shape of a search in Open WebUI's vector store: one list, the best first. */
export const memoryMatches = z.object({
  ids: z.array(z.array(z.string())),
  documents: z.array(z.array(z.string())),
  metadatas: z.array(z.array(z.object({ created_at: time, updated_at: time, type, path: z.string().nullable() }))),
  /** 0 to 1; higher is better. */
  distances: z.array(z.array(z.number())),
});
export type MemoryMatches = z.infer<typeof memoryMatches>;

/** How many memories are embedded again. */
export const reindexed = z.object({
  status: z.literal(true),
  total_users: z.number().int(),
  total_memories: z.number().int(),
});

import * as z from "zod";

/** One model on one runtime. */
export const heldModel = z.object({
  /** As the runtime knows it. */
  name: z.string(),
  /** As the catalogue lists it: with the connection's prefix. */
  id: z.string(),
  /** Bytes on disk; null where the runtime does not say. */
  size: z.number().int().nullable(),
  /** Epoch seconds. */
  modified_at: z.number().int().nullable(),
  digest: z.string(),
  family: z.string(),
  parameter_size: z.string(),
  quantization: z.string(),
  /** Null while it is not in memory. */
  loaded: z
    .object({
      /** Bytes in memory, and how many of them on a graphics card. */
      size: z.number().int(),
      size_vram: z.number().int(),
      /** Epoch seconds; null where it stays. */
      expires_at: z.number().int().nullable(),
    })
    .nullable(),
});
export type HeldModel = z.infer<typeof heldModel>;

/** A runtime with its models. */
export const runtimeView = z.object({
  /** Of its connection; `/localmodel/{id}/...` goes to this runtime. */
  id: z.string(),
  /** Its place among the caller's: `/localmodel/{index}/...`. */
  index: z.number().int(),
  name: z.string(),
  base_url: z.string(),
  prefix_id: z.string(),
  organization_id: z.string().nullable(),
  version: z.string().nullable(),
  /** Why its models could not be had, for people; null where they are here. */
  error: z.string().nullable(),
  /** Whether it fetches, makes and deletes models at all: what has OpenAI's API alone does not. */
  manages: z.boolean(),
  models: z.array(heldModel),
});
export type RuntimeView = z.infer<typeof runtimeView>;

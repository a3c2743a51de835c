import type { Settings } from "../../../context.ts";
import type { ChunkOptions } from "../extraction/extractor.ts";

/** The current options for splitting texts into passages. */
export function chunkOptions({ CHUNK_SIZE: size, CHUNK_OVERLAP: overlap }: Settings): ChunkOptions {
  return { size, overlap: Math.min(overlap, Math.floor(size / 2)) };
}

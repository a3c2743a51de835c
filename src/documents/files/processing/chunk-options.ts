import type { Settings } from "../../../context.ts";
import type { ChunkOptions } from "../extraction/extractor.ts";

/** How texts are cut into passages now. */
export function chunkOptions({ CHUNK_SIZE: size, CHUNK_OVERLAP: overlap }: Settings): ChunkOptions {
  return { size, overlap: Math.min(overlap, Math.floor(size / 2)) };
}

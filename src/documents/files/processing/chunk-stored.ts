import { sql } from "drizzle-orm";
import { JobFailure } from "../../../jobs/job-failure.ts";
import { textKey } from "../blob-keys.ts";
import type { PageMark } from "../extraction/extractor.ts";
import { chunkOptions } from "./chunk-options.ts";
import type { Reading } from "./extract-handler.ts";
import { PassageStore } from "./store-passages.ts";

/** So many are taken away at once. */
const slice = 500;

/**
 * Cuts a text that lies in object storage into passages, and stores them in the place of those that it has.
 * @returns how many there are
 * @throws JobFailure, ExtractorLost
 */
export async function chunkStored(reading: Reading, version: number, pages: readonly PageMark[]): Promise<number> {
  const { ctx, file, run } = reading;
  await dropPassages(reading, version);
  const stored = await ctx.blobs.get(textKey(file.id, version));
  if (!stored) throw new JobFailure("internal_error", "The text is missing");
  const store = new PassageStore(ctx, { fileId: file.id, version });
  for await (const passages of ctx.extractor.chunk(stored.body, pages, chunkOptions(ctx.settings), run.signal))
    await store.add(passages);
  await store.finish();
  if (store.count === 0) throw new JobFailure("file_no_text", "It has no text", { final: true });
  return store.count;
}

/** Those that were stored before, perhaps cut otherwise. */
async function dropPassages({ ctx, file, run }: Reading, version: number): Promise<void> {
  for (;;) {
    const { rowsAffected } = await ctx.db.run(sql`
      DELETE FROM file_chunks WHERE number IN (
        SELECT number FROM file_chunks WHERE file_id = ${file.id} AND version = ${version} LIMIT ${slice}) AND ${run.held}`);
    if (rowsAffected < slice) return;
  }
}

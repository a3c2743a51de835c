import { sql } from "drizzle-orm";
import { JobFailure } from "../../jobs/job-failure.ts";
import { textKey } from "../blob-keys.ts";
import { ExtractorLost } from "../extraction/extractor.ts";
import { chunkOptions } from "./chunk-options.ts";
import type { Reading, ReadText } from "./extract-handler.ts";
import { lostFailure } from "./lost-failure.ts";
import { PassageStore } from "./store-passages.ts";

/** So many are taken away at once. */
const slice = 500;

/** Cuts a text that somebody wrote into passages. @throws JobFailure */
export async function chunkGiven(reading: Reading, version: number): Promise<ReadText> {
  const { ctx, file, job, run } = reading;
  await dropPassages(reading, version);
  const stored = await ctx.blobs.get(textKey(file.id, version));
  if (!stored) throw new JobFailure("internal_error", "The text is not there");
  const store = new PassageStore(ctx, { fileId: file.id, version });
  try {
    for await (const passages of ctx.extractor.chunk(stored.body, [], chunkOptions(ctx.settings), run.signal))
      await store.add(passages);
  } catch (error) {
    throw error instanceof ExtractorLost ? lostFailure(error, job) : error;
  }
  await store.finish();
  if (store.count === 0) throw new JobFailure("file_no_text", "There is no text in it", { final: true });
  return { version, chunkCount: store.count, facts: undefined };
}

/** Those that an attempt before this one has left, perhaps cut otherwise. */
async function dropPassages({ ctx, file, run }: Reading, version: number): Promise<void> {
  for (;;) {
    const { rowsAffected } = await ctx.db.run(sql`
      DELETE FROM file_chunks WHERE number IN (
        SELECT number FROM file_chunks WHERE file_id = ${file.id} AND version = ${version} LIMIT ${slice}) AND ${run.held}`);
    if (rowsAffected < slice) return;
  }
}

import { sql } from "drizzle-orm";
import { addJobStatement } from "../../../jobs/add-job.ts";
import { followSettings } from "../../retrieval/embedding/spaces.ts";
import { textKey } from "../blob-keys.ts";
import { publishFileState } from "../publish-file-state.ts";
import { swapStatements } from "../swap-text.ts";
import type { Reading, ReadText } from "./extract-handler.ts";

/**
 * Called when a text and all its passages are stored: activates it if search uses words only, otherwise starts the job
 * that embeds it. One batch, so that the text is never without a responsible job.
 */
export async function endReading({ ctx, job, run, file }: Reading, text: ReadText): Promise<void> {
  const { db } = ctx;
  const { held } = run;
  // A model that the environment names may not have been noticed yet.
  await followSettings(ctx);
  const { version, chunkCount, facts } = text;
  const one = sql`file_id = ${file.id} AND version = ${version}`;
  const stands = sql`EXISTS (SELECT 1 FROM file_texts WHERE ${one})`;
  const isLeft = sql`EXISTS (SELECT 1 FROM files f JOIN file_texts t ON t.file_id = f.id AND t.version > f.version
    WHERE f.id = ${file.id} AND f.state = 'pending' AND t.version = ${version} AND t.chunk_count IS NOT NULL)`;
  const isTheFile = sql`EXISTS (SELECT 1 FROM files WHERE id = ${file.id} AND sha256 = ${facts?.sha256 ?? ""})`;
  const known = facts
    ? sql`chunk_count = ${chunkCount}, sha256 = ${facts.sha256}, length = ${facts.length}, page_count = ${facts.pageCount}`
    : sql`chunk_count = ${chunkCount}`;
  const uploadId = facts?.uploadId ?? "";
  const [, , , swapped] = await db.batch([
    db.run(sql`UPDATE file_texts SET ${known} WHERE ${one} AND ${held}`),
    // Its bytes are known by the text's row from now on; those of a text that is the same as its file are swept.
    db.run(sql`DELETE FROM uploads WHERE id = ${uploadId} AND ${stands}`),
    db.run(
      sql`DELETE FROM dropped_uploads WHERE key = ${textKey(file.id, version)} AND ${stands} AND NOT ${isTheFile}`,
    ),
    ...swapStatements(ctx, { fileId: file.id, version }),
    db.run(sql`
      UPDATE files SET stage = 'embedding', progress_done = 0, progress_total = ${chunkCount}, progress_unit = 'chunks'
      WHERE id = ${file.id} AND ${isLeft} AND ${held}`),
    addJobStatement(ctx, {
      kind: "embed",
      subject: file.id,
      userId: file.userId,
      deadline: job.deadline,
      condition: sql`${isLeft} AND ${held}`,
    }),
    db.run(sql`DELETE FROM jobs WHERE id = ${job.id} AND ${held}`),
  ]);
  if (swapped.rowsAffected === 0) await ctx.jobs.wake("embed");
  await publishFileState(ctx, file.id);
}

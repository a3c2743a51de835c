import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { sha256Hex } from "../../lib/sha256.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { readableFile } from "../knowledge/readable.ts";
import { textKey } from "./blob-keys.ts";
import { viewOf } from "./file-view.ts";
import { findFile } from "./find-file.ts";
import { publishFileState } from "./publish-file-state.ts";
import type { FileView } from "./schema.ts";
import { processingDeadline } from "./upload/store-file.ts";
import { hasReadingRoom, tooManyReadings } from "./upload/upload-room.ts";

/**
 * Replaces the text of a file: used for search and citations once its passages are complete, until the file is
 * processed again.
 * @throws AppError `not_found`, `forbidden`, `bad_request` for a text without any letter; `too_many_requests` while too
 *   many of the caller's files wait
 */
export async function updateText(ctx: Context, id: string, content: string): Promise<FileView> {
  const user = requireUser(ctx);
  if (!/\S/.test(content)) throw new AppError("bad_request", "It has no text", { param: "content" });
  await findFile(ctx, id, "write");
  const { db } = ctx;
  const text = content.toWellFormed();
  const mayWrite = sql`${readableFile(user, "write")} AND ${hasReadingRoom(ctx, user.id, id)}`;
  const now = ctx.now();
  // Its number first: what is stored under it goes with its row, whatever happens in between.
  const [, , , numbered] = await db.batch([
    db.run(sql`UPDATE files SET versions = max(versions, version) + 1 WHERE id = ${id} AND ${mayWrite}`),
    auditRowIf(ctx, {
      action: "file.content_updated",
      targetType: "file",
      targetId: id,
      detail: { length: text.length },
    }),
    db.run(sql`
      INSERT INTO file_texts (file_id, version, given, created_at) SELECT id, versions, 1, ${now} FROM files WHERE id = ${id} AND ${mayWrite}`),
    db.all<{ versions: number }>(sql`SELECT versions FROM files WHERE id = ${id} AND ${mayWrite}`),
  ]);
  const version = numbered[0]?.versions;
  // It is there and may be written, so there was no room.
  if (version === undefined) throw tooManyReadings(ctx);
  await ctx.blobs.put(textKey(id, version), new TextEncoder().encode(text));
  const stands = sql`EXISTS (SELECT 1 FROM file_texts WHERE file_id = ${id} AND version = ${version} AND sha256 IS NOT NULL)`;
  const [stored] = await db.batch([
    db.run(sql`
      UPDATE file_texts SET sha256 = ${await sha256Hex(text)}, length = ${text.length}, page_count = NULL
      WHERE file_id = ${id} AND version = ${version} AND version > (SELECT version FROM files WHERE files.id = ${id} AND ${mayWrite})`),
    db.run(sql`
      DELETE FROM file_texts WHERE file_id = ${id} AND version <> ${version}
        AND version > (SELECT version FROM files WHERE id = ${id}) AND ${stands}`),
    db.run(sql`
      UPDATE files SET state = 'pending', stage = 'waiting', progress_done = 0, progress_total = NULL, progress_unit = NULL,
        error_code = NULL, error = NULL, updated_at = ${now} WHERE id = ${id} AND ${stands}`),
    db.run(sql`DELETE FROM jobs WHERE kind = 'embed' AND subject = ${id} AND ${stands}`),
    addJobStatement(ctx, {
      kind: "extract",
      subject: id,
      userId: user.id,
      deadline: processingDeadline(ctx),
      condition: stands,
    }),
  ]);
  // Its row went while it was stored, and with it anyone who would take it away.
  if (stored.rowsAffected === 0) await ctx.blobs.delete([textKey(id, version)]);
  const row = await findFile(ctx, id, "write");
  if (stored.rowsAffected === 0)
    throw new AppError("conflict", "Someone else changed this file in the meantime: reload and try again");
  await ctx.jobs.wake("extract");
  ctx.waitUntil(publishFileState(ctx, id));
  return viewOf(row);
}

import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { readableFile } from "../knowledge/readable.ts";
import { viewOf } from "./file-view.ts";
import { findFile } from "./find-file.ts";
import { publishFileState } from "./publish-file-state.ts";
import type { FileView } from "./schema.ts";
import { processingDeadline } from "./upload/store-file.ts";
import { hasReadingRoom, tooManyReadings } from "./upload/upload-room.ts";

/**
 * Processes a file again, or for the first time; a running process starts again. An older text is used until the new
 * one is complete.
 * @throws AppError `not_found`, `forbidden`; `too_many_requests` while too many of the caller's files wait
 */
export async function processFile(ctx: Context, id: string): Promise<FileView> {
  const user = requireUser(ctx);
  const { db } = ctx;
  const may = sql`${readableFile(user, "write")} AND ${hasReadingRoom(ctx, user.id, id)}`;
  const mayWrite = sql`EXISTS (SELECT 1 FROM files WHERE files.id = ${id} AND ${may})`;
  const [changed] = await db.batch([
    db.run(sql`
      UPDATE files SET state = 'pending', stage = 'waiting', progress_done = 0, progress_total = NULL, progress_unit = NULL,
        error_code = NULL, error = NULL, updated_at = ${ctx.now()}
      WHERE id = ${id} AND ${may}`),
    auditRowIf(ctx, { action: "file.process_requested", targetType: "file", targetId: id }),
    db.run(sql`
      DELETE FROM file_texts WHERE file_id = ${id} AND version > (SELECT version FROM files WHERE id = ${id}) AND ${mayWrite}`),
    db.run(sql`DELETE FROM jobs WHERE kind = 'embed' AND subject = ${id} AND ${mayWrite}`),
    addJobStatement(ctx, {
      kind: "extract",
      subject: id,
      userId: user.id,
      deadline: processingDeadline(ctx),
      condition: mayWrite,
    }),
  ]);
  const row = await findFile(ctx, id, "write");
  // It is there and may be written, so there was no room.
  if (changed.rowsAffected === 0) throw tooManyReadings(ctx);
  await ctx.jobs.wake("extract");
  ctx.waitUntil(publishFileState(ctx, id));
  return viewOf(row);
}

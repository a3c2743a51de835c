import { eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { addJobStatement } from "../../../jobs/add-job.ts";
import { auditRowIf } from "../../../people/audit/audit-row.ts";
import { explainFull, hasStorageRoom } from "../../../people/totals/storage-room.ts";
import { linkLater, type LinkTarget } from "../../knowledge/link-file.ts";
import { fileKey } from "../blob-keys.ts";
import { viewColumns, type ViewRow } from "../file-view.ts";
import { files } from "../tables.ts";
import type { ArrivedFile, FileOwner } from "./arriving-file.ts";

export interface FileToStore {
  arrived: ArrivedFile;
  meta: Record<string, unknown>;
  /** Whether its text will be extracted. */
  process: boolean;
  /** The base it is for. */
  target: LinkTarget | undefined;
  /** When it was made; now unless it is said. Epoch seconds. */
  createdAt?: number | undefined;
  /** Further statements of the batch, which happen only if the file is there. */
  also?: (exists: SQL) => readonly BatchItem<"sqlite">[];
}

/** The deadline for processing a file that is requested now, epoch milliseconds. */
export function processingDeadline(ctx: Pick<Context, "settings">): number {
  return Date.now() + ctx.settings.FILE_PROCESSING_TIMEOUT * 1000;
}

/**
 * Creates a file from received bytes: one batch, which also adds the job to process it.
 * @throws AppError `conflict` if the upload was cancelled meanwhile; `storage_full` and its kin, `limit_reached`
 */
export async function storeFile(
  ctx: Context,
  user: FileOwner,
  { arrived, meta, process, target, createdAt, also }: FileToStore,
): Promise<ViewRow> {
  const { db } = ctx;
  const { id, filename, contentType, size, sha256 } = arrived;
  const now = ctx.now();
  const isArrived = sql`EXISTS (SELECT 1 FROM uploads WHERE id = ${id} AND user_id = ${user.id})`;
  const more = sql`${size} - coalesce((SELECT held_bytes FROM uploads WHERE id = ${id}), 0)`;
  const exists = sql`EXISTS (SELECT 1 FROM files WHERE id = ${id})`;
  const [state, stage] = process ? ["pending", "waiting"] : ["stored", null];
  const read = db.select(viewColumns).from(files).where(eq(files.id, id));
  const statements: BatchItem<"sqlite">[] = [
    auditRowIf(ctx, { action: "file.uploaded", targetType: "file", targetId: id, detail: { size, contentType } }),
    ...(target ? linkLater(ctx, id, target) : []),
    ...(process
      ? [
          addJobStatement(ctx, {
            kind: "extract",
            subject: id,
            userId: user.id,
            deadline: processingDeadline(ctx),
            condition: exists,
          }),
        ]
      : []),
    db.run(sql`DELETE FROM uploads WHERE id = ${id} AND ${exists}`),
    ...(also?.(exists) ?? []),
    // Its bytes are the file's now.
    db.run(sql`DELETE FROM dropped_uploads WHERE key = ${fileKey(id)} AND ${exists}`),
  ];
  const results = (await db.batch([
    db.run(sql`
      INSERT INTO files (id, user_id, organization_id, filename, content_type, size, sha256, meta, state, stage, created_at, updated_at)
      SELECT ${id}, ${user.id}, ${user.organizationId}, ${filename}, ${contentType}, ${size}, ${sha256}, ${JSON.stringify(meta)},
        ${state}, ${stage}, ${createdAt ?? now}, ${now} WHERE ${isArrived} AND ${hasStorageRoom(ctx, user.id, more)}`),
    ...statements,
    read,
  ])) as unknown[];
  const [row] = results.at(-1) as ViewRow[];
  if (!row) {
    const full = await explainFull(ctx, user.id, { needed: size, uploadId: id });
    throw full ?? new AppError("conflict", "The upload was cancelled in the meantime: send the file again");
  }
  if (process) await ctx.jobs.wake("extract");
  return row;
}

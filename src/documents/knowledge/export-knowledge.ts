import { sql } from "drizzle-orm";
import { heldCredential, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { maxZipBytes, maxZipFiles, type ZipEntry, zipStream } from "../../lib/zip-stream.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { resolveActorById } from "../../people/auth/resolve-actor.ts";
import { fileKey } from "../files/blob-keys.ts";
import { findWritable } from "./knowledge.ts";
import { readableKnowledge } from "./readable.ts";
import { directoryPaths } from "./sync/base-content.ts";

/** Files that are looked up at once; before each such page the caller is looked at again. */
const pageLength = 100;

interface ExportedFile {
  id: string;
  filename: string;
  directoryId: string | null;
  createdAt: number;
}

/**
 * All original files of a knowledge base in a zip file that is written as fast as it is read; directories are kept. For
 * people who may change the base.
 * @throws AppError `not_found`, `forbidden`; `payload_too_large` above the limits of a plain zip file
 */
export async function exportKnowledge(
  ctx: Context,
  id: string,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const { user, row } = await findWritable(ctx, id);
  const [total] = await ctx.db.all<{ files: number; bytes: number }>(sql`
    SELECT count(*) AS files, coalesce(sum(f.size), 0) AS bytes FROM knowledge_files kf JOIN files f ON f.id = kf.file_id WHERE kf.knowledge_id = ${id}`);
  if (total!.files > maxZipFiles || total!.bytes > maxZipBytes)
    throw new AppError("payload_too_large", "Too large for one zip file: the limit is 4 GB or 65,000 files");
  const paths = await directoryPaths(ctx, id);
  await auditRow(ctx, {
    action: "knowledge.exported",
    targetType: "knowledge",
    targetId: id,
    organizationId: row.organizationId,
    detail: { name: row.name, files: total!.files },
  });
  return { name: row.name, body: zipStream(zipEntries(ctx, user, id, paths)) };
}

async function* zipEntries(
  ctx: Context,
  user: User,
  id: string,
  paths: ReadonlyMap<string, string>,
): AsyncGenerator<ZipEntry> {
  for await (const file of exportedFiles(ctx, user, id)) {
    const found = await ctx.blobs.get(fileKey(file.id));
    // Deleted since its page was read.
    if (!found) continue;
    const directory = file.directoryId === null ? undefined : paths.get(file.directoryId);
    const path = `${directory === undefined ? "" : `${directory}/`}${file.filename}`;
    yield { path, at: file.createdAt, body: found.body };
  }
}

async function* exportedFiles(ctx: Context, user: User, id: string): AsyncGenerator<ExportedFile> {
  let current = user;
  for (let after = ""; ;) {
    const rows = await ctx.db.all<ExportedFile>(sql`
      SELECT f.id, f.filename, kf.directory_id AS directoryId, f.created_at AS createdAt
      FROM knowledge_files kf JOIN files f ON f.id = kf.file_id JOIN knowledge ON knowledge.id = kf.knowledge_id
      WHERE kf.knowledge_id = ${id} AND kf.file_id > ${after} AND ${readableKnowledge(current, "write")}
      ORDER BY kf.file_id LIMIT ${pageLength}`);
    yield* rows;
    if (rows.length < pageLength) return;
    after = rows.at(-1)!.id;
    const { actor } = await resolveActorById(ctx, heldCredential(user));
    if (actor.kind !== "user") return;
    current = actor;
  }
}

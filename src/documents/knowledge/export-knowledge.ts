import { sql } from "drizzle-orm";
import { Zip, ZipPassThrough } from "fflate";
import { heldCredential, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { resolveActorById } from "../../people/auth/resolve-actor.ts";
import { fileKey } from "../files/blob-keys.ts";
import { findWritable } from "./knowledge.ts";
import { readableKnowledge } from "./readable.ts";
import { directoryPaths } from "./sync/base-content.ts";

/** What the plain form of a zip file can hold (APPNOTE.TXT, section 4.4.1.4), with some room for its own bookkeeping. */
const maxBytes = 4_200_000_000;
const maxFiles = 65_000;
/** Files that are looked up at once; before each such page the caller is looked at again. */
const pageLength = 100;

interface ExportedFile {
  id: string;
  filename: string;
  directoryId: string | null;
  createdAt: number;
}

/**
 * All files of a base as they came, in a zip file that is written as fast as it is taken; directories are kept. For those who
 * may change the base.
 * @throws AppError `not_found`, `forbidden`; `payload_too_large` for what no plain zip file holds
 */
export async function exportKnowledge(
  ctx: Context,
  id: string,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const { user, row } = await findWritable(ctx, id);
  const [total] = await ctx.db.all<{ files: number; bytes: number }>(sql`
    SELECT count(*) AS files, coalesce(sum(f.size), 0) AS bytes FROM knowledge_files kf JOIN files f ON f.id = kf.file_id WHERE kf.knowledge_id = ${id}`);
  if (total!.files > maxFiles || total!.bytes > maxBytes)
    throw new AppError("payload_too_large", "Too large for one zip file: the limit is 4 GB or 65,000 files");
  const paths = await directoryPaths(ctx, id);
  await auditRow(ctx, {
    action: "knowledge.exported",
    targetType: "knowledge",
    targetId: id,
    organizationId: row.organizationId,
    detail: { name: row.name, files: total!.files },
  });
  const chunks = zipChunks(ctx, user, id, paths);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { name: row.name, body };
}

async function* zipChunks(
  ctx: Context,
  user: User,
  id: string,
  paths: ReadonlyMap<string, string>,
): AsyncGenerator<Uint8Array, undefined> {
  let made: Uint8Array[] = [];
  const taken = new Set<string>();
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  function* flush() {
    const ready = made;
    made = [];
    for (const chunk of ready) if (chunk.length > 0) yield chunk;
  }
  for await (const file of exportedFiles(ctx, user, id)) {
    const found = await ctx.blobs.get(fileKey(file.id));
    // Deleted since its page was read.
    if (!found) continue;
    const directory = file.directoryId === null ? undefined : paths.get(file.directoryId);
    const entry = new ZipPassThrough(
      freeName(`${directory === undefined ? "" : `${directory}/`}${file.filename}`, taken),
    );
    entry.mtime = new Date(Math.max(file.createdAt, earliest) * 1000);
    zip.add(entry);
    const reader = found.body.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        entry.push(value);
        yield* flush();
      }
    } finally {
      reader.releaseLock();
    }
    entry.push(new Uint8Array(), true);
    yield* flush();
  }
  zip.end();
  yield* flush();
  return undefined;
}

/** Zip files know no time before 1980. */
const earliest = Date.UTC(1980, 0, 2) / 1000;

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

/** Names that unpack anywhere, each once: `tides.pdf`, `tides (2).pdf`. */
function freeName(path: string, taken: Set<string>): string {
  const clean = path
    .split("/")
    .map((name) => name.replaceAll(/[\\:*?"<>|]/g, "_").replace(/^\.+$/, "_"))
    .join("/");
  const [, stem = clean, ending = ""] = /^(.*?[^/])(\.[^./]+)?$/s.exec(clean) ?? [];
  let name = clean;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${ending}`;
  taken.add(name.toLowerCase());
  return name;
}

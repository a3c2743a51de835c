import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requirePermission, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { drain } from "../../http/body.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { newId } from "../../lib/id.ts";
import { memberBytes, readZipDirectory, type ZipMember, ZipProblem, type ZipSource } from "../../lib/read-zip.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { fileKey } from "../files/blob-keys.ts";
import { cleanName } from "../files/clean-name.ts";
import { type ArrivedFile, forgetFile, formOverhead, holdPlace, takeFile } from "../files/upload/arriving-file.ts";
import { processingDeadline } from "../files/upload/store-file.ts";
import { takeUploadPlace } from "../files/upload/upload-line.ts";
import { fileLimit, refuseKind, requireUploader } from "../files/upload/upload-rules.ts";
import { directoryAt, makeDirectories, splitPath } from "./directory-path.ts";
import { getKnowledge } from "./knowledge.ts";
import { sourcePath, type ImportedKnowledge } from "./schema.ts";
import { knowledge } from "./tables.ts";

/** Most files of one import: they become a base in one batch. */
const maxFiles = 500;
/** Largest zip file: what the plain form can hold. */
const maxZip = {
  bytes: 4_000_000_000,
  refusal: () => new AppError("payload_too_large", "A zip file can have at most 4 GB"),
};

/** What programs put into zip files beside the files themselves. */
const isClutter = (path: string) => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path);

/**
 * Makes a knowledge base of the files in a zip file, as `exportKnowledge` writes it; its folders become directories. All
 * of it or nothing: the base appears when every file is there. The bytes go through object storage, so that only a
 * piece is in memory at a time; while it works, the zip file counts as the person's too.
 * @throws AppError `forbidden`; `bad_request` for what is no such file, with the problem; `unsupported_media_type`;
 *   `payload_too_large`, `storage_full` and its kin
 */
export async function importKnowledge(ctx: Context, request: Request, name: string): Promise<ImportedKnowledge> {
  const user = requirePermission(ctx, "workspace.knowledge");
  requireUploader(ctx);
  const reader = request.body?.getReader();
  if (!reader) throw new AppError("bad_request", "Expected a zip file as the body");
  const turn = await takeUploadPlace(ctx.environment, user.id, request.signal);
  const arrived: StoredMember[] = [];
  let zipId: string | undefined;
  try {
    const length = Number(request.headers.get("content-length") ?? 0);
    if (length > maxZip.bytes) throw maxZip.refusal();
    const place = holdPlace(ctx, user, { expected: length, process: false });
    zipId = place.id;
    const said = { filename: "import.zip", contentType: "application/zip" };
    const zip = await takeFile(ctx, user, place, said, piecesOf(reader), length > 0 ? length : undefined, maxZip);
    const source = sourceOf(ctx, zip);
    const members = plan(ctx, await readZipDirectory(source, maxFiles));
    const known = new Set<string>();
    for (const member of members) {
      const file = await unpack(ctx, user, source, member);
      if (known.has(file.arrived.sha256)) await forgetFile(ctx, file.arrived.id);
      else arrived.push(file);
      known.add(file.arrived.sha256);
    }
    const id = newId();
    await runBatch(ctx.db, await statementsFor(ctx, user, { id, name, files: arrived }));
    await ctx.jobs.wake("extract");
    const files = arrived.length;
    return { ...(await getKnowledge(ctx, id)), imported: files, duplicates: members.length - files };
  } catch (error) {
    for (const { arrived: file } of arrived) await forgetFile(ctx, file.id);
    // The rest is read so that the sender receives the error.
    if (error instanceof AppError && !request.headers.has("expect")) await drain(reader);
    throw error instanceof ZipProblem ? new AppError("bad_request", error.message) : error;
  } finally {
    if (zipId !== undefined) await forgetFile(ctx, zipId);
    turn.free();
  }
}

/** Without cancelling: what is left of the body can still be read. */
async function* piecesOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

interface PlannedMember extends ZipMember {
  /** Where it will be in the base: clean, relative, with `/`. */
  place: string;
  filename: string;
}

interface StoredMember {
  arrived: ArrivedFile;
  place: string;
}

/** @throws AppError, ZipProblem for the first file that cannot be taken */
function plan({ settings }: Context, members: readonly ZipMember[]): PlannedMember[] {
  const limit = fileLimit(settings);
  const planned = members.flatMap((member) => {
    if (isClutter(member.path)) return [];
    const path = sourcePath.safeParse(member.path);
    if (!path.success || member.path.startsWith("/"))
      throw new ZipProblem(`${member.path.slice(0, 200)} is not a path that a file can have`);
    const filename = cleanName(path.data);
    refuseKind(settings, filename);
    if (member.size > limit.bytes) throw limit.refusal();
    return [{ ...member, place: path.data, filename }];
  });
  if (planned.length === 0) throw new ZipProblem("There are no files in this zip file");
  return planned;
}

async function unpack(ctx: Context, user: User, source: ZipSource, member: PlannedMember): Promise<StoredMember> {
  // Set aside to the byte: nothing asks for room again when it becomes a file.
  const place = holdPlace(ctx, user, { expected: member.size + formOverhead, process: true });
  const said = { filename: member.filename, contentType: "" };
  const arrived = await takeFile(ctx, user, place, said, memberBytes(source, member), member.size);
  return { arrived, place: member.place };
}

function sourceOf({ blobs }: Pick<Context, "blobs">, { id, size }: ArrivedFile): ZipSource {
  return {
    size,
    async read(offset, length) {
      const found = await blobs.get(fileKey(id), { offset, length });
      if (!found) throw new AppError("conflict", "The upload was cancelled in the meantime: send the file again");
      return found.body;
    },
  };
}

interface NewBase {
  id: string;
  name: string;
  files: readonly StoredMember[];
}

/** Everything at once: a file whose upload was cancelled meanwhile fails the whole batch, by its foreign key. */
async function statementsFor(ctx: Context, user: User, { id, name, files }: NewBase): Promise<BatchItem<"sqlite">[]> {
  const { db } = ctx;
  const now = ctx.now();
  const rows = JSON.stringify(
    files.map(({ arrived: { id: file, filename, contentType, size, sha256 } }) => [
      file,
      filename,
      contentType,
      size,
      sha256,
    ]),
  );
  const ids = JSON.stringify(files.map(({ arrived }) => arrived.id));
  const byDirectory = Map.groupBy(files, ({ place }) => splitPath(place).directories.join("/"));
  const deadline = processingDeadline(ctx);
  return [
    db.insert(knowledge).values({
      id,
      userId: user.id,
      organizationId: user.organizationId,
      name,
      description: "",
      meta: {},
      createdAt: now,
      updatedAt: now,
    }),
    db.run(sql`INSERT INTO files (id, user_id, organization_id, filename, content_type, size, sha256, meta, state, stage, created_at, updated_at)
      SELECT r.value ->> 0, ${user.id}, ${user.organizationId}, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, '{}',
        'pending', 'waiting', ${now}, ${now}
      FROM json_each(${rows}) r JOIN uploads u ON u.id = r.value ->> 0 AND u.user_id = ${user.id}`),
    ...[...byDirectory].flatMap(([path, inside]) => {
      const names = path === "" ? [] : path.split("/");
      const placed = JSON.stringify(inside.map(({ arrived, place }) => [arrived.id, place]));
      return [
        ...makeDirectories(db, { knowledgeId: id, names, now }, sql`TRUE`),
        db.run(sql`INSERT INTO knowledge_waiting (knowledge_id, file_id, directory_id, path, user_id, created_at)
          SELECT ${id}, r.value ->> 0, ${directoryAt(id, names)}, r.value ->> 1, ${user.id}, ${now} FROM json_each(${placed}) r`),
      ];
    }),
    // One by one: each gets the turn behind the one before.
    ...files.map(({ arrived }) =>
      addJobStatement(ctx, { kind: "extract", subject: arrived.id, userId: user.id, deadline }),
    ),
    db.run(sql`DELETE FROM uploads WHERE id IN (SELECT value FROM json_each(${ids}))`),
    // Their bytes are the files' now.
    db.run(sql`DELETE FROM dropped_uploads WHERE key IN (SELECT ${fileKey("")} || value FROM json_each(${ids}))`),
    auditRow(ctx, {
      action: "knowledge.imported",
      targetType: "knowledge",
      targetId: id,
      organizationId: user.organizationId,
      detail: { name, files: files.length },
    }),
  ];
}

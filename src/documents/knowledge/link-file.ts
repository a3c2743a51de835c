import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import * as z from "zod";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import { validationError } from "../../http/validation-error.ts";
import { directoryAt, makeDirectories, splitPath } from "./directory-path.ts";
import { readableKnowledge, writableByPerson } from "./readable.ts";
import { sourcePath } from "./schema.ts";
import { knowledgeFiles, knowledgeWaiting } from "./tables.ts";

/** What the metadata of an upload says of the base that the file is for. */
const linkTarget = z.object({
  knowledge_id: z.string().min(1).max(100),
  directory_id: z
    .string()
    .max(100)
    .nullish()
    .transform((id) => (id === "" ? null : (id ?? null))),
  path: sourcePath.nullish().transform((path) => path ?? null),
});
export type LinkTarget = z.infer<typeof linkTarget>;

/** Undefined where the metadata names no base. @throws AppError `validation_failed` */
export function readLinkTarget(metadata: Record<string, unknown>): LinkTarget | undefined {
  const { knowledge_id: id } = metadata;
  if (id === undefined || id === null || id === "") return undefined;
  const read = linkTarget.safeParse(metadata);
  if (!read.success) throw validationError(read.error);
  return read.data;
}

/**
 * To be asked before the bytes of an upload are taken: whether its sender may put it there. One round trip.
 * @throws AppError `not_found` for a base that they do not see, or a directory that is not in it; `forbidden`
 */
export async function checkLinkTarget(ctx: Context, target: LinkTarget): Promise<void> {
  const user = requireUser(ctx);
  const found = await ctx.db.all<{ writable: number; directory: number }>(sql`
    SELECT ${readableKnowledge(user, "write")} AS writable, ${hasDirectory(target)} AS directory
    FROM knowledge WHERE knowledge.id = ${target.knowledge_id} AND ${readableKnowledge(user)}`);
  const [row] = found;
  if (!row) throw new AppError("not_found", "No such knowledge base", { param: "knowledge_id" });
  if (!row.writable)
    throw new AppError("forbidden", "You can read this knowledge base but not add to it", { param: "knowledge_id" });
  if (!row.directory)
    throw new AppError("not_found", "No such directory in the knowledge base", { param: "directory_id" });
}

/**
 * Statements for the batch that stores an upload: the file goes into the base when it has a text, and waits there until then.
 * They do nothing where its sender may not add to the base (any more).
 */
export function linkLater(ctx: Context, fileId: string, target: LinkTarget): BatchItem<"sqlite">[] {
  const user = requireUser(ctx);
  const { knowledge_id: knowledgeId, path } = target;
  const names = path !== null && target.directory_id === null ? splitPath(path).directories : [];
  const directory = target.directory_id === null ? directoryAt(knowledgeId, names) : sql`${target.directory_id}`;
  const allowed = mayAdd(user, target);
  return [
    ...makeDirectories(ctx.db, { knowledgeId, names, now: ctx.now() }, allowed),
    ctx.db
      .insert(knowledgeWaiting)
      .select(
        sql`SELECT ${knowledgeId}, ${fileId}, ${directory}, ${path}, ${user.id}, ${ctx.now()}
          WHERE EXISTS (SELECT 1 FROM files WHERE files.id = ${fileId}) AND ${allowed}`,
      )
      .onConflictDoNothing(),
  ];
}

function mayAdd(user: User, target: LinkTarget): SQL {
  return sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${target.knowledge_id} AND ${readableKnowledge(user, "write")}
    AND ${hasDirectory(target)})`;
}

/** Over the table `knowledge`. */
function hasDirectory({ directory_id: id }: LinkTarget): SQL {
  return id === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM knowledge_directories d WHERE d.id = ${id} AND d.knowledge_id = knowledge.id)`;
}

/** What of a file makes it another one: its bytes; its text where they are not known; itself where that is not either. Over the table alias `f`. */
export const contentHash = sql.raw("coalesce(f.sha256, f.text_sha256, f.id)");

/**
 * Statements that put files which waited and have a text now into their bases, with the rights that their senders have at this
 * moment; those who may not any more send nothing. What a base has already, by its content, goes on waiting: nothing that
 * somebody sent disappears unseen. The time that counts is that at which it was sent. To be run again without harm; the first answers with what was put in.
 * @param waiting which, over the table alias `w`
 */
export function linkReady(db: Database, waiting: SQL) {
  const ready = sql`EXISTS (SELECT 1 FROM files f WHERE f.id = w.file_id AND f.version > 0)`;
  const allowed = sql`EXISTS (SELECT 1 FROM knowledge, users WHERE knowledge.id = w.knowledge_id AND users.id = w.user_id AND ${writableByPerson()})`;
  return [
    db
      .insert(knowledgeFiles)
      .select(
        sql`SELECT w.knowledge_id, w.file_id, w.directory_id, ${contentHash}, w.path, w.user_id, w.created_at
          FROM knowledge_waiting w JOIN files f ON f.id = w.file_id
          WHERE ${waiting} AND ${ready} AND ${allowed} ORDER BY w.created_at, w.file_id`,
      )
      .onConflictDoNothing()
      .returning({
        knowledgeId: knowledgeFiles.knowledgeId,
        fileId: knowledgeFiles.fileId,
        userId: knowledgeFiles.userId,
      }),
    db.run(sql`UPDATE knowledge SET updated_at = max(updated_at, sent.at) FROM (
      SELECT w.knowledge_id, max(w.created_at) AS at FROM knowledge_waiting w
      JOIN knowledge_files kf ON kf.knowledge_id = w.knowledge_id AND kf.file_id = w.file_id WHERE ${waiting} GROUP BY w.knowledge_id) sent
      WHERE sent.knowledge_id = knowledge.id`),
    db.run(sql`DELETE FROM knowledge_waiting AS w WHERE ${waiting} AND (
      EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = w.knowledge_id AND kf.file_id = w.file_id)
      OR (${ready} AND NOT ${allowed}))`),
  ] as const;
}

/** The same for one file, for the batch that makes its text count. */
export function linkFileReady(db: Database, fileId: string) {
  return linkReady(db, sql`w.file_id = ${fileId}`);
}

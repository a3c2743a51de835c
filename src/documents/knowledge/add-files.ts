import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { isSettled } from "../files/file-status.ts";
import { settledFile } from "../files/watch-status.ts";
import { directoryAt, makeDirectories, splitPath } from "./directory-path.ts";
import { baseWithFiles, readBackWithFiles } from "./files-of-base.ts";
import type { KnowledgeRow } from "./knowledge-row.ts";
import { homeOf, requireWritable, writableBase } from "./knowledge.ts";
import { readableFile } from "./readable.ts";
import type { AddedFile, FileWarnings, KnowledgeWithFiles } from "./schema.ts";
import { knowledgeFiles } from "./tables.ts";

/** How long a file that is being read is waited for, milliseconds: many clients add it right after its upload. */
const readingWaitMs = 2000;

/** Files of one transaction. */
const sliceLength = 100;

/** What of a file makes it another one. Over the table `files`. */
const hash = sql.raw("coalesce(files.sha256, files.text_sha256, files.id)");

/** How an entry stands after it was tried. */
interface Outcome {
  fileId: string;
  filename: string | null;
  state: "stored" | "pending" | "completed" | "failed" | null;
  version: number | null;
  errorCode: string | null;
  error: string | null;
  /** Whether it is in the base now. */
  linked: number;
  /** JSON: the file of the base with the same content. */
  existing: string | null;
  hasDirectory: number;
}

/**
 * Puts a file with a text into a base: one round trip, unless the file is still being read; then it is tried again as soon as
 * that has ended, within two seconds. What is there already, by its id or its content, stays as it is, and `warnings` says so.
 * @throws AppError `not_found` for a base, file or directory that is not there for the caller; `forbidden`; `file_processing`,
 *   `file_failed`, `file_no_text`, `file_not_processed` for a file without a text
 */
export async function addFile(ctx: Context, id: string, entry: AddedFile): Promise<KnowledgeWithFiles> {
  try {
    return await addNow(ctx, id, entry);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "file_processing") throw error;
    const file = await settledFile(ctx, entry.file_id, AbortSignal.timeout(readingWaitMs));
    if (!isSettled(file)) throw error;
    return addNow(ctx, id, entry);
  }
}

async function addNow(ctx: Context, id: string, entry: AddedFile): Promise<KnowledgeWithFiles> {
  const { results, outcomes } = await addSlice(ctx, requireUser(ctx), id, [entry], [entry.file_id]);
  const [outcome] = outcomes;
  const error = outcome && errorOf(outcome);
  if (error) throw error;
  return baseWithFiles(results, warningsOf(outcomes));
}

/**
 * Puts many files into a base, a hundred at a time; what could not be done stands in `warnings`.
 * @throws AppError `not_found`, `forbidden`
 */
export async function addFiles(ctx: Context, id: string, entries: readonly AddedFile[]): Promise<KnowledgeWithFiles> {
  const user = requireUser(ctx);
  const unique = [...new Map(entries.map((entry) => [entry.file_id, entry])).values()];
  const outcomes: Outcome[] = [];
  let results: unknown[] = [];
  for (let at = 0; at < unique.length; at += sliceLength) {
    const slice = unique.slice(at, at + sliceLength);
    const added = await addSlice(
      ctx,
      user,
      id,
      slice,
      slice.map((entry) => entry.file_id),
    );
    outcomes.push(...added.outcomes);
    results = added.results;
  }
  return baseWithFiles(results, warningsOf(outcomes));
}

async function addSlice(ctx: Context, user: User, id: string, entries: readonly AddedFile[], shown: readonly string[]) {
  const ids = entries.map((entry) => entry.file_id);
  const among = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const back = readBackWithFiles(ctx, user, id, shown);
  const results = await runBatch(ctx.db, [
    ...entries.flatMap((entry) => linkStatements(ctx, user, id, entry)),
    ctx.db.run(sql`DELETE FROM knowledge_waiting WHERE knowledge_id = ${id} AND file_id IN ${among}
      AND EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${id} AND kf.file_id = knowledge_waiting.file_id)`),
    ctx.db.run(sql`UPDATE knowledge SET updated_at = max(updated_at, ${ctx.now()}) WHERE id = ${id}
      AND EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${id} AND kf.file_id IN ${among} AND kf.created_at >= ${ctx.now()})`),
    ctx.db.all<Outcome>(selectOutcomes(user, id, entries)),
    ...back,
  ]);
  const [rows] = results.slice(-back.length) as [KnowledgeRow[]];
  requireWritable(rows[0]);
  return { results, outcomes: results.at(-back.length - 1) as Outcome[] };
}

function linkStatements(ctx: Context, user: User, id: string, entry: AddedFile): BatchItem<"sqlite">[] {
  const { db } = ctx;
  const now = ctx.now();
  const names = entry.path !== null && entry.directory_id === null ? splitPath(entry.path).directories : [];
  const directory = entry.directory_id === null ? directoryAt(id, names) : sql`${entry.directory_id}`;
  const ready = sql`files.id = ${entry.file_id} AND ${readableFile(user)} AND files.version > 0
    AND ${writableBase(user, id)} AND ${hasDirectory(id, entry)}`;
  const isNew = sql`EXISTS (SELECT 1 FROM files WHERE ${ready} AND NOT EXISTS (
    SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${id} AND (kf.file_id = files.id OR kf.content_hash = ${hash})))`;
  return [
    ...makeDirectories(db, { knowledgeId: id, names, now }, isNew),
    db
      .insert(knowledgeFiles)
      .select(
        sql`SELECT ${id}, files.id, ${directory}, ${hash}, ${entry.path}, ${user.id}, ${now} FROM files WHERE ${ready}`,
      )
      .onConflictDoNothing(),
    auditRowIf(ctx, {
      action: "knowledge.file_added",
      targetType: "knowledge",
      targetId: id,
      organizationId: homeOf(id),
      detail: { file_id: entry.file_id },
    }),
  ];
}

function hasDirectory(id: string, { directory_id: directory }: Pick<AddedFile, "directory_id">): SQL {
  return directory === null
    ? sql`TRUE`
    : sql`EXISTS (SELECT 1 FROM knowledge_directories d WHERE d.id = ${directory} AND d.knowledge_id = ${id})`;
}

function selectOutcomes(user: User, id: string, entries: readonly AddedFile[]): SQL {
  const list = JSON.stringify(entries.map((entry) => [entry.file_id, entry.directory_id]));
  return sql`SELECT e.value ->> 0 AS fileId, files.filename, files.state, files.version, files.error_code AS errorCode, files.error,
      EXISTS (SELECT 1 FROM knowledge_files kf WHERE kf.knowledge_id = ${id} AND kf.file_id = files.id) AS linked,
      (SELECT json_object('file_id', o.id, 'filename', o.filename) FROM knowledge_files kf JOIN files o ON o.id = kf.file_id
        WHERE kf.knowledge_id = ${id} AND kf.content_hash = ${hash} AND kf.file_id <> files.id) AS existing,
      (e.value ->> 1 IS NULL OR EXISTS (SELECT 1 FROM knowledge_directories d WHERE d.id = e.value ->> 1 AND d.knowledge_id = ${id})) AS hasDirectory
    FROM json_each(${list}) e LEFT JOIN files ON files.id = e.value ->> 0 AND ${readableFile(user)} ORDER BY e.key`;
}

/** Why the file is not in the base; undefined where it is, or where its content is. */
function errorOf(outcome: Outcome): AppError | undefined {
  const { fileId, filename, state, error, errorCode } = outcome;
  if (outcome.linked || (outcome.existing !== null && outcome.hasDirectory)) return undefined;
  const param = { param: "file_id" };
  if (state === null) return new AppError("not_found", `No such file, or no access to it: ${fileId}`, param);
  const status = `GET /api/v1/files/${fileId}/process/status`;
  if (!outcome.version) {
    if (state === "stored")
      return new AppError(
        "file_not_processed",
        `${filename} was stored without processing: process it with POST /api/v1/files/${fileId}/process`,
        param,
      );
    if (state === "failed") {
      const isEmpty = errorCode === "file_no_text" || errorCode === "file_empty";
      return new AppError(isEmpty ? "file_no_text" : "file_failed", `${filename} has no text: ${error}`, param);
    }
    return new AppError(
      "file_processing",
      `${filename}is still being processed and its content is empty: add it when ${status} says completed`,
      param,
    );
  }
  if (!outcome.hasDirectory)
    return new AppError("not_found", "No such directory in the knowledge base", { param: "directory_id" });
  return new AppError("conflict", `${filename} was changed at the same time: add it again`, param);
}

function warningsOf(outcomes: readonly Outcome[]): FileWarnings | undefined {
  const errors: string[] = [];
  const entries = outcomes.flatMap((outcome): FileWarnings["entries"] => {
    const error = errorOf(outcome);
    if (error) {
      errors.push(error.message);
      return [{ file_id: outcome.fileId, code: error.code }];
    }
    if (outcome.linked || outcome.existing === null) return [];
    const existing = JSON.parse(outcome.existing) as { file_id: string; filename: string };
    errors.push(
      `${outcome.filename} has the same content as ${existing.filename}, which is already in the knowledge base`,
    );
    return [{ file_id: outcome.fileId, code: "duplicate_content", existing }];
  });
  if (entries.length === 0) return undefined;
  return {
    message: entries.length === 1 ? "One file was not added" : `${entries.length} files were not added`,
    errors,
    entries,
  };
}

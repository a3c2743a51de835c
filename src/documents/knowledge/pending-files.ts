import { and, eq, sql } from "drizzle-orm";
import { requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { pause } from "../../lib/pause.ts";
import { lastingContext } from "../../people/auth/lasting-context.ts";
import { users } from "../../people/users/tables.ts";
import { viewColumns } from "../files/file-view.ts";
import { files } from "../files/tables.ts";
import { baseFile } from "./base-files.ts";
import { unknownKnowledge } from "./knowledge.ts";
import { readableKnowledge } from "./readable.ts";
import type { PendingFile } from "./schema.ts";
import { knowledge, knowledgeFiles, knowledgeWaiting } from "./tables.ts";

/** Of one answer; the oldest. */
const maxPending = 1000;

/**
 * Files that were sent for a base and are not in it yet, with what became of them, for who may change it (their own for
 * others); and those in it that are being read anew. The oldest first. One round trip.
 * @throws AppError `not_found`
 */
export async function listPendingFiles(ctx: Context, id: string): Promise<PendingFile[]> {
  const user = requireUser(ctx);
  const [bases, waiting, again] = await ctx.db.batch([
    ctx.db
      .select({ id: knowledge.id })
      .from(knowledge)
      .where(sql`knowledge.id = ${id} AND ${readableKnowledge(user)}`),
    selectWaiting(ctx, user, id),
    ctx.db
      .select({
        file: viewColumns,
        directoryId: knowledgeFiles.directoryId,
        path: knowledgeFiles.path,
        addedAt: knowledgeFiles.createdAt,
        owner: users.name,
      })
      .from(files)
      .innerJoin(knowledgeFiles, eq(knowledgeFiles.fileId, files.id))
      .leftJoin(users, eq(users.id, files.userId))
      .where(
        and(
          eq(knowledgeFiles.knowledgeId, id),
          // Written out, for the index of the pending ones.
          sql`files.state = 'pending'`,
          sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user)})`,
        ),
      )
      .orderBy(knowledgeFiles.createdAt, files.id)
      .limit(maxPending),
  ]);
  if (!bases[0]) throw unknownKnowledge();
  return [
    ...waiting.map(({ existing, ...row }) => ({
      ...baseFile(row),
      linked: false,
      duplicate_of: existing === null ? null : (JSON.parse(existing) as PendingFile["duplicate_of"]),
    })),
    ...again.map((row) => ({ ...baseFile(row), linked: true, duplicate_of: null })),
  ];
}

function selectWaiting(ctx: Context, user: User, id: string) {
  const mine = eq(knowledgeWaiting.userId, user.id);
  const writable = sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user, "write")})`;
  return ctx.db
    .select({
      file: viewColumns,
      directoryId: knowledgeWaiting.directoryId,
      path: knowledgeWaiting.path,
      addedAt: knowledgeWaiting.createdAt,
      owner: users.name,
      existing: sql<string | null>`(SELECT json_object('file_id', o.id, 'filename', o.filename)
        FROM knowledge_files kf JOIN files o ON o.id = kf.file_id
        WHERE kf.knowledge_id = ${id} AND kf.content_hash = coalesce(files.sha256, files.text_sha256, files.id))`,
    })
    .from(knowledgeWaiting)
    .innerJoin(files, eq(files.id, knowledgeWaiting.fileId))
    .leftJoin(users, eq(users.id, files.userId))
    .where(
      and(
        eq(knowledgeWaiting.knowledgeId, id),
        sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user)}) AND (${mine} OR ${writable})`,
      ),
    )
    .orderBy(knowledgeWaiting.createdAt, files.id)
    .limit(maxPending);
}

/** Milliseconds between two looks, and for how long anybody watches. */
const pauseMs = 1000;
const maxWatchMs = 2 * 3_600_000;

/**
 * The list whenever it changes, as it is at first, until nothing of it is being read any more. Ends with the caller's right to
 * see it.
 * @throws AppError `not_found` for a base that is not there at the beginning
 */
export async function* watchPendingFiles(
  ctx: Context,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<PendingFile[], undefined> {
  const contextNow = lastingContext(ctx);
  const began = Date.now();
  let said: string | undefined;
  while (!signal.aborted && Date.now() - began < maxWatchMs) {
    const list = await listPendingFiles(await contextNow(), id);
    const now = JSON.stringify(list);
    if (now !== said) yield list;
    said = now;
    if (!list.some((file) => file.data.stage !== null)) return;
    await pause(pauseMs, signal).catch(() => undefined);
  }
}

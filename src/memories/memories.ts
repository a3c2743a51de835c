import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRowIf } from "../people/audit/audit-row.ts";
import { embedLater } from "./embed-memories.ts";
import { groupPaths, readPath, searchRows } from "./memory-paths.ts";
import { requireMemories } from "./require-memories.ts";
import type {
  MemoryChange,
  MemorySearch,
  MemoryView,
  NewMemory,
  PathContent,
  PathGroups,
  PathQuery,
  PathReading,
  PlainMemory,
} from "./schema.ts";
import { memories, memoryVectors } from "./tables.ts";

type Memory = typeof memories.$inferSelect;

/** All memories of the caller, last changed first. */
export async function listMemories(ctx: Context): Promise<MemoryView[]> {
  return (await loadMemories(ctx)).map(memoryView);
}

/** Those of the caller that have certain words, or belong to a path. @throws AppError `forbidden` */
export async function searchMemories(ctx: Context, search: MemorySearch): Promise<MemoryView[]> {
  return searchRows(await loadMemories(ctx), search).map(memoryView);
}

/** The paths of the caller's memories. @throws AppError `forbidden` */
export async function listPaths(ctx: Context, query: PathQuery): Promise<PathGroups> {
  return groupPaths(await loadMemories(ctx), query);
}

/** What the caller has at a path and around it. @throws AppError `forbidden` */
export async function getPath(ctx: Context, reading: PathReading): Promise<PathContent> {
  const { memories: found, ...rest } = readPath(await loadMemories(ctx), reading);
  return { ...rest, memories: found.map(plainMemoryOf) };
}

async function loadMemories(ctx: Context): Promise<Memory[]> {
  const user = requireMemories(ctx);
  return ctx.db
    .select()
    .from(memories)
    .where(eq(memories.userId, user.id))
    .orderBy(desc(memories.updatedAt), desc(memories.id));
}

/** @throws AppError `forbidden`, `limit_reached` */
export async function addMemory(ctx: Context, { content, type, path }: NewMemory): Promise<MemoryView> {
  const memory = await storeMemory(ctx, { content, type, path, source: "person", chatId: null });
  if (!memory) throw tooManyMemories(ctx);
  return memoryView(memory);
}

/**
 * The same for a model: a text that the person has already is not stored twice.
 * @returns undefined for such a text
 * @throws AppError `forbidden`, `limit_reached`
 */
export async function addByModel(
  ctx: Context,
  { content, chatId }: { content: string; chatId: string },
): Promise<{ id: string } | undefined> {
  const { id: userId } = requireMemories(ctx);
  const isKnown = sql`EXISTS (SELECT 1 FROM memories m WHERE m.user_id = ${userId} AND lower(m.content) = lower(${content}))`;
  const memory = await storeMemory(
    ctx,
    { content, type: "context", path: null, source: "model", chatId },
    sql`NOT ${isKnown}`,
  );
  if (memory) return memory;
  const [row] = await ctx.db.all<{ known: 0 | 1 }>(sql`SELECT ${isKnown} AS known`);
  if (row!.known) return undefined;
  throw tooManyMemories(ctx);
}

/** @returns undefined where there is no room, or the condition does not hold */
async function storeMemory(
  ctx: Context,
  fields: Pick<Memory, "content" | "type" | "path" | "source" | "chatId">,
  condition: SQL = sql`TRUE`,
): Promise<Memory | undefined> {
  const user = requireMemories(ctx);
  const { MAX_MEMORIES: max } = ctx.settings;
  const id = newId();
  const now = ctx.now();
  const hasRoom = sql`(SELECT count(*) FROM memories m WHERE m.user_id = ${user.id}) < ${max}`;
  const values = { ...fields, id, userId: user.id, createdAt: now, updatedAt: now };
  const [stored] = await ctx.db.batch([
    insertWhere(ctx.db, memories, values, sql`${hasRoom} AND ${condition}`).returning({ id: memories.id }),
    auditRowIf(ctx, {
      action: "memory.created",
      targetType: "memory",
      targetId: id,
      organizationId: user.organizationId,
      detail: { source: fields.source },
    }),
  ]);
  if (stored.length === 0) return undefined;
  embedLater(ctx, user.id);
  return values;
}

/** @throws AppError `forbidden`, `not_found` */
export async function changeMemory(
  ctx: Context,
  id: string,
  { content, type, path }: MemoryChange,
): Promise<MemoryView> {
  const user = requireMemories(ctx);
  const [[changed]] = await ctx.db.batch([
    ctx.db
      .update(memories)
      .set({
        ...(content ? { content } : {}),
        ...(type ? { type } : {}),
        ...(path === undefined ? {} : { path }),
        updatedAt: sql`max(${ctx.now()}, ${memories.updatedAt})`,
      })
      .where(isOwn(id, user.id))
      .returning(),
    auditRowIf(ctx, {
      action: "memory.updated",
      targetType: "memory",
      targetId: id,
      organizationId: user.organizationId,
    }),
    ctx.db
      .delete(memoryVectors)
      .where(sql`memory_id IN (SELECT m.id FROM memories m WHERE m.id = ${id} AND m.user_id = ${user.id})`),
  ]);
  if (!changed) throw unknownMemory();
  embedLater(ctx, user.id);
  return memoryView(changed);
}

/** @throws AppError `forbidden`, `not_found`, `legal_hold` */
export async function deleteMemory(ctx: Context, id: string): Promise<void> {
  const user = requireMemories(ctx);
  const [deleted] = await ctx.db.batch([
    ctx.db.delete(memories).where(isOwn(id, user.id)).returning({ id: memories.id }),
    auditRowIf(ctx, {
      action: "memory.deleted",
      targetType: "memory",
      targetId: id,
      organizationId: user.organizationId,
    }),
  ]);
  if (deleted.length === 0) throw unknownMemory();
}

/** Deletes all memories of the caller. @throws AppError `forbidden`, `legal_hold` */
export async function deleteMemories(ctx: Context): Promise<void> {
  const user = requireMemories(ctx);
  await ctx.db.batch([
    ctx.db.delete(memories).where(eq(memories.userId, user.id)),
    auditRowIf(ctx, {
      action: "memory.all_deleted",
      targetType: "user",
      targetId: user.id,
      organizationId: user.organizationId,
      detail: sql`json_object('count', changes())`,
    }),
  ]);
}

const isOwn = (id: string, userId: string) => and(eq(memories.id, id), eq(memories.userId, userId));

/** Another person's is as unknown as one that does not exist. */
export function unknownMemory(): AppError {
  return new AppError("not_found", "No such memory");
}

export function tooManyMemories({ settings }: Pick<Context, "settings">): AppError {
  const { MAX_MEMORIES: max } = settings;
  return new AppError(
    "limit_reached",
    `You may have ${max} memories, and you have as many. Delete some that you no longer need`,
  );
}

export function plainMemoryOf({ id, userId, type, path, content, createdAt, updatedAt }: Memory): PlainMemory {
  return { id, user_id: userId, type, path, content, created_at: createdAt, updated_at: updatedAt };
}

function memoryView(memory: Memory): MemoryView {
  const { source, chatId } = memory;
  return { ...plainMemoryOf(memory), meta: { created_by: source === "model" ? "tool" : "manual", chat_id: chatId } };
}

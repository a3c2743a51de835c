import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { insertWhere } from "../db/insert-where.ts";
import { newId } from "../lib/id.ts";
import { auditValues } from "../people/audit/audit-row.ts";
import { auditEvents } from "../people/audit/tables.ts";
import { embedLater } from "./embed-memories.ts";
import { plainMemoryOf, tooManyMemories, unknownMemory } from "./memories.ts";
import { requireMemories } from "./require-memories.ts";
import type { MemoryOperation, OperationResult } from "./schema.ts";
import { memories, memoryVectors } from "./tables.ts";

type Memory = typeof memories.$inferSelect;

/**
 * Adds, replaces, moves and removes memories of the caller, in this order: all of it or nothing. A text that is there already, with the same
 * type and path, is not added.
 * @returns what became of each
 * @throws AppError `forbidden`; `not_found` for an unknown id, or one that an earlier operation removes; `limit_reached`; `legal_hold`
 */
export async function updateMemories(ctx: Context, operations: readonly MemoryOperation[]): Promise<OperationResult[]> {
  const user = requireMemories(ctx);
  const removed = new Set<string>();
  for (const operation of operations) {
    if (operation.action === "add") continue;
    if (removed.has(operation.id)) throw unknownMemory();
    if (operation.action === "remove") removed.add(operation.id);
  }
  const ids = new Set(operations.flatMap((operation) => (operation.action === "add" ? [] : [operation.id])));
  const added = operations.filter(({ action }) => action === "add").length;
  const { MAX_MEMORIES: max } = ctx.settings;
  const own = sql`(SELECT count(*) FROM memories m WHERE m.user_id = ${user.id})`;
  const known = sql`(SELECT count(*) FROM memories m WHERE m.user_id = ${user.id} AND m.id IN ${listOf(ids)}) = ${ids.size}`;
  const hasRoom = added === 0 ? sql`TRUE` : sql`${own} - ${removed.size} + ${added} <= ${max}`;
  const audit = auditValues(ctx, {
    action: "memory.several_changed",
    targetType: "user",
    targetId: user.id,
    organizationId: user.organizationId,
    detail: { count: operations.length },
  });
  // The row of the audit log decides for all statements after it.
  const isAllowed = sql`EXISTS (SELECT 1 FROM audit_events WHERE id = ${audit.id})`;
  const steps = operations.map((operation) => ({ operation, newId: newId() }));
  const changed = new Set(operations.flatMap((operation) => ("id" in operation ? [operation.id] : [])));
  const [[state], , ...results] = (await runBatch(ctx.db, [
    ctx.db.all(sql`SELECT ${known} AS known`),
    insertWhere(ctx.db, auditEvents, audit, sql`${known} AND ${hasRoom}`).returning({ id: auditEvents.id }),
    ...steps.map((step) => statementOf(ctx, user.id, step, isAllowed)),
    ctx.db.delete(memoryVectors).where(sql`memory_id IN ${listOf(changed)} AND ${isAllowed}`),
  ])) as [[{ known: 0 | 1 }], unknown, ...Memory[][]];
  if (!state.known) throw unknownMemory();
  const found = steps.map((step, at) => resultOf(step, results[at]?.[0]));
  if (found.some((result) => result === undefined)) throw tooManyMemories(ctx);
  embedLater(ctx, user.id);
  return found as OperationResult[];
}

interface Step {
  operation: MemoryOperation;
  /** Of the memory that it may add. */
  newId: string;
}

/** A statement that returns the memory as it is afterwards; a duplicate is returned as it was. */
function statementOf(
  { db, now }: Context,
  userId: string,
  { operation, newId: id }: Step,
  isAllowed: SQL,
): BatchItem<"sqlite"> {
  const at = now();
  if (operation.action === "add") {
    const { content, path = null } = operation;
    const type = operation.type ?? "context";
    const same = sql`SELECT m.id FROM memories m WHERE m.user_id = ${userId} AND m.content = ${content} AND m.type = ${type}
      AND m.path IS ${path} LIMIT 1`;
    const values = { id: sql`coalesce((${same}), ${id})`, userId, content, type, path, createdAt: at, updatedAt: at };
    return (
      insertWhere(db, memories, { ...values, source: "model", chatId: null }, isAllowed)
        // A duplicate is left as it is: the update only makes it come back.
        .onConflictDoUpdate({ target: memories.id, set: { id: sql`${memories.id}` } })
        .returning()
    );
  }
  const isOwn = sql`${memories.id} = ${operation.id} AND ${memories.userId} = ${userId} AND ${isAllowed}`;
  if (operation.action === "remove") return db.delete(memories).where(isOwn).returning();
  const text =
    operation.action === "replace"
      ? { content: operation.content, ...(operation.type ? { type: operation.type } : {}) }
      : {};
  const updatedAt = sql`max(${at}, ${memories.updatedAt})`;
  return db
    .update(memories)
    .set({ ...text, path: operation.path ?? null, updatedAt })
    .where(isOwn)
    .returning();
}

function resultOf({ operation: { action }, newId: id }: Step, row: Memory | undefined): OperationResult | undefined {
  if (!row) return undefined;
  if (action === "remove") return { action, status: "deleted", id: row.id };
  const memory = plainMemoryOf(row);
  if (action !== "add") return { action, status: "updated", memory };
  return row.id === id
    ? { action, status: "created", memory }
    : { action, status: "skipped", memory, reason: "duplicate" };
}

function listOf(ids: ReadonlySet<string>): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...ids])}))`;
}

import { and, eq, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requirePermission, requireUser, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRow, auditRowIf } from "../../people/audit/audit-row.ts";
import { grantView, namedGrants } from "../../people/grants/grant.ts";
import { checkGrants } from "../../people/grants/grants.ts";
import { setGrants } from "../../people/grants/set-grants.ts";
import { knowledgeView, selectKnowledge, selectKnowledgeGrants, type KnowledgeRow } from "./knowledge-row.ts";
import { readableKnowledge } from "./readable.ts";
import type { KnowledgeChange, KnowledgeView, NewKnowledge } from "./schema.ts";
import { knowledge } from "./tables.ts";

export function unknownKnowledge(): AppError {
  return new AppError("not_found", "No such knowledge base");
}

/** The base as a condition: it is there, and the person may change it at this moment. */
export function writableBase(user: User, id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM knowledge WHERE knowledge.id = ${id} AND ${readableKnowledge(user, "write")})`;
}

/** In whose log the change of a base stands. */
export function homeOf(id: string): SQL {
  return sql`(SELECT organization_id FROM knowledge WHERE id = ${id})`;
}

/** Statements for the end of a batch that read a base back. */
export function readBack(ctx: Context, user: User, id: string) {
  return [selectKnowledge(ctx.db, user, eq(knowledge.id, id)), selectKnowledgeGrants(ctx.db, sql`(${id})`)] as const;
}

/** @throws AppError `not_found` for a base that is not there or that the caller may not see. */
export async function getKnowledge(ctx: Context, id: string): Promise<KnowledgeView> {
  const { row, given } = await findKnowledge(ctx, id);
  return knowledgeView(row, given);
}

export async function findKnowledge(ctx: Context, id: string) {
  const user = requireUser(ctx);
  const [rows, given] = await ctx.db.batch(readBack(ctx, user, id));
  const [row] = rows;
  if (!row) throw unknownKnowledge();
  return { user, row, given };
}

/** @throws AppError `not_found`; `forbidden` for who may only read it. */
export function requireWritable(row: Pick<KnowledgeRow, "canWrite" | "name"> | undefined): void {
  if (!row) throw unknownKnowledge();
  if (!row.canWrite)
    throw new AppError("forbidden", `You can read ${row.name} but not change it. Ask its owner for access`);
}

/** The base, for someone who may change it. @throws AppError `not_found`, `forbidden`. */
export async function findWritable(ctx: Context, id: string) {
  const found = await findKnowledge(ctx, id);
  requireWritable(found.row);
  return found;
}

/** A base of the caller's home organization. @throws AppError `forbidden`; `validation_failed` for grants that cannot be. */
export async function createKnowledge(ctx: Context, input: NewKnowledge): Promise<KnowledgeView> {
  const user = requirePermission(ctx, "workspace.knowledge");
  const given = namedGrants(input) ?? [];
  await checkGrants(ctx, user, "knowledge", given, []);
  const id = newId();
  const now = ctx.now();
  const [rows, grantRows] = await writeAndRead(ctx, user, id, [
    ctx.db.insert(knowledge).values({
      id,
      userId: user.id,
      organizationId: user.organizationId,
      name: input.name,
      description: input.description,
      meta: input.meta ?? {},
      createdAt: now,
      updatedAt: now,
    }),
    ...setGrants(ctx, "knowledge", id, given, writableBase(user, id)),
    auditRow(ctx, {
      action: "knowledge.created",
      targetType: "knowledge",
      targetId: id,
      organizationId: user.organizationId,
      detail: { name: input.name, access_grants: given },
    }),
  ]);
  if (!rows[0]) throw unknownKnowledge();
  return knowledgeView(rows[0], grantRows);
}

/** @throws AppError `not_found`, `forbidden`, `validation_failed`. */
export async function changeKnowledge(ctx: Context, id: string, change: KnowledgeChange): Promise<KnowledgeView> {
  const found = await findWritable(ctx, id);
  const { user, row } = found;
  const given = namedGrants(change);
  if (given) await checkGrants(ctx, user, "knowledge", given, found.given.map(grantView));
  const writable = writableBase(user, id);
  const values = {
    ...(change.name !== undefined ? { name: change.name } : {}),
    ...(change.description !== undefined ? { description: change.description ?? "" } : {}),
    ...(change.meta ? { meta: change.meta } : {}),
  };
  const changed = ctx.db
    .update(knowledge)
    .set({ updatedAt: sql`max(${ctx.now()}, ${knowledge.updatedAt})`, ...values })
    .where(and(eq(knowledge.id, id), readableKnowledge(user, "write")))
    .returning();
  const results = await runBatch(ctx.db, [
    changed,
    auditRowIf(ctx, {
      action: "knowledge.updated",
      targetType: "knowledge",
      targetId: id,
      organizationId: row.organizationId,
      detail: { fields: fieldsOf(change), ...(given ? { access_grants: given } : {}) },
    }),
    ...(given ? setGrants(ctx, "knowledge", id, given, writable) : []),
    ...readBack(ctx, user, id),
  ]);
  const [written] = results[0] as Awaited<typeof changed>;
  const [rows, grantRows] = results.slice(-2) as ReadBack;
  if (!written) throw unknownKnowledge();
  // Who has just given up what let them see it is told what became of it once more.
  return knowledgeView(rows[0] ?? { ...row, ...written, canWrite: false }, grantRows);
}

function fieldsOf(change: KnowledgeChange): string[] {
  return (["name", "description", "meta"] as const).filter((name) => change[name] !== undefined);
}

async function writeAndRead(ctx: Context, user: User, id: string, statements: BatchItem<"sqlite">[]) {
  const results = await runBatch(ctx.db, [...statements, ...readBack(ctx, user, id)]);
  return results.slice(-2) as ReadBack;
}

type ReadBack = [Awaited<ReturnType<typeof selectKnowledge>>, Awaited<ReturnType<typeof selectKnowledgeGrants>>];

import { eq, sql } from "drizzle-orm";
import type * as z from "zod";
import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRow, auditRowIf } from "../people/audit/audit-row.ts";
import type { ImportView, ItemState, itemsPage, itemsQuery, newImport } from "./schema.ts";
import { importItems, imports } from "./tables.ts";

const maxListed = 100;

/**
 * Begins an import, or goes on with the one of the same source.
 * @throws AppError `forbidden`
 */
export async function beginImport(ctx: Context, input: z.infer<typeof newImport>): Promise<ImportView> {
  const user = requireAdmin(ctx);
  const now = ctx.now();
  const id = newId();
  await runBatch(ctx.db, [
    ctx.db
      .insert(imports)
      .values({ id, ...input, userId: user.id, createdAt: now, updatedAt: now })
      .onConflictDoNothing(),
    auditRowIf(ctx, {
      action: "import.started",
      targetType: "import",
      targetId: id,
      organizationId: null,
      detail: { source: input.source, name: input.name },
    }),
  ]);
  const [found] = await selectImports(ctx, sql`${imports.fingerprint} = ${input.fingerprint}`);
  return found!;
}

/** The newest 100. @throws AppError `forbidden` */
export async function listImports(ctx: Context): Promise<ImportView[]> {
  requireAdmin(ctx);
  return selectImports(ctx, sql`1`);
}

/** @throws AppError `forbidden`, `not_found` */
export async function getImport(ctx: Context, id: string): Promise<ImportView> {
  requireAdmin(ctx);
  const [found] = await selectImports(ctx, eq(imports.id, id));
  if (!found) throw noImport();
  return found;
}

/** A page of what became of the records, by kind and id. @throws AppError `forbidden`, `not_found` */
export async function listItems(
  ctx: Context,
  importId: string,
  { state, kind, cursor, limit }: z.infer<typeof itemsQuery>,
): Promise<z.infer<typeof itemsPage>> {
  requireAdmin(ctx);
  await requireImport(ctx, importId);
  const [afterKind, afterId] = cursor === undefined ? ["", ""] : splitPlace(cursor);
  const rows = await ctx.db
    .select({
      kind: importItems.kind,
      id: importItems.sourceId,
      target_id: importItems.targetId,
      state: importItems.state,
      notes: importItems.notes,
    })
    .from(importItems)
    .where(
      sql`${importItems.importId} = ${importId} AND (${importItems.kind}, ${importItems.sourceId}) > (${afterKind}, ${afterId})
      ${state === undefined ? sql`` : sql`AND ${importItems.state} = ${state}`} ${kind === undefined ? sql`` : sql`AND ${importItems.kind} = ${kind}`}`,
    )
    .orderBy(importItems.kind, importItems.sourceId)
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next_cursor: last ? `${last.kind} ${last.id}` : null };
}

/**
 * Forgets which record became what. What was imported stays; the same source would be imported a second time.
 * @throws AppError `forbidden`, `not_found`
 */
export async function forgetImport(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx);
  const found = await getImport(ctx, id);
  await runBatch(ctx.db, [
    ctx.db.delete(imports).where(eq(imports.id, id)),
    auditRow(ctx, {
      action: "import.forgotten",
      targetType: "import",
      targetId: id,
      organizationId: null,
      detail: { source: found.source, name: found.name },
    }),
  ]);
}

/** @throws AppError `not_found` */
export async function requireImport(ctx: Context, id: string): Promise<void> {
  const found = await ctx.db.select({ id: imports.id }).from(imports).where(eq(imports.id, id));
  if (found.length === 0) throw noImport();
}

const noImport = () => new AppError("not_found", "No such import");

function splitPlace(cursor: string): [string, string] {
  const space = cursor.indexOf(" ");
  if (space < 0) throw new AppError("bad_request", "cursor: must be `next_cursor` of the page before");
  return [cursor.slice(0, space), cursor.slice(space + 1)];
}

async function selectImports(ctx: Context, condition: ReturnType<typeof sql>): Promise<ImportView[]> {
  const rows = await ctx.db.all<Omit<ImportView, "counts"> & { counts: string }>(sql`
    SELECT id, source, fingerprint, name, user_id, created_at, updated_at,
      (SELECT json_group_array(json_object('kind', c.kind, 'state', c.state, 'count', c.count)) FROM (
        SELECT kind, state, count(*) AS count FROM import_items WHERE import_id = imports.id GROUP BY kind, state) c) AS counts
    FROM imports WHERE ${condition} ORDER BY created_at DESC, id DESC LIMIT ${maxListed}`);
  return rows.map(({ counts, ...row }) => ({
    ...row,
    counts: JSON.parse(counts) as { kind: string; state: ItemState; count: number }[],
  }));
}

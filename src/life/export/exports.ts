import { eq, sql } from "drizzle-orm";
import { requireAdmin, requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { runBatch } from "../../db/batch.ts";
import { fileKey } from "../../documents/files/blob-keys.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { leftOutOf } from "./left-out.ts";
import { countRecords, readRecords, type RecordPage } from "./read-records.ts";
import { kindsOf } from "./record-kinds.ts";
import type { Extent } from "./record-source.ts";
import type { ExportView, NewExport } from "./schema.ts";
import { dataExports } from "./tables.ts";

/** How long an export can be continued, seconds. */
const lifetimeSeconds = 30 * 86_400;

const noExport = () => new AppError("not_found", "No such export");

/**
 * Begins an export: an entry of the audit log that its pages are read by.
 * @throws AppError `forbidden`; `not_found` for a person who is not there; `validation_failed` for the secrets of one person
 */
export async function beginExport(ctx: Context, { scope, person_id: given, secrets }: NewExport): Promise<ExportView> {
  const user = requirePermission(ctx, "chat.export");
  const personId = scope === "service" ? null : (given ?? user.id);
  if (personId !== user.id) requireAdmin(ctx);
  if (personId !== null && secrets)
    throw new AppError("validation_failed", "Secrets only go along with the export of the whole service", {
      param: "secrets",
    });
  await requirePerson(ctx, personId);
  const extent: Extent = { personId, withSecrets: secrets };
  const id = newId();
  const createdAt = ctx.now();
  await runBatch(ctx.db, [
    ctx.db.delete(dataExports).where(sql`${dataExports.createdAt} < ${createdAt - lifetimeSeconds}`),
    ctx.db.insert(dataExports).values({ id, userId: user.id, personId, withSecrets: secrets, createdAt }),
    auditRow(ctx, {
      action: "export.started",
      targetType: personId === null ? "export" : "user",
      targetId: personId ?? id,
      organizationId: personId === null ? null : organizationOf(personId),
      detail: { scope, secrets },
    }),
  ]);
  return { id, ...(await viewOf(ctx, extent, createdAt)) };
}

/** The export with what there is now. @throws AppError `forbidden`, `not_found` */
export async function getExport(ctx: Context, id: string): Promise<ExportView> {
  const { extent, createdAt } = await requireExport(ctx, id);
  return { id, ...(await viewOf(ctx, extent, createdAt)) };
}

/** A page of records. @throws AppError `forbidden`, `not_found`, `bad_request` */
export async function exportRecords(
  ctx: Context,
  id: string,
  kind: string,
  cursor: string | undefined,
): Promise<RecordPage> {
  const { extent } = await requireExport(ctx, id);
  const found = kindsOf(extent).find((each) => each.kind === kind);
  if (!found) throw new AppError("not_found", "This export has no such records");
  return readRecords(ctx, extent, found, cursor);
}

/** The bytes of a file. @throws AppError `forbidden`, `not_found` */
export async function exportFile(
  ctx: Context,
  id: string,
  fileId: string,
): Promise<{ body: ReadableStream<Uint8Array>; size: number }> {
  const { extent } = await requireExport(ctx, id);
  const isTheirs = extent.personId === null ? sql`TRUE` : sql`user_id = ${extent.personId}`;
  const rows = await ctx.db.all(sql`SELECT 1 FROM files WHERE id = ${fileId} AND ${isTheirs}`);
  const found = rows.length === 0 ? undefined : await ctx.blobs.get(fileKey(fileId));
  if (!found) throw new AppError("not_found", "No such file in this export");
  return found;
}

/** The right is asked for with every request. */
async function requireExport(ctx: Context, id: string): Promise<{ extent: Extent; createdAt: number }> {
  const user = requirePermission(ctx, "chat.export");
  const [row] = await ctx.db
    .select()
    .from(dataExports)
    .where(sql`${eq(dataExports.id, id)} AND ${eq(dataExports.userId, user.id)}`);
  if (!row || row.createdAt < ctx.now() - lifetimeSeconds) throw noExport();
  if (row.personId !== user.id) requireAdmin(ctx);
  return { extent: { personId: row.personId, withSecrets: row.withSecrets }, createdAt: row.createdAt };
}

async function requirePerson({ db }: Pick<Context, "db">, personId: string | null): Promise<void> {
  if (personId === null) return;
  const rows = await db.all(sql`SELECT 1 FROM users WHERE id = ${personId}`);
  if (rows.length === 0) throw new AppError("not_found", "No such person");
}

/** What a person's own data is known by. */
export const sourceOf = (personId: string): string => `parley:person:${personId}`;

async function viewOf(ctx: Context, extent: Extent, createdAt: number): Promise<Omit<ExportView, "id">> {
  const kinds = kindsOf(extent);
  const [counts, leftOut, [first]] = await Promise.all([
    Promise.all(kinds.map((kind) => countRecords(ctx, extent, kind))),
    leftOutOf(ctx, extent),
    ctx.db.all<{ id: string }>(sql`SELECT id FROM users ORDER BY created_at, id LIMIT 1`),
  ]);
  return {
    scope: extent.personId === null ? "service" : "person",
    person_id: extent.personId,
    secrets: extent.withSecrets,
    source: extent.personId === null ? `parley:${first!.id}` : sourceOf(extent.personId),
    created_at: createdAt,
    kinds: kinds.map(({ kind }, at) => ({ kind, count: counts[at]! })),
    left_out: leftOut,
  };
}

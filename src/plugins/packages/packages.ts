import { and, eq, sql, type SQL } from "drizzle-orm";
import { managesOrganization, requireManager, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isForeignKeyViolation, isUniqueViolation } from "../../db/database-error.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { plugins } from "../tables.ts";
import { packageKey } from "./find-packages.ts";
import { readWheel } from "./read-wheel.ts";
import type { PackageView } from "./schema.ts";
import { sha256Hex } from "./sha256-hex.ts";
import { pluginPackages } from "./tables.ts";

/** Maximum size of a wheel, in bytes. */
export const maxPackageBytes = 20_000_000;
/** Packages of one organization. */
export const maxPackages = 100;

type Row = typeof pluginPackages.$inferSelect;

function packageView(row: Row): PackageView {
  const { id, name, version, filename, sha256, size } = row;
  return {
    id,
    name,
    version,
    filename,
    sha256,
    size,
    organization_id: row.organizationId,
    by_admin: row.byAdmin,
    created_at: row.createdAt,
  };
}

/** The packages of one organization, or of all that the caller manages. @throws AppError `forbidden` */
export async function listPackages(ctx: Context, organizationId: string | undefined): Promise<PackageView[]> {
  const user = requireManager(ctx);
  const rows = await ctx.db
    .select()
    .from(pluginPackages)
    .where(
      and(
        user.role === "admin" ? undefined : eq(pluginPackages.organizationId, user.organizationId),
        organizationId === undefined ? undefined : eq(pluginPackages.organizationId, organizationId),
      ),
    )
    .orderBy(pluginPackages.name, pluginPackages.organizationId);
  return rows.map(packageView);
}

/**
 * Stores a wheel for the plugins of an organization, replacing one with the same name. Isolates of that organization's
 * Python plugins restart.
 * @throws AppError `forbidden`; `validation_failed` for an organization that does not exist for the caller;
 *   `plugin_invalid`, `payload_too_large`; `conflict` above the maximum number.
 */
export async function addPackage(
  ctx: Context,
  filename: string,
  bytes: Uint8Array<ArrayBuffer>,
  organizationId: string | undefined,
): Promise<PackageView> {
  const user = requireManager(ctx);
  const home = organizationId ?? user.organizationId;
  if (!managesOrganization(user, home)) throw unknownOrganization();
  if (bytes.byteLength > maxPackageBytes)
    throw new AppError("payload_too_large", `The wheel is larger than ${maxPackageBytes / 1_000_000} MB`, {
      param: "file",
    });
  const { name, version, index } = readWheel(filename, bytes);
  const row: Row = {
    id: newId(),
    organizationId: home,
    name,
    version,
    filename,
    sha256: await sha256Hex(bytes),
    size: bytes.byteLength,
    contents: index,
    byAdmin: user.role === "admin",
    userId: user.id,
    createdAt: ctx.now(),
  };
  // What is in the store without a row is found by nobody; a row without bytes would break plugins.
  await ctx.blobs.put(packageKey(row.id), bytes);
  try {
    await storeRow(ctx, user, row);
  } catch (error) {
    await ctx.blobs.delete([packageKey(row.id)]);
    if (isForeignKeyViolation(error)) throw unknownOrganization();
    if (isUniqueViolation(error, "plugin_packages.")) throw vouchedFor(name);
    throw error;
  }
  return packageView(row);
}

async function storeRow(ctx: Context, user: User, row: Row): Promise<void> {
  const count = sql`(SELECT count(*) FROM ${pluginPackages} WHERE ${eq(pluginPackages.organizationId, row.organizationId)})`;
  const [, inserted] = await ctx.db.batch([
    ctx.db.delete(pluginPackages).where(
      and(
        eq(pluginPackages.organizationId, row.organizationId),
        eq(pluginPackages.name, row.name),
        // What an administrator of the service vouches for is changed by nobody else: then the name is taken.
        user.role === "admin" ? undefined : eq(pluginPackages.byAdmin, false),
      ),
    ),
    insertWhere(ctx.db, pluginPackages, row, sql`${count} < ${maxPackages}`),
    auditRowIf(ctx, {
      action: "package.added",
      targetType: "package",
      targetId: row.id,
      organizationId: row.organizationId,
      detail: { name: row.name, version: row.version, filename: row.filename, sha256: row.sha256, size: row.size },
    }),
    makeCold(ctx, row.organizationId),
  ]);
  if (inserted.rowsAffected === 0)
    throw new AppError("conflict", `The limit of ${maxPackages} packages is reached: delete some first`);
}

/** @throws AppError `forbidden`, `not_found` also for another organization's. */
export async function deletePackage(ctx: Context, id: string): Promise<void> {
  const user = requireManager(ctx);
  const own = user.role === "admin" ? undefined : eq(pluginPackages.organizationId, user.organizationId);
  const [row] = await ctx.db
    .select()
    .from(pluginPackages)
    .where(and(eq(pluginPackages.id, id), own));
  if (!row) throw unknownPackage();
  if (row.byAdmin && user.role !== "admin") throw vouchedFor(row.name);
  const [deleted] = await ctx.db.batch([
    ctx.db.delete(pluginPackages).where(eq(pluginPackages.id, id)).returning({ id: pluginPackages.id }),
    auditRowIf(ctx, {
      action: "package.deleted",
      targetType: "package",
      targetId: id,
      organizationId: row.organizationId,
      detail: { name: row.name, version: row.version, sha256: row.sha256 },
    }),
    makeCold(ctx, row.organizationId),
  ]);
  if (deleted.length === 0) throw unknownPackage();
}

/**
 * Which packages a plugin takes, only its isolate finds out: from what it imports, and from what those packages require. So
 * the isolates of all Python plugins of the organization begin again.
 */
export function makeCold({ db }: Pick<Context, "db">, organizationId: string, condition?: SQL) {
  return db
    .update(plugins)
    .set({ fingerprint: sql`lower(hex(randomblob(16)))` })
    .where(and(eq(plugins.organizationId, organizationId), eq(plugins.language, "python"), condition));
}

function unknownPackage(): AppError {
  return new AppError("not_found", "No such package", { param: "id" });
}

export function unknownOrganization(): AppError {
  const message = "No such organization";
  return new AppError("validation_failed", `organization_id: ${message}`, {
    param: "organization_id",
    issues: [{ path: "organization_id", message }],
  });
}

function vouchedFor(name: string): AppError {
  return new AppError("forbidden", `A system administrator uploaded ${name}: only system administrators can change it`);
}

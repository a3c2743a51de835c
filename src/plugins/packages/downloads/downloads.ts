import { and, desc, eq, inArray, lt, ne, sql } from "drizzle-orm";
import { requireManager, type User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { addJobStatement } from "../../../jobs/add-job.ts";
import { jobs } from "../../../jobs/tables.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf } from "../../../people/audit/audit-row.ts";
import { packageDownloads } from "../tables.ts";
import type { DownloadList, DownloadView } from "./schema.ts";

/** How long fetching may take, however often it has to begin again; milliseconds. */
const maxDownloadMs = 30 * 60_000;
/** What is over is kept for so long, in seconds. */
const keptSeconds = 7 * 24 * 3600;
const maxListed = 50;

type Row = typeof packageDownloads.$inferSelect;

/** Where packages may be fetched from: registries, and the folder of those that were made for the interpreter. */
export function allowedAddresses({
  PLUGIN_PACKAGE_REGISTRIES: registries,
  PLUGIN_INTERPRETER_PACKAGES: interpreter,
}: Context["settings"]): string[] {
  return interpreter === "" ? registries : [...registries, interpreter];
}

/** A download that nobody has agreed to yet. */
export function newDownload(
  ctx: Pick<Context, "now">,
  user: User,
  parts: Pick<Row, "organizationId" | "wanted" | "packages" | "present">,
): Row {
  const now = ctx.now();
  return {
    ...parts,
    id: newId(),
    userId: user.id,
    byAdmin: user.role === "admin",
    state: "planned",
    fetched: [],
    status: "",
    completed: 0,
    error: null,
    createdAt: now,
    updatedAt: now,
  };
}

export function downloadView(row: Row): DownloadView {
  const { id, state, wanted, present, status, completed, error } = row;
  return {
    id,
    organization_id: row.organizationId,
    state,
    wanted,
    packages: row.packages.map(({ id: _id, url: _url, ...shown }) => shown),
    present,
    status,
    completed,
    total: row.packages.reduce((sum, { size }) => sum + (size ?? 0), 0),
    error,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  };
}

/** SQL: downloads of organizations that the person manages. */
function managedBy(user: User) {
  return user.role === "admin" ? undefined : eq(packageDownloads.organizationId, user.organizationId);
}

/** Which registries are allowed, and what is being fetched and was, the newest first. @throws AppError `forbidden` */
export async function listDownloads(ctx: Context, organizationId: string | undefined): Promise<DownloadList> {
  const user = requireManager(ctx);
  const rows = await ctx.db
    .select()
    .from(packageDownloads)
    .where(
      and(
        managedBy(user),
        organizationId === undefined ? undefined : eq(packageDownloads.organizationId, organizationId),
        ne(packageDownloads.state, "planned"),
      ),
    )
    .orderBy(desc(packageDownloads.createdAt), desc(packageDownloads.id))
    .limit(maxListed);
  const registries = [...new Set(allowedAddresses(ctx.settings).map((address) => new URL(address).host))];
  return { registries, downloads: rows.map(downloadView) };
}

/** @throws AppError `forbidden`, `not_found` also for another organization's. */
export async function getDownload(ctx: Context, id: string): Promise<DownloadView> {
  const user = requireManager(ctx);
  const [row] = await ctx.db
    .select()
    .from(packageDownloads)
    .where(and(eq(packageDownloads.id, id), managedBy(user)));
  if (!row) throw unknownDownload();
  return downloadView(row);
}

/**
 * Agrees to what was planned, and begins to fetch it. It goes on when nobody watches, and when the service is started again.
 * @throws AppError `forbidden`, `not_found`; `conflict` for one that is running or done.
 */
export async function startDownload(ctx: Context, id: string): Promise<DownloadView> {
  const user = requireManager(ctx);
  const now = ctx.now();
  const mine = and(eq(packageDownloads.id, id), managedBy(user));
  const [started] = await ctx.db.batch([
    ctx.db
      .update(packageDownloads)
      .set({
        state: "running",
        // Who agrees answers for it.
        userId: user.id,
        byAdmin: user.role === "admin",
        updatedAt: now,
      })
      .where(and(mine, eq(packageDownloads.state, "planned")))
      .returning(),
    auditRowIf(ctx, {
      action: "package.download_started",
      targetType: "package",
      targetId: id,
      organizationId: sql`(SELECT organization_id FROM ${packageDownloads} WHERE id = ${id})`,
      detail: sql`(SELECT json_object('name', (SELECT group_concat(value, ', ') FROM json_each(d.wanted)),
        'packages', (SELECT json_group_array(json_object('name', value ->> 'name', 'version', value ->> 'version',
          'sha256', value ->> 'sha256', 'registry', value ->> 'registry')) FROM json_each(d.packages)))
        FROM ${packageDownloads} d WHERE d.id = ${id})`,
    }),
    addJobStatement(ctx, {
      kind: "packages",
      subject: id,
      userId: user.id,
      deadline: Date.now() + maxDownloadMs,
      condition: sql`changes() > 0`,
    }),
    ctx.db
      .delete(packageDownloads)
      .where(
        and(
          inArray(packageDownloads.state, ["done", "failed", "stopped"]),
          lt(packageDownloads.updatedAt, now - keptSeconds),
        ),
      ),
  ]);
  const [row] = started;
  if (!row) {
    await getDownload(ctx, id);
    throw new AppError("conflict", "This download was started already: plan another one");
  }
  await ctx.jobs.wake("packages");
  return downloadView(row);
}

/** Ends it; nothing of it is kept. @throws AppError `forbidden`, `not_found` */
export async function stopDownload(ctx: Context, id: string): Promise<DownloadView> {
  const user = requireManager(ctx);
  const isRunning = and(eq(packageDownloads.id, id), managedBy(user), eq(packageDownloads.state, "running"));
  const [rows] = await ctx.db.batch([
    ctx.db.update(packageDownloads).set({ state: "stopped", updatedAt: ctx.now() }).where(isRunning).returning(),
    auditRowIf(ctx, {
      action: "package.download_stopped",
      targetType: "package",
      targetId: id,
      organizationId: sql`(SELECT organization_id FROM ${packageDownloads} WHERE id = ${id})`,
      detail: sql`(SELECT json_object('name', (SELECT group_concat(value, ', ') FROM json_each(d.wanted))) FROM ${packageDownloads} d WHERE d.id = ${id})`,
    }),
    // Its runner notices by that.
    ctx.db.delete(jobs).where(and(eq(jobs.kind, "packages"), eq(jobs.subject, id), sql`changes() > 0`)),
  ]);
  return rows[0] ? downloadView(rows[0]) : getDownload(ctx, id);
}

/** Removes a plan, or what is over, from the list. @throws AppError `forbidden`, `not_found`, `conflict` for one that is running */
export async function forgetDownload(ctx: Context, id: string): Promise<void> {
  const user = requireManager(ctx);
  const gone = await ctx.db
    .delete(packageDownloads)
    .where(and(eq(packageDownloads.id, id), managedBy(user), ne(packageDownloads.state, "running")))
    .returning({ id: packageDownloads.id });
  if (gone.length > 0) return;
  await getDownload(ctx, id);
  throw new AppError("conflict", "The download is running: stop it first");
}

function unknownDownload(): AppError {
  return new AppError("not_found", "No such download", { param: "id" });
}

import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isForeignKeyViolation } from "../../db/database-error.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";
import type { PluginEntry } from "../plugin-index.ts";
import { pluginDatabases } from "./tables.ts";

/** Databases that a plugin can have: for everybody, or for each person where its isolates are for one. */
export const maxDatabases = 8;

type Row = typeof pluginDatabases.$inferSelect;

/** A database as an isolate has it. */
export interface Snapshot {
  path: string;
  /** What the isolate's copy began with, or saved last; 0 for one that was not stored yet. */
  base: number;
  /** The isolate, and which of its snapshots this is: a later one has all that is in an earlier one. */
  writer: string;
  serial: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The object storage key of a database. */
export function databaseKey(objectId: string): string {
  return `plugin-databases/${objectId}`;
}

/** Whose a database is. Plugins have the walls that their isolates have: those of people who are not administrators have one for each person. */
function holderOf(ctx: Context, { isTrusted }: Pick<PluginEntry, "isTrusted">): string {
  const { id } = requireUser(ctx);
  return isTrusted ? "" : id;
}

function ofHolder(ctx: Context, entry: PluginEntry) {
  return and(
    eq(pluginDatabases.family, entry.family),
    eq(pluginDatabases.pluginId, entry.id),
    eq(pluginDatabases.holder, holderOf(ctx, entry)),
  )!;
}

/** What is stored for a plugin, without bytes. */
export async function listDatabases(
  ctx: Context,
  entry: PluginEntry,
): Promise<Pick<Row, "path" | "version" | "writer">[]> {
  return ctx.db
    .select({ path: pluginDatabases.path, version: pluginDatabases.version, writer: pluginDatabases.writer })
    .from(pluginDatabases)
    .where(ofHolder(ctx, entry))
    .orderBy(pluginDatabases.path);
}

/** @returns undefined for one that is not stored */
export async function loadDatabase(
  ctx: Context,
  entry: PluginEntry,
  path: string,
): Promise<{ version: number; bytes: Uint8Array } | undefined> {
  // Between the two reads a save may have put another object in its place.
  for (let attempt = 1; attempt <= 3; attempt++) {
    const [row] = await ctx.db
      .select({ objectId: pluginDatabases.objectId, version: pluginDatabases.version })
      .from(pluginDatabases)
      .where(and(ofHolder(ctx, entry), eq(pluginDatabases.path, path)));
    if (!row) return undefined;
    const found = await ctx.blobs.get(databaseKey(row.objectId));
    if (found) return { version: row.version, bytes: new Uint8Array(await new Response(found.body).arrayBuffer()) };
  }
  throw new AppError("internal_error", `The database ${path} cannot be read from the storage`);
}

/**
 * Stores a snapshot, all or nothing: when this returns, it is kept.
 * @returns its version
 * @throws AppError `conflict` where somebody else has saved meanwhile; `payload_too_large`; `limit_reached`; `not_found` where the plugin
 *   was deleted
 */
export async function saveDatabase(ctx: Context, entry: PluginEntry, snapshot: Snapshot): Promise<number> {
  const limit = ctx.settings.PLUGIN_DATABASE_MAX_SIZE * 1_000_000;
  const { path, base, writer, serial, bytes } = snapshot;
  if (limit === 0) throw new AppError("limit_reached", "Plugins cannot keep databases here (PLUGIN_DATABASE_MAX_SIZE)");
  if (bytes.byteLength > limit) throw tooLarge(ctx);
  const holder = holderOf(ctx, entry);
  const objectId = newId();
  // What is in the store without a row is found by nobody.
  await ctx.blobs.put(databaseKey(objectId), bytes);
  const drop = () => ctx.blobs.delete([databaseKey(objectId)]);
  const others = sql`FROM ${pluginDatabases} WHERE ${ofHolder(ctx, entry)} AND ${pluginDatabases.path} <> ${path}`;
  const fits = sql`(SELECT coalesce(sum(size), 0) ${others}) + ${bytes.byteLength} <= ${limit}`;
  const isIt = and(ofHolder(ctx, entry), eq(pluginDatabases.path, path))!;
  const row: Row = {
    family: entry.family,
    pluginId: entry.id,
    holder,
    userId: holder === "" ? null : holder,
    path,
    objectId,
    size: bytes.byteLength,
    version: 1,
    writer,
    serial,
    updatedAt: ctx.now(),
  };
  const isNew = sql`${base} = 0 AND (SELECT count(*) ${others}) < ${maxDatabases}
    AND NOT EXISTS (SELECT 1 FROM ${pluginDatabases} WHERE ${isIt})`;
  const isNext = or(
    and(
      eq(pluginDatabases.version, base),
      sql`NOT ${and(eq(pluginDatabases.writer, writer), gt(pluginDatabases.serial, serial))}`,
    ),
    and(eq(pluginDatabases.writer, writer), lt(pluginDatabases.serial, serial)),
  );
  const { updatedAt } = row;
  const [, , [stored], [held]] = await ctx.db
    .batch([
      insertWhere(ctx.db, pluginDatabases, row, sql`${isNew} AND ${fits}`),
      ctx.db
        .update(pluginDatabases)
        .set({ objectId, size: row.size, version: sql`${pluginDatabases.version} + 1`, writer, serial, updatedAt })
        .where(and(isIt, isNext, sql`${pluginDatabases.objectId} <> ${objectId}`, fits)),
      ctx.db
        .select({
          objectId: pluginDatabases.objectId,
          version: pluginDatabases.version,
          writer: pluginDatabases.writer,
          serial: pluginDatabases.serial,
        })
        .from(pluginDatabases)
        .where(isIt),
      ctx.db
        .select({ size: sql<number>`coalesce(sum(size), 0)`, count: sql<number>`count(*)` })
        .from(pluginDatabases)
        .where(and(ofHolder(ctx, entry), sql`${pluginDatabases.path} <> ${path}`)),
    ])
    .catch(async (error: unknown) => {
      // After any other failure it may have been stored all the same, so its bytes stay; without a row, repairs remove them.
      if (!isForeignKeyViolation(error)) throw error;
      await drop();
      throw new AppError("not_found", `${entry.name} was deleted`, { cause: error });
    });
  if (stored?.objectId === objectId) return stored.version;
  await drop();
  if (stored?.writer === writer && stored.serial >= serial) return stored.version;
  if ((held?.size ?? 0) + bytes.byteLength > limit) throw tooLarge(ctx);
  if (!stored && base === 0 && (held?.count ?? 0) >= maxDatabases)
    throw new AppError("limit_reached", `A plugin can have at most ${maxDatabases} databases`);
  throw new AppError("conflict", `The database ${path} was changed elsewhere at the same time`);
}

/** Does nothing where there is none. */
export async function deleteDatabase(ctx: Context, entry: PluginEntry, path: string): Promise<void> {
  await ctx.db.delete(pluginDatabases).where(and(ofHolder(ctx, entry), eq(pluginDatabases.path, path)));
}

function tooLarge({ settings }: Pick<Context, "settings">): AppError {
  const limit = settings.PLUGIN_DATABASE_MAX_SIZE;
  return new AppError(
    "payload_too_large",
    `The databases of this plugin take more than ${limit} MB (PLUGIN_DATABASE_MAX_SIZE)`,
  );
}

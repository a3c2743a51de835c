import { and, desc, eq } from "drizzle-orm";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { users } from "../people/users/tables.ts";
import { type Family, findWritable } from "./find-plugin.ts";
import type { VersionList } from "./schema.ts";
import { pluginVersions } from "./tables.ts";

/** The kept versions of the source, newest first. @throws AppError `forbidden`, `not_found`. */
export async function listVersions(ctx: Context, family: Family, id: string): Promise<VersionList> {
  const { entry } = await findWritable(ctx, family, id);
  const rows = await ctx.db
    .select({
      version: pluginVersions.version,
      createdAt: pluginVersions.createdAt,
      userId: users.id,
      userName: users.name,
    })
    .from(pluginVersions)
    .leftJoin(users, eq(users.id, pluginVersions.userId))
    .where(and(eq(pluginVersions.family, family), eq(pluginVersions.pluginId, id)))
    .orderBy(desc(pluginVersions.version));
  return {
    versions: rows.map(({ version, createdAt, userId, userName }) => ({
      version,
      created_at: createdAt,
      user: userId === null ? null : { id: userId, name: userName ?? "" },
      current: version === entry.version,
    })),
  };
}

/** One version's source. @throws AppError `forbidden`, `not_found`. */
export async function getVersion(
  ctx: Context,
  family: Family,
  id: string,
  version: number,
): Promise<{ content: string }> {
  await findWritable(ctx, family, id);
  const [row] = await ctx.db
    .select({ content: pluginVersions.source })
    .from(pluginVersions)
    .where(
      and(eq(pluginVersions.family, family), eq(pluginVersions.pluginId, id), eq(pluginVersions.version, version)),
    );
  if (!row) throw new AppError("not_found", `Version ${version} is no longer stored`, { param: "version" });
  return row;
}

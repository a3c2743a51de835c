import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { PluginPackage } from "../plugin-host.ts";
import { readWheel } from "./read-wheel.ts";
import { pluginPackages } from "./tables.ts";

/** The scope of packages that a plugin can import. */
export interface PackageScope {
  /** Null: none. */
  organizationId: string | null;
  /**
   * Only what system administrators uploaded: a package runs inside the plugins that need it and sees their valves, and who
   * manages an organization must not get at those of the whole service.
   */
  byAdminOnly: boolean;
}

/** The object storage key of a package. */
export function packageKey(id: string): string {
  return `packages/${id}`;
}

/** Statement: the packages of a scope. */
export function selectPackages(db: Context["db"], scope: PackageScope) {
  return db
    .select()
    .from(pluginPackages)
    .where(
      and(
        scope.organizationId === null ? sql`0` : eq(pluginPackages.organizationId, scope.organizationId),
        scope.byAdminOnly ? eq(pluginPackages.byAdmin, true) : undefined,
      ),
    )
    .orderBy(pluginPackages.name);
}

/**
 * The packages for the plugin host. Wheels that were stored before there was an index get theirs now, once. One without bytes is
 * left out: plugins that need it say so, and others go on.
 */
export async function toPluginPackages(
  { db, blobs, log }: Pick<Context, "db" | "blobs" | "log">,
  rows: readonly (typeof pluginPackages.$inferSelect)[],
): Promise<PluginPackage[]> {
  const packages: PluginPackage[] = [];
  for (const { id, name, version, filename, sha256, contents: stored } of rows) {
    const bytes = async () => {
      const found = await blobs.get(packageKey(id));
      if (!found) throw new Error(`The package ${name} ${version} is not stored`);
      return new Uint8Array(await new Response(found.body).arrayBuffer());
    };
    let contents = stored;
    if (contents === null) {
      const wheel = await bytes().catch((error: unknown) => log.warn("a package cannot be read", { id, name, error }));
      if (!wheel) continue;
      contents = readWheel(filename, wheel).index;
      await db.update(pluginPackages).set({ contents }).where(eq(pluginPackages.id, id));
    }
    packages.push({ name, version, filename, sha256, contents, bytes });
  }
  return packages;
}

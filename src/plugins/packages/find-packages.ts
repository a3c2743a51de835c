import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { PluginPackage } from "../plugin-host.ts";
import { pluginPackages } from "./tables.ts";

/** Whose packages a plugin finds. */
export interface PackageScope {
  /** Null: none. */
  organizationId: string | null;
  /**
   * Only what system administrators uploaded: a package runs inside the plugins that need it and sees their valves, and who
   * manages an organization must not get at those of the whole service.
   */
  byAdminOnly: boolean;
}

/** Where a package's bytes lie. */
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

/** The package as the plugin host takes it. */
export function toPluginPackage(
  { blobs }: Pick<Context, "blobs">,
  row: Pick<typeof pluginPackages.$inferSelect, "id" | "name" | "version" | "filename" | "sha256">,
): PluginPackage {
  const { id, name, version, filename, sha256 } = row;
  return {
    name,
    version,
    filename,
    sha256,
    async bytes() {
      const found = await blobs.get(packageKey(id));
      if (!found) throw new Error(`The package ${name} ${version} is not stored`);
      return new Uint8Array(await new Response(found.body).arrayBuffer());
    },
  };
}

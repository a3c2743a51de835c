import { eq } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { newId } from "../../src/lib/id.ts";
import { packageDownloads, pluginPackages } from "../../src/plugins/packages/tables.ts";
import { plugins } from "../../src/plugins/tables.ts";
import { toolServers } from "../../src/plugins/tool-servers/tables.ts";
import { storePlugin } from "../plugins/stored-plugin.ts";
import type { Person, World } from "../world.ts";
import type { Kind } from "./cells.ts";

type Owner = Person & { organizationId: string };

/** Makes plugins, their packages and tool servers. */
export function pluginThings(world: World) {
  const { db } = world;
  const now = world.services.now();
  return {
    "tool server": async (owner: Owner) => {
      const id = newId();
      await db.insert(toolServers).values({
        id,
        kind: "openapi",
        name: id,
        url: "https://tools.invalid",
        functions: [],
        organizationId: owner.organizationId,
        enabled: false,
        createdAt: now,
        updatedAt: now,
      });
      return id;
    },
    function: (owner: Owner) => storePlugin(world, "function", owner, { isActive: true }),
    tool: (owner: Owner) => storePlugin(world, "tool", owner),
    version: async () => "1",
    package: async (owner: Owner) => {
      const id = newId();
      const { organizationId } = owner;
      const wheel = { name: id, version: "1.0", filename: `${id}.whl`, sha256: "", size: 1 };
      await db.insert(pluginPackages).values({ id, organizationId, ...wheel, userId: owner.id, createdAt: now });
      return id;
    },
    "package download": async (owner: Owner) => {
      const id = newId();
      const { organizationId, id: userId } = owner;
      const nothing = { wanted: [], packages: [], present: [], fetched: [] };
      const row = { id, organizationId, userId, byAdmin: false, state: "planned", ...nothing } as const;
      await db.insert(packageDownloads).values({ ...row, createdAt: now, updatedAt: now });
      return id;
    },
  };
}

export async function forgetPluginThing(db: Database, kind: Kind, id: string): Promise<void> {
  if (kind === "function" || kind === "tool") await db.delete(plugins).where(eq(plugins.id, id));
  if (kind === "package") await db.delete(pluginPackages).where(eq(pluginPackages.id, id));
  if (kind === "package download") await db.delete(packageDownloads).where(eq(packageDownloads.id, id));
  if (kind === "tool server") await db.delete(toolServers).where(eq(toolServers.id, id));
}

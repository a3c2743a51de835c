import { and, eq, inArray, sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { isRecord } from "../lib/json.ts";
import { openValves } from "./open-plugin.ts";
import type { JsonSchema } from "./plugin-host.ts";
import type { PluginEntry } from "./plugin-index.ts";
import { plugins, pluginUserValves } from "./tables.ts";

/**
 * What the caller has set for themselves, with the defaults of what they have not, by the ids of the plugins; only those with
 * user valves are there. One round trip, none for an empty list of ids.
 */
export async function loadUserValves(
  ctx: Pick<Context, "db" | "vault" | "actor">,
  family: PluginEntry["family"],
  ids: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const user = requireUser(ctx);
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({
      id: plugins.id,
      schema: sql<string>`${plugins.info} -> 'userValvesSchema'`,
      sealed: pluginUserValves.sealedValues,
    })
    .from(plugins)
    .leftJoin(
      pluginUserValves,
      and(
        eq(pluginUserValves.family, plugins.family),
        eq(pluginUserValves.pluginId, plugins.id),
        eq(pluginUserValves.userId, user.id),
      ),
    )
    .where(
      and(
        eq(plugins.family, family),
        inArray(plugins.id, [...ids]),
        sql`${plugins.info} ->> 'userValvesSchema' IS NOT NULL`,
      ),
    );
  const opened = rows.map(async ({ id, schema, sealed }) => {
    const values = { ...defaultsOf(JSON.parse(schema) as JsonSchema), ...(await openValves(ctx, sealed)) };
    return [id, values] as const;
  });
  return new Map(await Promise.all(opened));
}

/** The defaults in a schema of valves. */
export function defaultsOf(schema: JsonSchema): Record<string, unknown> {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isRecord(property) && "default" in property ? [[name, property["default"]]] : [],
    ),
  );
}

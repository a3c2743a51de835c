import { and, eq, inArray } from "drizzle-orm";
import { requireAdmin, requirePermission } from "../../access.ts";
import type { Context } from "../../context.ts";
import { loadSnapshot } from "../../models/catalog/catalog-snapshot.ts";
import { type Family, mayWrite } from "../find-plugin.ts";
import { openValves } from "../open-plugin.ts";
import { functionView, toolView } from "../plugin-view.ts";
import type { FunctionView, ToolView } from "../schema.ts";
import { plugins } from "../tables.ts";
import { knownValues } from "../valves/check-valves.ts";

type Exported<View> = View & { valves?: Record<string, unknown> | null };

/** All functions, as `importPlugins` takes them. @throws AppError `forbidden` */
export async function exportFunctions(ctx: Context, withValves: boolean): Promise<Exported<FunctionView>[]> {
  requireAdmin(ctx);
  const { plugins: entries } = await loadSnapshot(ctx);
  const found = entries.filter((entry) => entry.family === "function");
  const rest = await loadRest(
    ctx,
    "function",
    found.map(({ id }) => id),
    withValves,
  );
  return found.flatMap((entry) => {
    const more = rest.get(entry.id);
    return more ? [{ ...functionView(entry, more.source), ...valvesOf(entry.info.valvesSchema, more.valves) }] : [];
  });
}

/** The tools that the caller may change. @throws AppError `forbidden` */
export async function exportTools(ctx: Context, withValves: boolean): Promise<Exported<ToolView>[]> {
  const user = requirePermission(ctx, "workspace.tools");
  const { plugins: entries, toolGrants } = await loadSnapshot(ctx);
  const found = entries.filter(
    (entry) => entry.family === "tool" && mayWrite(user, entry, toolGrants.get(entry.id) ?? []),
  );
  const rest = await loadRest(
    ctx,
    "tool",
    found.map(({ id }) => id),
    withValves,
  );
  return found.flatMap((entry) => {
    const more = rest.get(entry.id);
    if (!more) return [];
    const view = toolView(entry, toolGrants.get(entry.id) ?? [], true, more.source);
    return [{ ...view, ...valvesOf(entry.info.valvesSchema, more.valves) }];
  });
}

interface Rest {
  source: string;
  /** Undefined where they were not asked for. */
  valves: Record<string, unknown> | undefined;
}

async function loadRest(ctx: Context, family: Family, ids: string[], withValves: boolean): Promise<Map<string, Rest>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .select({ id: plugins.id, source: plugins.source, sealedValves: plugins.sealedValves })
    .from(plugins)
    .where(and(eq(plugins.family, family), inArray(plugins.id, ids)));
  const opened = rows.map(async ({ id, source, sealedValves }): Promise<[string, Rest]> => {
    return [id, { source, valves: withValves ? await openValves(ctx, sealedValves) : undefined }];
  });
  return new Map(await Promise.all(opened));
}

function valvesOf(schema: Parameters<typeof knownValues>[0], valves: Rest["valves"]) {
  return valves === undefined ? {} : { valves: schema === null ? null : knownValues(schema, valves) };
}

import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { type Family, findReadable, findWritable, type Found } from "../find-plugin.ts";
import { openValves } from "../open-plugin.ts";
import type { JsonSchema } from "../plugin-host.ts";
import { isPlugin } from "../plugin-index.ts";
import { changedMeanwhile } from "../run-batch.ts";
import { plugins, pluginUserValves } from "../tables.ts";
import { changeValves, knownValues } from "./check-valves.ts";
import { priorityOf } from "./priority.ts";

type Values = Record<string, unknown>;

/** How often a change is made again where somebody else's came in between. */
const maxTries = 5;

/**
 * The stored values; missing ones have their default.
 * @throws AppError `forbidden`, `not_found`.
 */
export async function getValves(ctx: Context, family: Family, id: string): Promise<Values> {
  const { entry, sealedValves } = await findWritable(ctx, family, id);
  return knownValues(entry.info.valvesSchema, await openValves(ctx, sealedValves));
}

/** JSON Schema; null for a plugin without valves. @throws AppError `forbidden`, `not_found`. */
export async function getValvesSpec(ctx: Context, family: Family, id: string): Promise<JsonSchema | null> {
  return (await findWritable(ctx, family, id)).entry.info.valvesSchema;
}

/**
 * Updates the given values; null restores the default. Concurrent changes of different values are all kept.
 * @returns what is set now
 * @throws AppError `forbidden`, `not_found`, `bad_request` without valves, `validation_failed` by field, `conflict`.
 */
export async function updateValves(ctx: Context, family: Family, id: string, change: Values): Promise<Values> {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const { entry, sealedValves } = await findWritable(ctx, family, id);
    const { info } = entry;
    const next = changeValves(info.valvesSchema, await openValves(ctx, sealedValves), change);
    const known = knownValues(info.valvesSchema, next);
    const [updated] = await ctx.db.batch([
      ctx.db
        .update(plugins)
        .set({
          sealedValves: await ctx.vault.seal(JSON.stringify(next)),
          priority: priorityOf(info, known),
          fingerprint: newId(),
          updatedAt: ctx.now(),
        })
        // What was read is what was changed, of the source that says what fits.
        .where(and(isPlugin(family, id), eq(plugins.fingerprint, entry.fingerprint))),
      auditRowIf(ctx, {
        action: `${family}.valves_updated`,
        targetType: family,
        targetId: id,
        ...(family === "tool" ? { organizationId: entry.organizationId } : {}),
        // Which, never what they are: they may be keys.
        detail: { fields: Object.keys(change) },
      }),
    ]);
    if (updated.rowsAffected > 0) return known;
  }
  throw changedMeanwhile();
}

/**
 * The caller's own values.
 * @throws AppError `not_found`, also for a function that is off; administrators see it.
 */
export async function getUserValves(ctx: Context, family: Family, id: string): Promise<Values> {
  const found = await findReadable(ctx, family, id);
  return knownValues(found.entry.info.userValvesSchema, await openValves(ctx, await readSealed(ctx, found)));
}

/**
 * JSON Schema; null for a plugin without user valves.
 * @throws AppError as `getUserValves`.
 */
export async function getUserValvesSpec(ctx: Context, family: Family, id: string): Promise<JsonSchema | null> {
  return (await findReadable(ctx, family, id)).entry.info.userValvesSchema;
}

/**
 * Updates the caller's own values; null restores the default.
 * @throws AppError as `updateValves`.
 */
export async function updateUserValves(ctx: Context, family: Family, id: string, change: Values): Promise<Values> {
  const found = await findReadable(ctx, family, id);
  const { user, entry } = found;
  const schema = entry.info.userValvesSchema;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const before = await readSealed(ctx, found);
    const next = changeValves(schema, await openValves(ctx, before), change);
    const sealedValues = await ctx.vault.seal(JSON.stringify(next));
    const row = { family, pluginId: id, userId: user.id, sealedValues, updatedAt: ctx.now() };
    const own = ownRow(found);
    const isThere = sql`EXISTS (SELECT 1 FROM ${plugins} WHERE ${isPlugin(family, id)})`;
    const [written] = await ctx.db.batch([
      before === null
        ? insertWhere(
            ctx.db,
            pluginUserValves,
            row,
            sql`${isThere} AND NOT EXISTS (SELECT 1 FROM ${pluginUserValves} WHERE ${own})`,
          )
        : ctx.db
            .update(pluginUserValves)
            .set(row)
            .where(and(own, eq(pluginUserValves.sealedValues, before))),
      auditRowIf(ctx, {
        action: `${family}.user_valves_updated`,
        targetType: family,
        targetId: id,
        organizationId: user.organizationId,
        detail: { fields: Object.keys(change) },
      }),
    ]);
    if (written.rowsAffected > 0) return knownValues(schema, next);
  }
  throw changedMeanwhile();
}

function ownRow({ user, entry }: Found) {
  return and(
    eq(pluginUserValves.family, entry.family),
    eq(pluginUserValves.pluginId, entry.id),
    eq(pluginUserValves.userId, user.id),
  )!;
}

async function readSealed(ctx: Context, found: Found): Promise<string | null> {
  const [row] = await ctx.db
    .select({ sealed: pluginUserValves.sealedValues })
    .from(pluginUserValves)
    .where(ownRow(found));
  return row?.sealed ?? null;
}

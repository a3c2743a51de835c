import { sql } from "drizzle-orm";
import * as z from "zod";
import { insertWhere } from "../../db/insert-where.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import { organizationOf } from "../../people/users/organization-of.ts";
import { isPlugin } from "../../plugins/plugin-index.ts";
import { plugins, pluginUserValves } from "../../plugins/tables.ts";
import { defineKind, type ImportRun, type Outcome } from "../kind.ts";
import { sourceId } from "../schema.ts";

/** Largest values of one person, in characters of JSON. */
const maxValuesLength = 200_000;

const shape = z.object({
  kind: z.literal("user_valves"),
  id: sourceId,
  person_id: sourceId,
  family: z.enum(["function", "tool"]),
  plugin: sourceId,
  values: z
    .record(z.string().max(200), z.unknown())
    .refine((values) => JSON.stringify(values).length <= maxValuesLength, {
      message: "More than 200,000 characters",
    }),
});
type UserValves = z.infer<typeof shape>;

/** What somebody has set of a plugin for themselves. */
export const userValvesKind = defineKind<UserValves>({
  shape,
  references: ({ person_id: person, family, plugin }) => [
    { kind: "person", id: person },
    { kind: family, id: plugin },
  ],
  plan: planUserValves,
});

async function planUserValves(run: ImportRun, record: UserValves): Promise<Outcome> {
  const { ctx } = run;
  const { family, values } = record;
  const userId = run.find("person", record.person_id);
  const pluginId = run.find(family, record.plugin);
  if (userId === undefined) return { leftOut: "The person wasn't imported" };
  if (pluginId === undefined) return { leftOut: "The plugin wasn't imported" };
  const sealedValues = await ctx.vault.seal(JSON.stringify(values));
  const isThere = sql`EXISTS (SELECT 1 FROM ${plugins} WHERE ${isPlugin(family, pluginId)})`;
  return {
    statements: [
      // What they have set here stays.
      insertWhere(
        ctx.db,
        pluginUserValves,
        { family, pluginId, userId, sealedValues, updatedAt: ctx.now() },
        isThere,
      ).onConflictDoNothing(),
      auditRow(ctx, {
        action: `${family}.user_valves_updated`,
        targetType: family,
        targetId: pluginId,
        organizationId: organizationOf(userId),
        detail: { fields: Object.keys(values), user_id: userId },
      }),
    ],
    notes: [],
  };
}

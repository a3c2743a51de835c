import { eq, sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { unknownOrganization } from "../../people/organizations/organization-rows.ts";
import { organizations } from "../../people/organizations/tables.ts";
import { retentionKinds } from "../../shared/retention-kinds.ts";
import { expired } from "./expired.ts";
import { periodsFor } from "./periods.ts";
import {
  type EffectivePeriods,
  periodOf,
  type PreviewQuery,
  type RemovedKind,
  removedKinds,
  type RetentionPreview,
} from "./schema.ts";

type Removed = RetentionPreview["removed"];

/**
 * What the periods of an organization would remove now, with those of `asked` in place of the saved ones. Changes nothing.
 * @throws AppError `not_found`
 */
export async function previewRetention(ctx: Context, id: string, asked: PreviewQuery): Promise<RetentionPreview> {
  requireAdmin(ctx);
  const [row] = await ctx.db
    .select({ own: organizations.retention })
    .from(organizations)
    .where(eq(organizations.id, id));
  if (!row) throw unknownOrganization();
  const own = { ...row.own };
  for (const kind of retentionKinds) {
    const days = asked[kind];
    if (days === "default") delete own[kind];
    else if (days !== undefined) own[kind] = days;
  }
  const periods = periodsFor(ctx.settings, own);
  return { periods, removed: await summarize(ctx, id, periods) };
}

/** The same of all organizations, with other periods in the settings; and of what belongs to none. */
export async function previewAllRetention(ctx: Context, asked: PreviewQuery): Promise<RetentionPreview> {
  requireAdmin(ctx);
  const given = Object.fromEntries(Object.entries(asked).filter(([, days]) => typeof days === "number"));
  const defaults = periodsFor(ctx.settings, given);
  const rows = await ctx.db.select({ id: organizations.id, own: organizations.retention }).from(organizations);
  const all = [await summarize(ctx, "", { ...defaults, chats: 0, files: 0, channel_messages: 0 })];
  for (const { id, own } of rows) all.push(await summarize(ctx, id, { ...defaults, ...own }));
  return { periods: defaults, removed: all.reduce(sum) };
}

function sum(first: Removed, second: Removed): Removed {
  return first.map((one, index) => {
    const { count, bytes, oldest } = second[index]!;
    const times = [one.oldest, oldest].filter((time) => time !== null);
    return {
      kind: one.kind,
      count: one.count + count,
      bytes: one.bytes + bytes,
      oldest: times.length > 0 ? Math.min(...times) : null,
    };
  });
}

async function summarize(ctx: Context, organizationId: string, periods: EffectivePeriods): Promise<Removed> {
  const removed: Removed = [];
  for (const kind of removedKinds) {
    const days = periods[periodOf[kind]];
    removed.push(
      days === 0 ? { kind, count: 0, bytes: 0, oldest: null } : await count(ctx, kind, organizationId, days),
    );
  }
  return removed;
}

async function count(ctx: Context, kind: RemovedKind, organizationId: string, days: number): Promise<Removed[number]> {
  const { from, bytes, age } = expired(kind, organizationId, ctx.now() - days * 86_400);
  const [row] = await ctx.db.all<{ count: number; bytes: number; oldest: number | null }>(
    sql`SELECT count(*) AS count, coalesce(sum(${bytes}), 0) AS bytes, min(${age}) AS oldest ${from}`,
  );
  return { kind, ...row! };
}

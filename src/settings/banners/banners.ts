import { asc, getTableColumns } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { auditRow } from "../../people/audit/audit-row.ts";
import type { Banner } from "./schema.ts";
import { banners } from "./tables.ts";

/** All notices, from top to bottom. */
export async function listBanners(ctx: Pick<Context, "db">): Promise<Banner[]> {
  return selectBanners(ctx);
}

/** The statement for all notices. */
export function selectBanners({ db }: Pick<Context, "db">) {
  const { position, ...columns } = getTableColumns(banners);
  return db.select(columns).from(banners).orderBy(asc(position));
}

/** Puts these in place of all notices. @throws AppError `forbidden` for people who are not system administrators */
export async function setBanners(ctx: Context, given: readonly Banner[]): Promise<Banner[]> {
  requireAdmin(ctx);
  await ctx.db.batch([
    ctx.db.delete(banners),
    auditRow(ctx, {
      action: "banners.updated",
      targetType: "settings",
      targetId: "banners",
      detail: { count: given.length, titles: given.map(({ title, content }) => title ?? content.slice(0, 80)) },
    }),
    ...insertBanners(ctx, given),
  ]);
  return listBanners(ctx);
}

/** Statements that store notices; none for none. */
export function insertBanners({ db }: Pick<Context, "db">, given: readonly Banner[]) {
  if (given.length === 0) return [];
  return [db.insert(banners).values(given.map((banner, position) => ({ ...banner, position })))];
}

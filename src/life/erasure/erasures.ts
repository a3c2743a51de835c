import { desc, eq } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Erasure } from "./schema.ts";
import { erasures } from "./tables.ts";

/** Erasures that a list shows. */
const maxListed = 200;

/** Where a name or an address may still stand, because it belongs to others. */
const notSearched = [
  "what other people wrote in chats and messages",
  "names and texts of what was handed over",
  "settings of the service",
  "reasons of legal holds",
  "logs and backups outside of the database",
];

/** The report of an erasure, or how far it is. @throws AppError `forbidden`, `not_found` */
export async function getErasure(ctx: Context, id: string): Promise<Erasure> {
  requireAdmin(ctx);
  const [row] = await ctx.db.select().from(erasures).where(eq(erasures.id, id));
  if (!row) throw new AppError("not_found", "No such erasure");
  return toErasure(row);
}

/** The newest first. @throws AppError `forbidden` */
export async function listErasures(ctx: Context): Promise<Erasure[]> {
  requireAdmin(ctx);
  const rows = await ctx.db
    .select()
    .from(erasures)
    .orderBy(desc(erasures.createdAt), desc(erasures.id))
    .limit(maxListed);
  return rows.map(toErasure);
}

function toErasure(row: typeof erasures.$inferSelect): Erasure {
  return {
    id: row.id,
    subject: row.subjectHash,
    state: row.state,
    step: row.step,
    error: row.error,
    counts: Object.fromEntries(Object.entries(row.counts).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    started_by: row.startedBy,
    successor_id: row.successorId,
    started_at: row.createdAt,
    finished_at: row.finishedAt,
    not_searched: notSearched,
  };
}

import { and, desc, eq, lt, ne, sql } from "drizzle-orm";
import { requireAdmin } from "../../access.ts";
import type { Context } from "../../context.ts";
import { isUniqueViolation } from "../../db/database-error.ts";
import { AppError } from "../../errors.ts";
import { addJobStatement } from "../../jobs/add-job.ts";
import { jobs } from "../../jobs/tables.ts";
import { newId } from "../../lib/id.ts";
import { auditRow, auditRowIf } from "../../people/audit/audit-row.ts";
import { chosenRuntimes, runtimesFor } from "../runtimes.ts";
import type { NewPull, PullView } from "./schema.ts";
import { localModelPulls } from "./tables.ts";

/** How long a runtime may take, however often it has to begin anew; milliseconds. */
const maxPullMs = 24 * 3600_000;
/** What is over is kept for so long, in seconds. */
const keptSeconds = 7 * 24 * 3600;
const maxListed = 100;

type PullRow = typeof localModelPulls.$inferSelect;

/** What is being fetched and what was, newest first. @throws AppError `forbidden` */
export async function listPulls(ctx: Context): Promise<PullView[]> {
  requireAdmin(ctx);
  const rows = await ctx.db
    .select()
    .from(localModelPulls)
    .orderBy(desc(localModelPulls.createdAt), desc(localModelPulls.id))
    .limit(maxListed);
  return rows.map(pullView);
}

/**
 * Lets a runtime fetch a model. It goes on whoever looks on, also when the service is started anew.
 * @throws AppError `forbidden`, `not_found` for no such runtime, `conflict` for what is being fetched already
 */
export async function startPull(ctx: Context, { connection_id: connectionId, model }: NewPull): Promise<PullView> {
  requireAdmin(ctx);
  const { runtimes } = await runtimesFor(ctx);
  const runtime = chosenRuntimes(
    runtimes.filter(({ id }) => id === connectionId),
    connectionId,
  )[0]!;
  const now = ctx.now();
  const row = { id: newId(), connectionId, model, state: "running", createdAt: now, updatedAt: now } as const;
  const deadline = Date.now() + maxPullMs;
  const [, , rows] = await ctx.db
    .batch([
      auditRow(ctx, {
        action: "local_model.pull_requested",
        targetType: "local_model",
        targetId: model,
        detail: { name: model, connection_id: connectionId, runtime: runtime.name, pull_id: row.id },
      }),
      // Of the same model only the last one is of interest.
      ctx.db
        .delete(localModelPulls)
        .where(
          and(
            ne(localModelPulls.state, "running"),
            sql`(${lt(localModelPulls.updatedAt, now - keptSeconds)} OR (connection_id = ${connectionId} AND model = ${model}))`,
          ),
        ),
      ctx.db.insert(localModelPulls).values(row).returning(),
      addJobStatement(ctx, { kind: "pull", subject: row.id, userId: null, deadline }),
    ])
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError("conflict", "This runtime is already downloading this model");
    });
  await ctx.jobs.wake("pull");
  return pullView(rows[0]!);
}

/** Ends it; what the runtime has so far it keeps, and goes on from there another time. @throws AppError `forbidden`, `not_found` */
export async function stopPull(ctx: Context, id: string): Promise<PullView> {
  requireAdmin(ctx);
  const [rows] = await ctx.db.batch([
    ctx.db
      .update(localModelPulls)
      .set({ state: "stopped", updatedAt: ctx.now() })
      .where(and(eq(localModelPulls.id, id), eq(localModelPulls.state, "running")))
      .returning(),
    auditRowIf(ctx, {
      action: "local_model.pull_stopped",
      targetType: "local_model",
      targetId: id,
      detail: sql`(SELECT json_object('name', model, 'connection_id', connection_id) FROM ${localModelPulls} WHERE id = ${id})`,
    }),
    // Whoever does it notices by that.
    ctx.db.delete(jobs).where(and(eq(jobs.kind, "pull"), eq(jobs.subject, id))),
  ]);
  return rows[0] ? pullView(rows[0]) : getPull(ctx, id);
}

/** Takes away what is over. @throws AppError `forbidden`, `not_found`, `conflict` for what is still under way */
export async function forgetPull(ctx: Context, id: string): Promise<void> {
  requireAdmin(ctx);
  const gone = await ctx.db
    .delete(localModelPulls)
    .where(and(eq(localModelPulls.id, id), ne(localModelPulls.state, "running")))
    .returning({ id: localModelPulls.id });
  if (gone.length > 0) return;
  await getPull(ctx, id);
  throw new AppError("conflict", "The download is running: stop it first");
}

async function getPull(ctx: Context, id: string): Promise<PullView> {
  const [row] = await ctx.db.select().from(localModelPulls).where(eq(localModelPulls.id, id));
  if (!row) throw new AppError("not_found", "No such download");
  return pullView(row);
}

function pullView(row: PullRow): PullView {
  const { connectionId, createdAt, updatedAt, ...same } = row;
  return { ...same, connection_id: connectionId, created_at: createdAt, updated_at: updatedAt };
}

import { eq, sql } from "drizzle-orm";
import { anonymous } from "../../access.ts";
import type { Services } from "../../context.ts";
import { isLegalHold } from "../../db/database-error.ts";
import { newId } from "../../lib/id.ts";
import { auditRowIf } from "../../people/audit/audit-row.ts";
import { users } from "../../people/users/tables.ts";
import { erasureSteps, type Running } from "./steps.ts";
import { erasures } from "./tables.ts";

/** How long one round works, milliseconds: the timer comes every minute. */
const maxRoundMs = 40_000;
const lastStep = "account";

/** Goes on with all erasures that are under way, also those whose process was killed. For the timer. */
export async function sweepErasures(services: Services): Promise<void> {
  const rows = await services.db.select({ id: erasures.id }).from(erasures).where(eq(erasures.state, "running"));
  for (const { id } of rows) await runErasure(services, id);
}

/** Does a part of an erasure, or the rest of it. Two that do it at once do no harm. */
export async function runErasure(services: Services, id: string): Promise<void> {
  const end = Date.now() + maxRoundMs;
  try {
    while (Date.now() < end) if (!(await takeStep(services, id))) return;
  } catch (error) {
    const reason = isLegalHold(error) ? "A legal hold was placed" : "Internal error. The cause is in the log";
    services.log.error("an erasure failed", { erasure_id: id, error });
    await services.db.run(
      sql`UPDATE erasures SET state = 'failed', error = ${reason} WHERE id = ${id} AND state = 'running'`,
    );
  }
}

/** @returns whether there is more to do */
async function takeStep(services: Services, id: string): Promise<boolean> {
  const { db } = services;
  const [row] = await db.all<Running & { step: string }>(sql`
    SELECT e.id, e.user_id AS userId, e.subject_hash AS subject, e.successor_id AS successorId, e.place, e.step, u.email, u.name
    FROM erasures e JOIN users u ON u.id = e.user_id WHERE e.id = ${id} AND e.state = 'running'`);
  if (!row) return false;
  const at = erasureSteps.findIndex(([name]) => name === row.step);
  if (at < 0) {
    await endErasure(services, row);
    return false;
  }
  const { more, place = "" } = await erasureSteps[at]![1](db, row);
  const next = more ? row.step : (erasureSteps[at + 1]?.[0] ?? lastStep);
  await db.run(sql`UPDATE erasures SET step = ${next}, place = ${more ? place : ""}
    WHERE id = ${id} AND step = ${row.step} AND place = ${row.place}`);
  return true;
}

/** The account itself, and the report: in one batch. */
async function endErasure(services: Services, { id, userId, subject }: Running): Promise<void> {
  const { db, now } = services;
  await db.batch([
    db.run(sql`UPDATE erasures SET counts = json_set(counts,
        '$."removed.api_keys"', (SELECT count(*) FROM api_keys WHERE user_id = ${userId}), '$."removed.accounts"', 1)
      WHERE id = ${id} AND state = 'running'`),
    db.delete(users).where(eq(users.id, userId)),
    db.run(sql`UPDATE erasures SET state = 'done', step = '', user_id = NULL, finished_at = ${now()}
      WHERE id = ${id} AND state = 'running'`),
    auditRowIf(
      { actor: anonymous, db, requestId: newId(), now },
      {
        action: "person.erased",
        targetType: "erasure",
        targetId: id,
        organizationId: sql`(SELECT organization_id FROM erasures WHERE id = ${id})`,
        detail: sql`(SELECT json_object('subject', subject_hash, 'started_by', started_by, 'started_at', created_at,
          'successor_id', successor_id, 'counts', json(counts)) FROM erasures WHERE id = ${id})`,
      },
    ),
  ]);
  services.waitUntil(
    services.live
      .revoke(userId, "account_deleted")
      .catch((error: unknown) => services.log.warn("could not close live connections", { subject, error })),
  );
}

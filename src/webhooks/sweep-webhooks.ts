import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";

/** Deliveries are kept for so long after their end, milliseconds. */
const keptMs = 30 * 86_400_000;
/** A test is over after so long, milliseconds; one that is not was broken off. */
const maxTestMs = 5 * 60_000;
/** Rows that one statement deletes, so that the write lock is not for long, and statements of one turn. */
const atOnce = 500;
const maxTurns = 20;

/** Lets old deliveries go, with their attempts, and ends tests that nobody sends any more. */
export async function sweepWebhooks({ db }: Services): Promise<void> {
  const now = Date.now();
  await db.run(sql`UPDATE webhook_deliveries SET state = 'failed', finished_at = ${now}
    WHERE state = 'pending' AND event = 'test' AND created_at < ${now - maxTestMs}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'deliver' AND subject = webhook_deliveries.id)`);
  for (let turn = 0; turn < maxTurns; turn++) {
    const { rowsAffected } = await db.run(sql`DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries WHERE created_at < ${now - keptMs} AND state <> 'pending' LIMIT ${atOnce})`);
    if (rowsAffected < atOnce) break;
  }
}

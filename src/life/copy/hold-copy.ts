import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../lib/id.ts";

/** How long a copy that shows no sign of life holds up the next, seconds; and how often it shows one. */
const leaseSeconds = 60;
const renewSeconds = 15;

export interface CopyLease {
  /** Call it often: keeps the place, now and then. @throws AppError `conflict` when another copy has begun since */
  renew(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Takes the one place that a person has for copies of their data.
 * @throws AppError `conflict` while another copy of it is being sent
 */
export async function holdCopy({ db, now }: Pick<Context, "db" | "now">, userId: string): Promise<CopyLease> {
  const lease = newId();
  const taken = await db.run(sql`
    INSERT INTO data_copies (user_id, lease, lease_until) VALUES (${userId}, ${lease}, ${now() + leaseSeconds})
    ON CONFLICT (user_id) DO UPDATE SET lease = excluded.lease, lease_until = excluded.lease_until WHERE lease_until <= ${now()}`);
  const other = new AppError(
    "conflict",
    "Another copy of this person's data is being downloaded: wait until it is over",
  );
  if (taken.rowsAffected === 0) throw other;
  let renewedAt = now();
  return {
    async renew() {
      if (now() - renewedAt < renewSeconds) return;
      renewedAt = now();
      const kept = await db.run(
        sql`UPDATE data_copies SET lease_until = ${now() + leaseSeconds} WHERE user_id = ${userId} AND lease = ${lease}`,
      );
      if (kept.rowsAffected === 0) throw other;
    },
    async end() {
      await db.run(sql`DELETE FROM data_copies WHERE user_id = ${userId} AND lease = ${lease}`);
    },
  };
}

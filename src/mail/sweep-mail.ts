import { sql } from "drizzle-orm";
import type { Services } from "../context.ts";

/** E-mails are kept for so long after their end, milliseconds: so that administrators see what was not sent. */
const keptMs = 7 * 86_400_000;
/** Rows that one statement deletes. */
const atOnce = 500;

/** Deletes the rows of e-mails that are over. */
export async function sweepMail({ db }: Pick<Services, "db">): Promise<void> {
  await db.run(sql`DELETE FROM mail_messages WHERE id IN (SELECT id FROM mail_messages
    WHERE created_at < ${Date.now() - keptMs} AND state <> 'pending' LIMIT ${atOnce})`);
}

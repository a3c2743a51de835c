import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { dropChunks } from "../retrieval/vectors.ts";

/** So many passages are taken away in one minute. */
const maxPassages = 20_000;
/** Texts that were begun so long ago, and belong to no reading, are nobody's; seconds. */
const forgottenAfterSeconds = 3600;

/** Texts that are looked at in one minute; the next minute looks at the next ones. */
const maxTexts = 5000;

/** A file that is pending for so long and has no job any more is nobody's either; seconds. */
const lostAfterSeconds = 600;

/**
 * Deletes abandoned texts, and the passages of deleted texts; ends files that would stay pending forever. For the
 * timer.
 */
export async function sweepFiles(services: Pick<Services, "db" | "now">): Promise<void> {
  const { db } = services;
  await db.run(sql`
    UPDATE files SET state = 'failed', stage = NULL, error_code = 'internal_error', error = 'Its reading was lost: read it again'
    WHERE state = 'pending' AND updated_at < ${services.now() - lostAfterSeconds}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind IN ('extract', 'embed') AND subject = files.id)`);
  const part = sql`(${Math.floor(services.now() / 60)} % ((SELECT max(number) FROM file_texts) / ${maxTexts} + 1)) * ${maxTexts}`;
  await db.run(sql`
    DELETE FROM file_texts WHERE number BETWEEN ${part} AND ${part} + ${maxTexts} AND created_at < ${services.now() - forgottenAfterSeconds} AND EXISTS (
      SELECT 1 FROM files f WHERE f.id = file_texts.file_id AND f.version <> file_texts.version AND f.state <> 'pending')`);
  await dropChunks(services, maxPassages);
}

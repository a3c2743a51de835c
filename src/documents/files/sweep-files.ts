import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { dropChunks } from "../retrieval/vectors.ts";

/** So many passages are taken away in one minute. */
const maxPassages = 20_000;
/** Texts that were begun so long ago, and belong to no reading, are nobody's; seconds. */
const forgottenAfterSeconds = 3600;

/** A file that is pending for so long and has no job any more is nobody's either; seconds. */
const lostAfterSeconds = 600;

/**
 * Takes away texts that were begun and left, and the passages of texts that are gone; ends what would be pending for ever. For
 * the timer.
 */
export async function sweepFiles(services: Pick<Services, "db" | "now">): Promise<void> {
  const { db } = services;
  await db.run(sql`
    UPDATE files SET state = 'failed', stage = NULL, error_code = 'internal_error', error = 'Its reading was lost: read it again'
    WHERE state = 'pending' AND updated_at < ${services.now() - lostAfterSeconds}
      AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind IN ('extract', 'embed') AND subject = files.id)`);
  await db.run(sql`
    DELETE FROM file_texts WHERE created_at < ${services.now() - forgottenAfterSeconds} AND EXISTS (
      SELECT 1 FROM files f WHERE f.id = file_texts.file_id AND f.version <> file_texts.version AND f.state <> 'pending')`);
  await dropChunks(services, maxPassages);
}

import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../context.ts";
import type { FileFailure } from "./extraction/extractor.ts";
import { publishFileState } from "./publish-file-state.ts";

/**
 * Statements that end the reading of a file for good, for a batch: texts that were being made go. A file that has an older text
 * keeps it, and is found by it.
 */
export function failFileStatements(
  services: Pick<Services, "db" | "now">,
  fileId: string,
  { code, message }: { code: FileFailure; message: string },
  condition: SQL = sql`TRUE`,
) {
  const { db } = services;
  return [
    db.run(sql`
      DELETE FROM file_texts WHERE file_id = ${fileId} AND version > (SELECT version FROM files WHERE id = ${fileId})
        AND EXISTS (SELECT 1 FROM files WHERE id = ${fileId} AND state = 'pending') AND ${condition}`),
    db.run(sql`
      UPDATE files SET state = 'failed', stage = NULL, error_code = ${code}, error = ${message.slice(0, 1000)}, updated_at = ${services.now()}
      WHERE id = ${fileId} AND state = 'pending' AND ${condition}`),
  ];
}

/** Ends the reading of a file that is pending, with its jobs; does nothing to another. Tells its owner's tabs. */
export async function failFile(
  services: Pick<Services, "db" | "now" | "live" | "log">,
  fileId: string,
  code: FileFailure,
  message: string,
): Promise<void> {
  const { db } = services;
  const [texts, file] = failFileStatements(services, fileId, { code, message });
  await db.batch([
    db.run(sql`DELETE FROM jobs WHERE kind IN ('extract', 'embed') AND subject = ${fileId}`),
    texts!,
    file!,
  ]);
  await publishFileState(services, fileId);
}

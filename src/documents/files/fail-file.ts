import { sql, type SQL } from "drizzle-orm";
import type { Services } from "../../context.ts";
import type { FileFailure } from "./extraction/extractor.ts";

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

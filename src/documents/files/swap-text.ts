import { sql } from "drizzle-orm";
import type { Services } from "../../context.ts";
import { linkFileReady } from "../knowledge/link-file.ts";
import { hasVectors } from "../retrieval/embedding/has-vectors.ts";
import { publishFileState } from "./publish-file-state.ts";

export interface TextVersion {
  fileId: string;
  version: number;
}

/**
 * Statements that activate a text, for a batch: at once its passages replace those of the previous text, the file is
 * completed and added to the knowledge bases that wait for it. They do nothing unless all its passages are stored, with
 * vectors if there is an embedding model. The first one reports success by its `rowsAffected`.
 */
export function swapStatements(services: Pick<Services, "db" | "now">, { fileId, version }: TextVersion) {
  const { db } = services;
  const now = services.now();
  const counts = sql`EXISTS (SELECT 1 FROM files f WHERE f.id = ${fileId} AND f.version = ${version})`;
  const passages = sql`(SELECT count(*) FROM file_chunks c WHERE c.file_id = t.file_id AND c.version = t.version)`;
  const isComplete = sql`t.sha256 IS NOT NULL AND t.chunk_count > 0 AND t.chunk_count = ${passages}
    AND ${hasVectors({ fileId, version })}`;
  return [
    db.run(sql`
      UPDATE files SET version = t.version, text_sha256 = t.sha256, text_length = t.length, chunk_count = t.chunk_count,
        page_count = t.page_count, state = 'completed', stage = NULL, progress_done = 0, progress_total = NULL,
        progress_unit = NULL, error_code = NULL, error = NULL, updated_at = ${now}
      FROM file_texts t
      WHERE files.id = ${fileId} AND files.version < ${version} AND t.file_id = files.id AND t.version = ${version} AND ${isComplete}`),
    db.run(sql`DELETE FROM jobs WHERE kind = 'embed' AND subject = ${fileId} AND ${counts}`),
    db.run(sql`DELETE FROM file_texts WHERE file_id = ${fileId} AND version < ${version} AND ${counts}`),
    ...linkFileReady(db, fileId),
  ] as const;
}

/**
 * Activates a text if it is complete; can be repeated. One round trip.
 * @returns whether it is active now, by this call or before
 */
export async function swapText(
  services: Pick<Services, "db" | "now" | "live" | "log">,
  text: TextVersion,
): Promise<boolean> {
  const { db } = services;
  const check = db.all<{ version: number }>(sql`SELECT version FROM files WHERE id = ${text.fileId}`);
  const results = await db.batch([...swapStatements(services, text), check]);
  const [row] = results.at(-1) as { version: number }[];
  if (results[0].rowsAffected > 0) await publishFileState(services, text.fileId);
  return row?.version === text.version;
}

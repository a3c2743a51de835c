import { sql, type SQL } from "drizzle-orm";

/** A text of a file: its id and which one. */
export interface FileText {
  fileId: string;
  version: number;
}

/**
 * Whether the text may be searched: no space serves (then search is by words only), or each of its chunks has a vector in the one
 * that does, or in the one that takes its place. A condition for the statement that swaps it in.
 */
export function hasVectors({ fileId, version }: FileText): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM embedding_spaces WHERE state = 'serving')
    OR EXISTS (SELECT 1 FROM embedding_spaces s WHERE s.state IN ('serving', 'building') AND NOT EXISTS (
      SELECT 1 FROM file_chunks c WHERE c.file_id = ${fileId} AND c.version = ${version}
        AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk = c.number AND v.space_id = s.id))))`;
}

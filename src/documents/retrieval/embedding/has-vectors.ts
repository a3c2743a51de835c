import { sql, type SQL } from "drizzle-orm";

/** A text of a file: the file's id and the text's version. */
export interface FileText {
  fileId: string;
  version: number;
}

/**
 * Whether the text may be searched: there is no current space (search uses words only), or each of its chunks has a
 * vector in the current one or its replacement. A condition for the statement that activates it.
 */
export function hasVectors({ fileId, version }: FileText): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM embedding_spaces WHERE state = 'serving')
    OR EXISTS (SELECT 1 FROM embedding_spaces s WHERE s.state IN ('serving', 'building') AND NOT EXISTS (
      SELECT 1 FROM file_chunks c WHERE c.file_id = ${fileId} AND c.version = ${version}
        AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk = c.number AND v.space_id = s.id))))`;
}

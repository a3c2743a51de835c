import { sql, type SQL } from "drizzle-orm";
import { fromOwned, grantsJson, type RecordKind, timesJson } from "./record-source.ts";

const file: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'file', 'id', t.id, 'person_id', t.user_id, 'name', t.filename, 'content_type', t.content_type, 'size', t.size,
    'sha256', t.sha256, 'meta', json(t.meta), 'created_at', t.created_at)`,
  from: fromOwned("files", extent),
  order: ["t.id"],
});

const knowledge: RecordKind = (extent) => ({
  row: sql`json_object('kind', 'knowledge', 'id', t.id, 'person_id', t.user_id, 'organization_id', t.organization_id, 'name', t.name,
    'description', t.description, 'meta', json(t.meta), 'access_grants', ${grantsJson("knowledge")}, ${timesJson})`,
  from: fromOwned("knowledge", extent),
  order: ["t.id"],
});

/** SQL: what is in a knowledge base of the person, or in any. @param table the name under which its rows are read */
function inBases(personId: string | null, table = "t"): SQL {
  return personId === null
    ? sql`TRUE`
    : sql`${sql.raw(table)}.knowledge_id IN (SELECT b.id FROM knowledge b WHERE b.user_id = ${personId})`;
}

const depth = `(WITH RECURSIVE up(id, parent_id) AS (SELECT d.id, d.parent_id FROM knowledge_directories d WHERE d.id = t.id
  UNION SELECT d.id, d.parent_id FROM up JOIN knowledge_directories d ON d.id = up.parent_id) SELECT count(*) FROM up)`;

/** Directories after those around them. */
const directory: RecordKind = ({ personId }) => ({
  row: sql`json_object('kind', 'knowledge_directory', 'id', t.id, 'knowledge_id', t.knowledge_id, 'parent_id', t.parent_id, 'name', t.name,
    ${timesJson})`,
  from: sql`FROM knowledge_directories t WHERE ${inBases(personId)}`,
  order: ["t.knowledge_id", depth, "t.id"],
});

/** Those that wait to be read too: they are in it as soon as they have been read. */
const knowledgeFile: RecordKind = ({ personId }) => ({
  row: sql`json_object('kind', 'knowledge_file', 'id', t.knowledge_id || '/' || t.file_id, 'knowledge_id', t.knowledge_id, 'file_id', t.file_id,
    'directory_id', t.directory_id, 'path', t.path, 'created_at', t.created_at)`,
  from: sql`FROM (SELECT f.knowledge_id, f.file_id, f.directory_id, f.path, f.created_at FROM knowledge_files f WHERE ${inBases(personId, "f")}
    UNION ALL SELECT w.knowledge_id, w.file_id, w.directory_id, w.path, w.created_at FROM knowledge_waiting w
      WHERE ${inBases(personId, "w")} AND NOT EXISTS (
        SELECT 1 FROM knowledge_files k WHERE k.knowledge_id = w.knowledge_id AND k.file_id = w.file_id)) t WHERE TRUE`,
  order: ["t.knowledge_id", "t.file_id"],
});

export const fileKind = "file";
export const documentKinds: readonly (readonly [string, RecordKind])[] = [
  [fileKind, file],
  ["knowledge", knowledge],
  ["knowledge_directory", directory],
  ["knowledge_file", knowledgeFile],
];

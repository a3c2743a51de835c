import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "../../db/client.ts";
import { newId } from "../../lib/id.ts";
import { knowledgeDirectories } from "./tables.ts";

/** The directories of a path, outermost first, and the name of its file. */
export function splitPath(path: string): { directories: string[]; name: string } {
  const names = path.split("/");
  return { directories: names.slice(0, -1), name: names.at(-1)! };
}

/**
 * The directory with these names inside each other, or null; none for the top. Down the path in a loop, as sqld's parser takes
 * no more than some ten queries inside each other.
 */
export function directoryAt(knowledgeId: string, names: readonly string[]): SQL {
  if (names.length === 0) return sql`NULL`;
  const list = JSON.stringify(names);
  return sql`(WITH RECURSIVE found (id, level) AS (
      SELECT id, 1 FROM knowledge_directories WHERE knowledge_id = ${knowledgeId} AND parent_id IS NULL AND name = ${list} ->> 0
      UNION ALL SELECT d.id, found.level + 1 FROM found JOIN knowledge_directories d
        ON d.knowledge_id = ${knowledgeId} AND d.parent_id = found.id AND d.name = ${list} ->> found.level
    ) SELECT id FROM found WHERE level = ${names.length})`;
}

/** Statements that make the directories that are not there yet, while `condition` holds. */
export function makeDirectories(
  db: Database,
  { knowledgeId, names, now }: { knowledgeId: string; names: readonly string[]; now: number },
  condition: SQL,
): BatchItem<"sqlite">[] {
  return names.map((name, level) =>
    db
      .insert(knowledgeDirectories)
      .select(
        sql`SELECT ${newId()}, ${knowledgeId}, ${directoryAt(knowledgeId, names.slice(0, level))}, ${name}, ${now}, ${now} WHERE ${condition}`,
      )
      .onConflictDoNothing(),
  );
}

import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "../db/client.ts";
import { newId } from "../lib/id.ts";
import { knowledgeDirectories } from "./tables.ts";

/** The directories of a path, outermost first, and the name of its file. */
export function splitPath(path: string): { directories: string[]; name: string } {
  const names = path.split("/");
  return { directories: names.slice(0, -1), name: names.at(-1)! };
}

/** The directory with these names inside each other, or null; none for the top. */
export function directoryAt(knowledgeId: string, names: readonly string[]): SQL {
  let at: SQL = sql`NULL`;
  names.forEach((name, level) => {
    const inside = level === 0 ? sql`parent_id IS NULL` : sql`parent_id = ${at}`;
    at = sql`(SELECT id FROM knowledge_directories WHERE knowledge_id = ${knowledgeId} AND ${inside} AND name = ${name})`;
  });
  return at;
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

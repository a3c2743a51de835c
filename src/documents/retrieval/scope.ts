import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { readableFile, readableKnowledge } from "../knowledge/readable.ts";

/** Where to look: ids of files and of knowledge bases. */
export interface Scope {
  files?: readonly string[];
  knowledge?: readonly string[];
}

/**
 * A common table expression `allowed(text, size)`: the texts that are searched now of those files and bases that the person may
 * read, with how many passages they have. Each once.
 */
export function allowedTexts(user: User, { files = [], knowledge = [] }: Scope): SQL {
  const texts = sql`JOIN file_texts t ON t.file_id = files.id AND t.version = files.version`;
  const parts: SQL[] = [];
  if (files.length > 0)
    parts.push(sql`SELECT t.number, files.chunk_count FROM files ${texts}
      WHERE files.id IN (SELECT value FROM json_each(${JSON.stringify(files)})) AND ${readableFile(user)}`);
  if (knowledge.length > 0)
    parts.push(sql`SELECT t.number, files.chunk_count FROM knowledge
      JOIN knowledge_files ON knowledge_files.knowledge_id = knowledge.id JOIN files ON files.id = knowledge_files.file_id ${texts}
      WHERE knowledge.id IN (SELECT value FROM json_each(${JSON.stringify(knowledge)})) AND ${readableKnowledge(user)}`);
  return sql`allowed(text, size) AS MATERIALIZED (${sql.join(parts, sql` UNION `)})`;
}

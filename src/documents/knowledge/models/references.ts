import { sql, type SQL } from "drizzle-orm";
import type { User } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { readableFile, readableKnowledge } from "../readable.ts";
import { maxItems, type KnowledgeReference } from "./schema.ts";

export const keyOf = ({ type, id }: KnowledgeReference): string => `${type}/${id}`;

/** Each once. */
export function uniqueReferences(references: readonly KnowledgeReference[]): KnowledgeReference[] {
  return [...new Map(references.map(({ type, id }) => [keyOf({ type, id }), { type, id }])).values()];
}

/** Statement: those of the things that the person may read, with their names. */
export function selectReadable(user: User, references: readonly KnowledgeReference[]): SQL {
  const ids = (type: KnowledgeReference["type"]) =>
    sql`(SELECT value FROM json_each(${JSON.stringify(references.filter((each) => each.type === type).map(({ id }) => id))}))`;
  return sql`SELECT 'collection' AS type, knowledge.id, knowledge.name FROM knowledge WHERE knowledge.id IN ${ids("collection")} AND ${readableKnowledge(user)}
    UNION ALL SELECT 'file', files.id, files.filename FROM files WHERE files.id IN ${ids("file")} AND ${readableFile(user)}`;
}

export type Readable = KnowledgeReference & { name: string };

/**
 * Refuses what the person may not read; what stood there before may stay.
 * @throws AppError `validation_failed`
 */
export async function checkReferences(
  ctx: Context,
  user: User,
  given: readonly KnowledgeReference[],
  before: readonly KnowledgeReference[],
  path: string,
): Promise<void> {
  if (given.length > maxItems) throw wrong(path, `A model can have at most ${maxItems} knowledge bases and files`);
  const known = new Set(before.map(keyOf));
  const added = given.filter((each) => !known.has(keyOf(each)));
  if (added.length === 0) return;
  const readable = new Set((await ctx.db.all<Readable>(selectReadable(user, added))).map(keyOf));
  const missing = added.find((each) => !readable.has(keyOf(each)));
  if (missing)
    throw wrong(
      path,
      `No such ${missing.type === "file" ? "file" : "knowledge base"}, or no access to it: ${missing.id}`,
    );
}

export function wrong(path: string, message: string): AppError {
  return new AppError("validation_failed", message, { param: path, issues: [{ path, message }] });
}

import { asc, countDistinct, desc, eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { containsWords } from "../../db/contains-words.ts";
import { viewColumns, viewOf } from "../files/file-view.ts";
import { files } from "../files/tables.ts";
import { knowledgeView, selectKnowledge, selectKnowledgeGrants } from "./knowledge-row.ts";
import { amongReadableKnowledge, readableKnowledge } from "./readable.ts";
import type { FileHits, KnowledgePage, SearchQuery } from "./schema.ts";
import { knowledge, knowledgeFiles } from "./tables.ts";

/** As in Open WebUI. */
export const pageSize = 30;

/** Bases that the caller may read, a page of them with how many there are: one round trip. */
export async function listKnowledge(ctx: Context, input: SearchQuery): Promise<KnowledgePage> {
  const user = requireUser(ctx);
  const own = sql`knowledge.user_id IS ${user.id}`;
  const view = input.view_option === "created" ? own : input.view_option === "shared" ? sql`NOT (${own})` : sql`TRUE`;
  const fits = sql`${amongReadableKnowledge(user)} AND ${view} AND ${containsWords(input.query, [sql.raw("knowledge.name"), sql.raw("knowledge.description")])}`;
  const column = {
    name: sql`knowledge.name COLLATE NOCASE`,
    created_at: sql.raw("knowledge.created_at"),
    updated_at: sql.raw("knowledge.updated_at"),
  }[input.order_by ?? "updated_at"];
  const order = (input.direction ?? (input.order_by === "name" ? "asc" : "desc")) === "asc" ? asc : desc;
  const offset = (input.page - 1) * pageSize;
  const page = () =>
    selectKnowledge(ctx.db, user, fits).orderBy(order(column), order(knowledge.id)).limit(pageSize).offset(offset);
  const ids = sql`(SELECT knowledge.id FROM knowledge WHERE ${readableKnowledge(user)} AND ${fits}
    ORDER BY ${order(column)}, ${order(sql.raw("knowledge.id"))} LIMIT ${pageSize} OFFSET ${offset})`;
  const [rows, given, [counted]] = await ctx.db.batch([
    page(),
    selectKnowledgeGrants(ctx.db, ids),
    ctx.db.all<{ total: number }>(
      sql`SELECT count(*) AS total FROM knowledge WHERE ${readableKnowledge(user)} AND ${fits}`,
    ),
  ]);
  return { items: rows.map((row) => knowledgeView(row, given)), total: counted?.total ?? 0 };
}

/** Files of all bases that the caller may read, by name; each once, with the base that it came into last. */
export async function searchKnowledgeFiles(
  ctx: Context,
  input: { query?: string | undefined; page: number },
): Promise<FileHits> {
  const user = requireUser(ctx);
  const fits = sql`${amongReadableKnowledge(user)} AND ${readableKnowledge(user)} AND ${containsWords(input.query, [sql.raw("files.filename")])}`;
  const [rows, [counted]] = await ctx.db.batch([
    ctx.db
      .select({
        file: viewColumns,
        knowledgeId: knowledge.id,
        name: knowledge.name,
        // With it the other columns are those of the link that was made last (https://sqlite.org/lang_select.html#bareagg).
        addedAt: sql<number>`max(${knowledgeFiles.createdAt})`,
      })
      .from(knowledgeFiles)
      .innerJoin(knowledge, eq(knowledge.id, knowledgeFiles.knowledgeId))
      .innerJoin(files, eq(files.id, knowledgeFiles.fileId))
      .where(fits)
      .groupBy(files.id)
      .orderBy(sql`files.filename COLLATE NOCASE`, files.id)
      .limit(pageSize)
      .offset((input.page - 1) * pageSize),
    ctx.db
      .select({ total: countDistinct(files.id) })
      .from(knowledgeFiles)
      .innerJoin(knowledge, eq(knowledge.id, knowledgeFiles.knowledgeId))
      .innerJoin(files, eq(files.id, knowledgeFiles.fileId))
      .where(fits),
  ]);
  return {
    items: rows.map(({ file, knowledgeId, name }) => ({
      ...viewOf(file),
      collection: { id: knowledgeId, name },
    })),
    total: counted?.total ?? 0,
  };
}

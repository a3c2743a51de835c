import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { escapeLike } from "../../db/like.ts";
import type { OwnFilePage, OwnFilesQuery } from "./schema.ts";
import { files } from "./tables.ts";

/** Most words of a search that count. */
const maxWords = 10;

/**
 * The caller's own files, one page after another: newest or largest first, with the words in their names. Each page
 * begins where the one before ended, so the last of many is as fast as the first. One round trip.
 */
export async function listOwnFiles(ctx: Context, query: OwnFilesQuery): Promise<OwnFilePage> {
  const user = requireUser(ctx);
  const { sort, limit } = query;
  const by = sort === "largest" ? files.size : files.createdAt;
  const rows = await ctx.db
    .select({
      id: files.id,
      filename: files.filename,
      content_type: files.contentType,
      size: files.size,
      state: files.state,
      error: files.error,
      created_at: files.createdAt,
      place: by,
      used: sql<number>`(SELECT count(*) FROM knowledge_files k WHERE k.file_id = files.id)
        + (SELECT count(*) FROM channel_files c WHERE c.file_id = files.id)
        + (SELECT count(*) FROM model_knowledge m WHERE m.kind = 'file' AND m.target_id = files.id)
        + (SELECT count(*) FROM folder_references r WHERE r.kind = 'file' AND r.reference_id = files.id)`,
    })
    .from(files)
    .where(and(eq(files.userId, user.id), matching(query.query), afterPlace(by, query)))
    .orderBy(desc(by), desc(files.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => {
      const { place: _, ...file } = row;
      return file;
    }),
    next_cursor: last ? `${last.place}.${last.id}` : null,
  };
}

function matching(text: string | undefined): SQL | undefined {
  const words = (text ?? "").split(/\s+/).filter((word) => word !== "");
  const conditions = words
    .slice(0, maxWords)
    .map((word) => sql`${files.filename} LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`);
  return and(...conditions);
}

function afterPlace(by: typeof files.size | typeof files.createdAt, { cursor }: OwnFilesQuery): SQL | undefined {
  if (cursor === undefined) return undefined;
  const dot = cursor.indexOf(".");
  return sql`(${by}, ${files.id}) < (${Number(cursor.slice(0, dot))}, ${cursor.slice(dot + 1)})`;
}

import { sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { readableFile } from "../knowledge/readable.ts";
import type { PassageView } from "./schema.ts";

/** One passage of a file's text, of the text that counts now. @throws AppError `not_found` */
export async function getPassage(ctx: Context, id: string, chunk: number): Promise<PassageView> {
  const user = requireUser(ctx);
  const [row] = await ctx.db.all<Omit<PassageView, "headings"> & { headings: string }>(sql`
    SELECT c.number AS chunk, c.text, c.headings, c.page, c.label, c.start, c."end" AS "end"
    FROM file_chunks c JOIN files ON files.id = c.file_id AND files.version = c.version
    WHERE c.number = ${chunk} AND c.file_id = ${id} AND ${readableFile(user)}`);
  if (!row) throw new AppError("not_found", "No such passage");
  return { ...row, headings: JSON.parse(row.headings) as string[] };
}

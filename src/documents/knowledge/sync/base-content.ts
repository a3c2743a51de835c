import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";

/** A file of a base, or one that waits for it, as a sync tool compares it. */
export interface HeldFile {
  fileId: string;
  filename: string;
  directoryId: string | null;
  path: string | null;
  hash: string | null;
  linked: boolean;
  state: "stored" | "pending" | "completed" | "failed";
  errorCode: string | null;
  error: string | null;
}

/** Rows that are read at once. */
const pageLength = 5000;

/** All files of a base, those that wait for it first; read page by page. */
export async function* heldFiles(ctx: Context, id: string): AsyncGenerator<HeldFile[]> {
  for (const table of ["knowledge_waiting", "knowledge_files"] as const) {
    const linked = table === "knowledge_files";
    const hash = linked ? sql.raw("l.content_hash") : sql.raw("coalesce(f.sha256, f.text_sha256, f.id)");
    for (let after = ""; ;) {
      const rows = await ctx.db.all<Omit<HeldFile, "linked">>(sql`
        SELECT l.file_id AS fileId, f.filename, l.directory_id AS directoryId, l.path, ${hash} AS hash, f.state, f.error_code AS errorCode, f.error
        FROM ${sql.raw(table)} l JOIN files f ON f.id = l.file_id WHERE l.knowledge_id = ${id} AND l.file_id > ${after}
        ORDER BY l.file_id LIMIT ${pageLength}`);
      yield rows.map((row) => ({ ...row, linked }));
      if (rows.length < pageLength) break;
      after = rows.at(-1)!.fileId;
    }
  }
}

/** Paths of a base's directories by their ids. */
export async function directoryPaths(ctx: Context, id: string): Promise<Map<string, string>> {
  const rows = await ctx.db.all<{ id: string; parent: string | null; name: string }>(
    sql`SELECT id, parent_id AS parent, name FROM knowledge_directories WHERE knowledge_id = ${id}`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const paths = new Map<string, string>();
  const pathOf = (directory: string): string => {
    const known = paths.get(directory);
    if (known !== undefined) return known;
    const row = byId.get(directory);
    if (!row) return "";
    const above = row.parent === null ? "" : pathOf(row.parent);
    const path = above === "" ? row.name : `${above}/${row.name}`;
    paths.set(directory, path);
    return path;
  };
  for (const row of rows) pathOf(row.id);
  return paths;
}

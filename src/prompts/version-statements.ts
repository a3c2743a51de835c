import { sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { promptVersions } from "./tables.ts";

/** So many versions of a prompt are kept. */
const keptVersions = 50;

/** Statement: what the prompt says now, as the version that its row names. */
export function insertVersion(
  ctx: Context,
  promptId: string,
  { id, parentId, message }: { id: string; parentId: string | null; message: string },
) {
  const userId = requireUser(ctx).id;
  return ctx.db.insert(promptVersions).select(
    sql`SELECT p.version_id, p.id, ${parentId}, p.command, p.name, p.content, p.tags, ${message}, ${userId}, ${ctx.now()}
      FROM prompts p WHERE p.id = ${promptId} AND p.version_id = ${id}`,
  );
}

/** Statement: forgets all but the newest versions and the one that is in use. */
export function dropOldVersions(ctx: Context, promptId: string) {
  return ctx.db.run(sql`DELETE FROM prompt_versions WHERE prompt_id = ${promptId}
    AND id NOT IN (SELECT version_id FROM prompts WHERE id = ${promptId})
    AND id NOT IN (SELECT id FROM prompt_versions WHERE prompt_id = ${promptId} ORDER BY id DESC LIMIT ${keptVersions})`);
}

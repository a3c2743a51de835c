import { sql } from "drizzle-orm";
import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { isHeld } from "../people/holds/is-held.ts";
import { promptVersions } from "./tables.ts";

/** So many versions of a prompt are kept. */
const keptVersions = 50;

/** Statement: stores the prompt's current content as the version in its row. */
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

/** Statement: deletes all versions except the newest and the one in use. */
export function dropOldVersions(ctx: Context, promptId: string) {
  return ctx.db.run(sql`DELETE FROM prompt_versions WHERE prompt_id = ${promptId}
    AND NOT ${isHeld(sql`prompt_versions.user_id`)} AND id NOT IN (SELECT version_id FROM prompts WHERE id = ${promptId})
    AND id NOT IN (SELECT id FROM prompt_versions WHERE prompt_id = ${promptId} ORDER BY id DESC LIMIT ${keptVersions})`);
}

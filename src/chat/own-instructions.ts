import { sql } from "drizzle-orm";
import { hasPermission, requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { isStored } from "./events/message-items.ts";

/** SQL: what the person `u` has written for all models, where Open WebUI keeps it; NULL where there is no text. */
export const ownInstructions = sql`CASE json_type(u.settings, '$.ui.system') WHEN 'text' THEN u.settings ->> '$.ui.system' END`;

interface TemporaryRequest {
  chat_id?: string | null | undefined;
  params?: Record<string, unknown> | null | undefined;
}

/** The caller's instructions for a chat that is not stored. Programs get them only if they ask, as the web page does. */
export async function instructionsOfTemporary(ctx: Context, request: TemporaryRequest): Promise<string[]> {
  const isAsked = request.params?.["personal_instructions"] === true;
  if (!isAsked || !request.chat_id || isStored(request.chat_id)) return [];
  const user = requireUser(ctx);
  if (!hasPermission(user, "chat.system_prompt")) return [];
  const [row] = await ctx.db.all<{ text: string | null }>(
    sql`SELECT ${ownInstructions} AS text FROM users u WHERE u.id = ${user.id}`,
  );
  const text = row?.text?.trim() ?? "";
  return text === "" ? [] : [text];
}

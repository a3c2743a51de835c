import { sql, type SQL } from "drizzle-orm";
import { hasPermission, type User } from "../../access.ts";
import { isRecord } from "../../lib/json.ts";
import { withSystemPrompt } from "../../models/apply-model-params.ts";
import type { ModelKnowledge } from "../../models/catalog/catalog-snapshot.ts";
import { givenFolder, wayUp } from "./readable-folders.ts";

/** A folder around a chat, as `selectFolders` reads it. */
export interface FolderOnTheWay {
  instructions: string;
  /** Whether the person has it by itself, so that those in it are theirs to read too. */
  is_given: 0 | 1;
  is_own: 0 | 1;
  /** JSON: `[kind, id]` of each. */
  files: string;
}

/** What the folders of a chat add to its turns. */
export interface FolderContext {
  /** The outermost first. */
  instructions: string[];
  knowledge: ModelKnowledge[];
}

/** The folders around a chat of the person, the outermost first; nothing for a chat in no folder. */
export function selectFolders(user: User, chatId: string): SQL {
  const folderId = sql`(SELECT folder_id FROM chats WHERE id = ${chatId} AND user_id = ${user.id})`;
  return sql`WITH RECURSIVE ${wayUp(folderId)}
    SELECT folders.instructions, ${givenFolder(user)} AS is_given, folders.user_id = ${user.id} AS is_own,
      (SELECT json_group_array(json_array(r.kind, r.reference_id)) FROM (
        SELECT kind, reference_id FROM folder_references WHERE folder_id = folders.id ORDER BY position) r) AS files
    FROM up JOIN folders ON folders.id = up.id ORDER BY up.depth DESC`;
}

/** What the person gets of the folders around a chat: everything from the outermost folder that they have. */
export function folderContextOf(user: User, way: readonly FolderOnTheWay[]): FolderContext {
  const first = way.findIndex((folder) => folder.is_given);
  const readable = first === -1 ? [] : way.slice(first);
  // Their own count as long as they may write such; those of others are the others'.
  const mayInstruct = hasPermission(user, "chat.system_prompt");
  return {
    instructions: readable
      .filter(({ instructions, is_own: isOwn }) => instructions.trim() !== "" && (mayInstruct || !isOwn))
      .map(({ instructions }) => instructions),
    knowledge: readable.flatMap(({ files }) =>
      (JSON.parse(files) as [ModelKnowledge["kind"], string][]).map(([kind, targetId]) => ({
        organizationId: null,
        kind,
        targetId,
      })),
    ),
  };
}

/** The request with the instructions of its folders, before those of the chat itself. */
export function withInstructions(
  body: Record<string, unknown>,
  instructions: readonly string[],
): Record<string, unknown> {
  if (instructions.length === 0) return body;
  const text = instructions.join("\n\n");
  const params = isRecord(body["params"]) ? body["params"] : {};
  const { system } = params;
  // Those of the chat stand in the place of the model's, so they go on being one text.
  if (typeof system === "string" && system.trim() !== "")
    return { ...body, params: { ...params, system: `${text}\n\n${system}` } };
  return { ...body, messages: withSystemPrompt(text, body["messages"]) };
}

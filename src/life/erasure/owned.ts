import { sql, type SQL } from "drizzle-orm";

/** SQL: whether somebody else was given a thing. */
const isShared = (type: string, id: SQL, userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM grants g WHERE g.resource_type = ${type} AND g.resource_id = ${id}
    AND NOT (g.principal_type = 'user' AND g.principal_id = ${userId}))`;

/** Tables of things that others may use; of what is not shared, `others` is false and it is removed. */
export function ownedTables(userId: string): { kind: string; table: string; others: SQL }[] {
  return [
    {
      kind: "knowledge",
      table: "knowledge",
      others: sql`(${isShared("knowledge", sql`knowledge.id`, userId)} OR EXISTS (
        SELECT 1 FROM knowledge_files k JOIN files f ON f.id = k.file_id WHERE k.knowledge_id = knowledge.id AND f.user_id <> ${userId}))`,
    },
    { kind: "prompts", table: "prompts", others: isShared("prompt", sql`prompts.id`, userId) },
    // Models and plugins are parts of the service: a model may stand on them, and that is seen nowhere.
    { kind: "models", table: "stored_models", others: sql`TRUE` },
    { kind: "plugins", table: "plugins", others: sql`TRUE` },
    { kind: "packages", table: "plugin_packages", others: sql`TRUE` },
    { kind: "groups", table: "groups", others: sql`TRUE` },
    { kind: "channels", table: "channels", others: sql`(kind <> 'direct' AND deleted_at IS NULL)` },
    { kind: "channel_webhooks", table: "channel_webhooks", others: sql`TRUE` },
  ];
}

/** Files of theirs that others have: in a knowledge base that stays, or with a message in a channel. */
export function sharedFile(userId: string): SQL {
  return sql`(EXISTS (SELECT 1 FROM knowledge_files k JOIN knowledge ON knowledge.id = k.knowledge_id
      WHERE k.file_id = files.id AND (knowledge.user_id IS NOT ${userId} OR ${ownedTables(userId)[0]!.others}))
    OR EXISTS (SELECT 1 FROM channel_files c WHERE c.file_id = files.id))`;
}

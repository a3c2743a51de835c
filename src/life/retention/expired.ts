import { sql, type SQL } from "drizzle-orm";
import { isHeld } from "../../people/holds/is-held.ts";
import type { RemovedKind } from "./schema.ts";

/** What an organization's period has reached: the rest of a SELECT, and the columns that a summary needs. */
export interface Expired {
  from: SQL;
  id: SQL;
  bytes: SQL;
  /** Epoch seconds. */
  age: SQL;
}

/** Lines of the audit log that no period removes: they say why other things are there, or are gone. */
const keptActions = sql`a.action NOT IN ('person.erased', 'legal_hold.placed', 'legal_hold.lifted')`;

/**
 * What is older than `before` and may go. The preview and the sweeper ask the same.
 * @param organizationId "" for what belongs to no organization
 * @param before epoch seconds
 */
export function expired(kind: RemovedKind, organizationId: string, before: number): Expired {
  const home = sql`u.organization_id = ${organizationId}`;
  switch (kind) {
    case "chats":
      return {
        from: sql`FROM users u CROSS JOIN chats c WHERE ${home} AND c.user_id = u.id AND c.archived IN (0, 1)
          AND c.updated_at < ${before} AND NOT ${isHeld(sql`c.user_id`, sql`c.organization_id`)}`,
        id: sql`c.id`,
        bytes: sql`(SELECT coalesce(sum(octet_length(m.content) + octet_length(m.reasoning)), 0) FROM messages m WHERE m.chat_id = c.id)`,
        age: sql`c.updated_at`,
      };
    case "files":
      return {
        from: sql`FROM users u CROSS JOIN files f WHERE ${home} AND ${unusedFile(before)}
          AND f.id NOT IN (${attachedTo(home)})`,
        id: sql`f.id`,
        bytes: sql`f.size`,
        age: sql`f.created_at`,
      };
    case "channel_messages":
      return {
        from: sql`FROM channel_messages m WHERE m.organization_id = ${organizationId} AND m.deleted_at IS NULL
          AND m.created_at < ${before * 1000} AND NOT ${isHeld(sql`m.user_id`, sql`m.organization_id`)}`,
        id: sql`m.id`,
        bytes: sql`octet_length(m.content)`,
        age: sql`m.created_at / 1000`,
      };
    case "calls":
      return {
        from: sql`FROM usage_records r WHERE r.organization_id = ${organizationId} AND r.at < ${before}
          AND NOT ${isHeld(sql`r.user_id`, sql`r.organization_id`)}`,
        id: sql`r.id`,
        bytes: sql`0`,
        age: sql`r.at`,
      };
    case "audit_events":
      return {
        from: sql`FROM audit_events a WHERE a.organization_id IS nullif(${organizationId}, '') AND a.at < ${before} AND ${keptActions}
          AND NOT ${isHeld(sql`a.actor_id`, sql`a.organization_id`)} AND NOT ${isHeld(sql`a.target_id`)}`,
        id: sql`a.id`,
        bytes: sql`octet_length(a.detail)`,
        age: sql`a.at`,
      };
    case "deliveries":
      return {
        from: sql`FROM webhook_endpoints e CROSS JOIN webhook_deliveries d WHERE ${
          organizationId === ""
            ? sql`e.user_id IS NULL`
            : sql`e.user_id IN (SELECT u.id FROM users u WHERE ${home} AND NOT ${isHeld(sql`u.id`)})`
        } AND d.endpoint_id = e.id AND d.state <> 'pending' AND d.created_at < ${before * 1000}`,
        id: sql`d.id`,
        bytes: sql`octet_length(d.payload)`,
        age: sql`d.created_at / 1000`,
      };
    case "responses":
      return {
        from: sql`FROM users u CROSS JOIN stored_responses r WHERE ${home} AND r.user_id = u.id AND r.created_at < ${before}
          AND NOT ${isHeld(sql`u.id`)}`,
        id: sql`r.id`,
        bytes: sql`r.size`,
        age: sql`r.created_at`,
      };
  }
}

/** The files of one person that have expired. */
export function expiredFilesOf(userId: string, before: number): SQL {
  const one = sql`u.id = ${userId}`;
  return sql`FROM users u CROSS JOIN files f WHERE ${one} AND ${unusedFile(before)} AND f.id NOT IN (${attachedTo(one)})`;
}

/** Over `users u` and `files f`: an old file that no knowledge base, channel or model has, and that was not made in a chat. */
export function unusedFile(before: number): SQL {
  return sql`f.user_id = u.id AND f.created_at < ${before} AND f.updated_at < ${before} AND f.chat_id IS NULL AND f.state <> 'pending'
    AND NOT EXISTS (SELECT 1 FROM knowledge_files k WHERE k.file_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM knowledge_waiting k WHERE k.file_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM channel_files k WHERE k.file_id = f.id)
    AND NOT EXISTS (SELECT 1 FROM model_knowledge k WHERE k.kind = 'file' AND k.target_id = f.id)
    AND NOT ${isHeld(sql`f.user_id`, sql`f.organization_id`)}`;
}

/** SELECT: ids of the files that the chats of these people mention, by id or by address. @param who over `users u` */
function attachedTo(who: SQL): SQL {
  const id = sql`CASE WHEN instr(t.value, '/files/') > 0 THEN substr(t.value, instr(t.value, '/files/') + 7, 36) ELSE t.value END`;
  return sql`SELECT ${id} FROM users u CROSS JOIN chats c CROSS JOIN messages m
      CROSS JOIN json_tree(json_array(m.extra -> '$.files', json(m.parts))) t
    WHERE ${who} AND c.user_id = u.id AND m.chat_id = c.id AND (m.extra <> '{}' OR m.parts IS NOT NULL) AND t.type = 'text'
    UNION ALL SELECT ${id} FROM users u CROSS JOIN chats c CROSS JOIN json_tree(c.extra, '$.files') t
    WHERE ${who} AND c.user_id = u.id AND t.type = 'text'`;
}

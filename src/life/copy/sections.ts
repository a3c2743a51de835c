import { sql, type SQL } from "drizzle-orm";

/** A list of rows of the copy: an entry of the zip file with a JSON array. */
export interface Section {
  name: string;
  /** What a row becomes: SQL that makes JSON. Never a secret: no hashes, tokens or sealed values. */
  row: SQL;
  /** The rest of the SELECT up to its conditions; rows are `t`. */
  from: SQL;
  /** What pages go by: unique together, in the order of an index. */
  order: readonly string[];
}

/** Everything of a person that is rows and neither a chat nor bytes of a file. */
export function sectionsOf(userId: string): Section[] {
  const own = (table: string) => sql`FROM ${sql.raw(table)} t WHERE t.user_id = ${userId}`;
  const rowid = ["t.rowid"];
  return [
    {
      name: "files",
      row: sql`json_object('id', t.id, 'filename', t.filename, 'content_type', t.content_type, 'size', t.size, 'sha256', t.sha256,
        'state', t.state, 'meta', json(t.meta), 'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("files"),
      order: ["t.created_at", "t.id"],
    },
    {
      name: "shared-chats",
      row: sql`json_object('id', t.id, 'chat_id', t.chat_id, 'title', t.title, 'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("chat_shares"),
      order: rowid,
    },
    {
      name: "knowledge",
      row: sql`json_object('id', t.id, 'name', t.name, 'description', t.description, 'meta', json(t.meta), 'created_at', t.created_at,
        'updated_at', t.updated_at, 'files', (SELECT json_group_array(json_object('id', f.id, 'filename', f.filename))
          FROM knowledge_files k JOIN files f ON f.id = k.file_id WHERE k.knowledge_id = t.id))`,
      from: own("knowledge"),
      order: rowid,
    },
    {
      name: "folders",
      row: sql`json_object('id', t.id, 'parent_id', t.parent_id, 'name', t.name, 'instructions', t.instructions, 'model_ids', json(t.model_ids),
        'meta', json(t.meta), 'created_at', t.created_at, 'updated_at', t.updated_at, 'files', (SELECT json_group_array(json_object('type', r.kind,
          'id', r.reference_id)) FROM (SELECT * FROM folder_references WHERE folder_id = t.id ORDER BY position) r))`,
      from: own("folders"),
      order: rowid,
    },
    {
      name: "prompts",
      row: sql`json_object('id', t.id, 'command', t.command, 'name', t.name, 'content', t.content, 'tags', json(t.tags),
        'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("prompts"),
      order: rowid,
    },
    {
      name: "memories",
      row: sql`json_object('id', t.id, 'type', t.type, 'path', t.path, 'content', t.content, 'source', t.source, 'chat_id', t.chat_id, 'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("memories"),
      order: rowid,
    },
    {
      name: "plugins",
      row: sql`json_object('family', t.family, 'id', t.id, 'name', t.name, 'type', t.type, 'source', t.source, 'meta', json(t.meta),
        'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("plugins"),
      order: rowid,
    },
    {
      name: "tool-servers",
      row: sql`json_object('id', t.id, 'kind', t.kind, 'name', t.name, 'description', t.description, 'url', t.url, 'created_at', t.created_at)`,
      from: own("tool_servers"),
      order: rowid,
    },
    {
      name: "direct-connections",
      row: sql`json_object('id', t.id, 'kind', t.kind, 'name', t.name, 'base_url', t.base_url, 'prefix_id', t.prefix_id,
        'model_ids', json(t.model_ids), 'enabled', t.enabled, 'created_at', t.created_at)`,
      from: own("direct_connections"),
      order: rowid,
    },
    {
      name: "models",
      row: sql`json_object('id', t.id, 'base_model_id', t.base_model_id, 'name', t.name, 'meta', json(t.meta), 'params', json(t.params),
        'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("stored_models"),
      order: rowid,
    },
    {
      name: "channels",
      row: sql`json_object('id', c.id, 'name', c.name, 'kind', c.kind, 'role', t.role, 'joined_at', t.joined_at, 'is_creator', c.user_id IS t.user_id)`,
      from: sql`FROM channel_members t JOIN channels c ON c.id = t.channel_id AND c.deleted_at IS NULL WHERE t.user_id = ${userId}`,
      order: rowid,
    },
    {
      name: "channel-messages",
      row: sql`json_object('id', t.id, 'channel_id', t.channel_id, 'parent_id', t.parent_id, 'reply_to_id', t.reply_to_id, 'model', t.model,
        'content', t.content, 'data', json(t.data), 'created_at', t.created_at, 'edited_at', t.edited_at)`,
      from: own("channel_messages"),
      order: ["t.number"],
    },
    {
      name: "reactions",
      row: sql`json_object('message_id', t.message_id, 'name', t.name, 'created_at', t.created_at)`,
      from: own("channel_reactions"),
      order: rowid,
    },
    {
      name: "webhooks",
      row: sql`json_object('id', t.id, 'url', t.url, 'created_at', t.created_at)`,
      from: own("webhook_endpoints"),
      order: rowid,
    },
    {
      name: "api-keys",
      row: sql`json_object('name', t.name, 'allowed_endpoints', t.allowed_endpoints, 'created_at', t.created_at,
        'expires_at', t.expires_at, 'last_used_at', t.last_used_at)`,
      from: own("api_keys"),
      order: rowid,
    },
    {
      name: "sessions",
      row: sql`json_object('user_agent', t.user_agent, 'provider', t.provider, 'created_at', t.created_at, 'last_used_at', t.last_used_at, 'expires_at', t.expires_at)`,
      from: own("sessions"),
      order: rowid,
    },
    {
      name: "identities",
      row: sql`json_object('source', t.source, 'provider', t.provider, 'external_id', t.external_id)`,
      from: own("identities"),
      order: rowid,
    },
    {
      name: "usage-calls",
      row: sql`json_object('id', t.id, 'at', t.at, 'model', t.model, 'api', t.api, 'state', t.state, 'code', t.code, 'input', t.input,
        'output', t.output, 'total', t.total, 'duration_ms', t.duration_ms,
        'is_probe', json(iif(t.is_probe, 'true', 'false')))`,
      from: own("usage_records"),
      order: ["t.at", "t.id"],
    },
    {
      name: "usage-days",
      row: sql`json_object('day', date(t.day * 86400, 'unixepoch'), 'model', t.model, 'api', t.api, 'calls', t.calls, 'requests', t.requests,
        'errors', t.errors, 'input', t.input, 'output', t.output, 'total', t.total)`,
      from: own("usage_days"),
      order: ["t.day", "t.rowid"],
    },
    {
      name: "audit-by-you",
      row: auditLine,
      from: sql`FROM audit_events t WHERE t.actor_id = ${userId}`,
      order: ["t.at", "t.id"],
    },
    {
      name: "audit-about-you",
      row: auditLine,
      from: sql`FROM audit_events t WHERE t.target_id = ${userId} AND t.actor_id IS NOT ${userId}`,
      order: ["t.at", "t.id"],
    },
  ];
}

const auditLine = sql`json_object('id', t.id, 'at', t.at, 'action', t.action, 'target_type', t.target_type, 'target_id', t.target_id,
  'detail', json(t.detail))`;

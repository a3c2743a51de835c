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

/** What there is of a person beside what can be imported again (src/life/export/). */
export function sectionsOf(userId: string): Section[] {
  const own = (table: string) => sql`FROM ${sql.raw(table)} t WHERE t.user_id = ${userId}`;
  const rowid = ["t.rowid"];
  return [
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
      name: "ratings",
      row: sql`json_object('id', t.id, 'type', t.type, 'data', json(t.data), 'meta', json(t.meta), 'snapshot', json(t.snapshot),
        'created_at', t.created_at, 'updated_at', t.updated_at)`,
      from: own("feedback"),
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
      name: "passkeys",
      row: sql`json_object('name', t.name, 'created_at', t.created_at, 'last_used_at', t.last_used_at)`,
      from: own("passkeys"),
      order: rowid,
    },
    {
      name: "identities",
      row: sql`json_object('source', t.source, 'provider', t.provider, 'external_id', t.external_id)`,
      from: own("identities"),
      order: rowid,
    },
    {
      name: "tool-databases",
      row: sql`json_object('tool', t.plugin_id, 'path', t.path, 'size', t.size, 'updated_at', t.updated_at)`,
      from: own("plugin_databases"),
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

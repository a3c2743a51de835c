import { sql } from "drizzle-orm";
import { flagJson, ofService, type RecordKind, timesJson } from "./record-source.ts";

/** Of channels that are being deleted nothing goes along. */
const isThere = sql`EXISTS (SELECT 1 FROM channels c WHERE c.id = t.channel_id AND c.deleted_at IS NULL)`;

const channel: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'channel', 'id', t.id, 'person_id', t.user_id, 'organization_id', t.organization_id, 'type', t.kind,
    'name', t.name, 'description', t.description, 'members', (SELECT json_group_array(json_object('person_id', m.user_id, 'role', m.role,
      'is_hidden', ${flagJson("m.is_hidden")}, 'joined_at', m.joined_at)) FROM (SELECT * FROM channel_members WHERE channel_id = t.id
        ORDER BY joined_at, user_id) m),
    'meta', json(t.meta), 'data', json(t.data), ${timesJson})`,
  from: sql`FROM channels t WHERE t.deleted_at IS NULL`,
  order: ["t.id"],
  pageLength: 50,
}));

/** Without secrets the hash of the token goes along: the address goes on working, and is not shown again. */
const webhook: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'channel_webhook', 'id', t.id, 'channel_id', t.channel_id, 'person_id', t.user_id,
    'name', (SELECT f.name FROM channel_webhook_faces f WHERE f.id = t.face_id),
    'profile_image_url', (SELECT p.url FROM channel_webhook_faces f JOIN channel_webhook_pictures p ON p.id = f.picture_id WHERE f.id = t.face_id),
    'has_threads', ${flagJson("t.has_threads")}, 'token_hash', t.token_hash, 'sealed', t.sealed_token, 'last_used_at', t.last_used_at, ${timesJson})`,
  from: sql`FROM channel_webhooks t WHERE ${isThere}`,
  order: ["t.id"],
  pageLength: 10,
  async finish(ctx, { sealed, token_hash: hash, ...record }, { withSecrets }) {
    const token = withSecrets ? await ctx.vault.open(String(sealed)).catch(() => undefined) : undefined;
    return { ...record, ...(token ? { token } : { token_hash: hash }) };
  },
}));

/** In the order in which they were posted: what is answered comes first. A deleted one stays as the head of its thread. */
const message: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'channel_message', 'id', t.id, 'channel_id', t.channel_id, 'person_id', t.user_id, 'webhook_id', t.webhook_id,
    'model', json(iif(t.model IS NULL, NULL, json_object('id', t.model, 'name', coalesce(t.model_name, t.model)))), 'parent_id', t.parent_id,
    'reply_to_id', t.reply_to_id, 'content', t.content, 'file_ids', (SELECT json_group_array(f.file_id) FROM (SELECT * FROM channel_files
      WHERE message_id = t.id ORDER BY position) f),
    'reactions', (SELECT json_group_array(json_object('name', r.name, 'person_id', r.user_id, 'created_at', r.created_at)) FROM (
      SELECT * FROM channel_reactions WHERE message_id = t.id ORDER BY created_at, name, user_id) r),
    'card', json(t.card), 'shown_as', json(t.shown_as), 'meta', json(t.meta), 'data', json(t.data), 'error', json(t.error), 'pinned_at', t.pinned_at, 'pinned_by', t.pinned_by,
    'created_at', t.created_at, 'edited_at', t.edited_at, 'deleted_at', t.deleted_at)`,
  from: sql`FROM channel_messages t WHERE (t.deleted_at IS NULL OR t.reply_count > 0) AND ${isThere}`,
  order: ["t.number"],
}));

const reading: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'channel_reading', 'id', t.id, 'channel_id', t.id, 'others', 'unread', 'people', (SELECT
    json_group_array(json_object('person_id', m.user_id, 'last_read_at', m.last_read_at)) FROM (SELECT * FROM channel_members
      WHERE channel_id = t.id AND last_read_at IS NOT NULL ORDER BY user_id) m))`,
  from: sql`FROM channels t WHERE t.deleted_at IS NULL`,
  order: ["t.id"],
  pageLength: 50,
}));

export const channelKinds: readonly (readonly [string, RecordKind])[] = [
  ["channel", channel],
  ["channel_webhook", webhook],
  ["channel_message", message],
  ["channel_reading", reading],
];

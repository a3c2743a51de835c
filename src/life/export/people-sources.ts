import { sql } from "drizzle-orm";
import { flagJson, ofService, type RecordKind, timesJson } from "./record-source.ts";

const organization: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'organization', 'id', t.id, 'name', t.name, 'is_default', ${flagJson("t.is_default")},
    'active', ${flagJson("t.active")}, 'model_ids', json(t.model_ids), 'default_models', json(t.default_models),
    'features', json(t.features), 'max_storage', t.max_storage, 'requires_second_factor', ${flagJson("t.requires_second_factor")},
    'retention', json(t.retention), 'landing_rules', (SELECT json_group_array(json_object('kind', r.kind, 'attribute', r.attribute,
      'value', r.value, 'position', r.position)) FROM (SELECT * FROM landing_rules WHERE organization_id = t.id ORDER BY position, id) r),
    ${timesJson})`,
  from: sql`FROM organizations t WHERE TRUE`,
  order: ["t.id"],
}));

/** What providers' keys may be in; the person's own copy has all of it. */
const settingsJson = sql`json_remove(t.settings, '$.ui.directConnections', '$.ui.toolServers', '$.ui.terminalServers')`;
const pictureJson = sql`(SELECT p.url FROM profile_images p WHERE p.user_id = t.id)`;

const person: RecordKind = ({ personId, withSecrets }) => {
  const about = sql`'kind', 'person', 'id', t.id, 'name', t.name, 'email', t.email, 'picture', ${pictureJson}, 'bio', t.bio,
    'gender', t.gender, 'date_of_birth', t.date_of_birth, 'timezone', t.timezone, 'status_emoji', t.status_emoji,
    'status_message', t.status_message, 'status_expires_at', t.status_expires_at, 'info', json(t.info), 'last_active_at', t.last_active_at,
    ${timesJson}`;
  if (personId !== null) {
    return {
      // Rights are given by those who import it, not by what somebody brings.
      row: sql`json_object(${about}, 'role', 'user', 'settings', json(t.settings))`,
      from: sql`FROM users t WHERE t.id = ${personId}`,
      order: ["t.id"],
    };
  }
  return {
    row: sql`json_object(${about}, 'account', t.kind, 'free_probes', t.free_probes, 'role', t.role, 'active', ${flagJson("t.active")}, 'organization_id', t.organization_id,
      'organization_role', t.organization_role, 'settings', json(${withSecrets ? sql`t.settings` : settingsJson}),
      'password', (SELECT p.hash FROM passwords p WHERE p.user_id = t.id), 'oauth', json(coalesce(t.oauth, '{}')),
      'scim', json(coalesce(t.scim, '{}')), 'user_name', t.user_name, 'name_parts', json(t.name_parts), 'emails', json(t.emails))`,
    from: sql`FROM users t WHERE TRUE`,
    order: ["t.id"],
    pageLength: 100,
  };
};

const group: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'group', 'id', t.id, 'name', t.name, 'description', t.description, 'organization_id', t.organization_id,
    'external_id', t.external_id, 'permissions', json(t.permissions), 'person_id', t.user_id, 'share', t.share,
    'members', (SELECT json_group_array(json(CASE WHEN m.source IS NULL THEN json_quote(m.user_id)
      ELSE json_object('person_id', m.user_id, 'source', m.source) END)) FROM (SELECT * FROM group_members WHERE group_id = t.id ORDER BY user_id) m),
    ${timesJson})`,
  from: sql`FROM groups t WHERE TRUE`,
  order: ["t.id"],
  pageLength: 50,
}));

const apiKey: RecordKind = ofService(() => ({
  row: sql`json_object('kind', 'api_key', 'id', t.id, 'person_id', t.user_id, 'name', t.name, 'hash', t.hash, 'hint', t.hint,
    'allowed_endpoints', t.allowed_endpoints, 'created_at', t.created_at, 'expires_at', t.expires_at, 'last_used_at', t.last_used_at)`,
  from: sql`FROM api_keys t WHERE TRUE`,
  order: ["t.id"],
}));

export const peopleKinds: readonly (readonly [string, RecordKind])[] = [
  ["organization", organization],
  ["person", person],
  ["group", group],
  ["api_key", apiKey],
];

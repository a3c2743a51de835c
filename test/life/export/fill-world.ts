import { sql } from "drizzle-orm";
import { newId } from "../../../src/lib/id.ts";
import type { Person, World } from "../../world.ts";
import { makeChannel, makeChat, makeFile, post } from "../old-things.ts";

interface Filled {
  nora: Person;
  /** Of a key of hers. */
  secret: string;
  organizationId: string;
}

export const noraPassword = "nine tides a week";

/** What an Open WebUI does not have: organizations, our own hashes, what models and programs have kept. */
export async function fillWorld(world: World, grace: Person): Promise<Filled> {
  const ok = async <T = { id: string }>(path: string, json: unknown, as = grace): Promise<T> => {
    const { status, body } = await world.call<T>(path, { as, json });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const run = (statement: ReturnType<typeof sql>) => world.db.run(statement);
  const { body: organizations } = await world.call<{ organizations: { id: string }[] }>("/api/v1/organizations", {
    as: grace,
  });
  await world.call(`/api/v1/organizations/${organizations.organizations[0]!.id}`, {
    as: grace,
    method: "PATCH",
    json: { name: "Harbour", retention: { files: 30 } },
  });
  const north = await ok("/api/v1/organizations", {
    name: "North",
    features: { channels: false },
    model_ids: ["tide"],
    default_models: ["tide"],
    max_storage: 500,
    retention: { chats: 90 },
  });
  await ok("/api/v1/organizations", { name: "Closed", active: false });
  await world.call("/api/v1/landing-rules", {
    as: grace,
    method: "PUT",
    json: { rules: [{ kind: "email_domain", value: "north.example", organization_id: north.id }] },
  });
  const nora = await world.person({
    name: "Nora",
    email: "nora@north.example",
    organizationId: north.id,
    password: noraPassword,
  });
  await run(sql`UPDATE users SET organization_role = 'admin', user_name = 'N.Nord', name_parts = '{"givenName":"Nora"}',
    emails = '[{"value":"nora@home.example","type":"home"}]', settings = '{"ui":{"theme":"dark"}}' WHERE id = ${nora.id}`);
  await ok("/api/v1/users/default/permissions", {
    features: { api_keys: true },
    workspace: { knowledge: true },
    sharing: { public_chats: true },
  });
  const { api_key: secret } = await ok<{ api_key: string }>("/api/v1/auths/api_key", {}, nora);
  const group = newId();
  await run(sql`INSERT INTO groups (id, organization_id, user_id, name, description, external_id, permissions, share, created_at, updated_at)
    VALUES (${group}, ${north.id}, ${grace.id}, 'Pilots', 'Steer', 'ext-7', '{"chat":{"share":true}}', 'nobody', 1600000000, 1600000001)`);
  await run(
    sql`INSERT INTO group_members (group_id, user_id, source, created_at) VALUES (${group}, ${nora.id}, 'oidc', 1600000000)`,
  );
  await ok("/api/v1/connections", {
    name: "Tides",
    kind: "anthropic",
    base_url: "https://tides.example/v1",
    key: "sk-very-secret",
    headers: { "x-team": "north-secret" },
    organization_id: north.id,
    prefix_id: "tides",
    model_ids: ["ebb"],
    tags: ["sea"],
    policy: { attempts: 2 },
  });
  await ok("/api/v1/auths/admin/config", { WEBUI_NAME: "Harbour" });
  await run(sql`UPDATE plugins SET hosts = '["api.tides.example"]', is_off = 1,
    origin = '{"kind":"address","from":"https://tides.example/tool.ts"}',
    budget = '{"callsPerMinute":5,"secondsPerCall":null,"bytesOutPerMinute":1000}' WHERE family = 'tool'`);
  const versions = [newId(), newId(), newId()];
  const prompt = newId();
  await run(sql`INSERT INTO prompts (id, user_id, organization_id, command, name, content, tags, is_active, version_id, created_at, updated_at)
    VALUES (${prompt}, ${nora.id}, ${north.id}, 'tide', 'Tide', 'When?', '["sea"]', 0, ${versions[1]!}, 1600000000, 1600000003)`);
  for (const [at, id] of versions.entries())
    await run(sql`INSERT INTO prompt_versions (id, prompt_id, parent_id, command, name, content, tags, message, user_id, created_at)
      VALUES (${id}, ${prompt}, ${at === 0 ? null : versions[0]!}, 'tide', 'Tide', ${at === 1 ? "When?" : `Text ${at}`}, '["sea"]', ${`change ${at}`},
        ${nora.id}, ${1_600_000_000 + at})`);
  await run(sql`INSERT INTO grants (id, resource_type, resource_id, principal_type, principal_id, permission, created_at)
    VALUES (${newId()}, 'prompt', ${prompt}, 'organization', ${north.id}, 'read', 1), (${newId()}, 'prompt', ${prompt}, 'user', '*', 'read', 1)`);
  const file = await makeFile(world, nora, "high water at noon", "tides.md");
  await run(sql`UPDATE files SET meta = '{"collection":"tides","n":1}' WHERE id = ${file}`);
  const base = await ok("/api/v1/knowledge/create", { name: "Tables", description: "Of tides" }, nora);
  await run(sql`INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, path, user_id, created_at)
    VALUES (${base.id}, ${file}, 'x', 'tables/tides.md', ${nora.id}, 1600000000)`);
  await run(sql`INSERT INTO knowledge (id, user_id, organization_id, name, description, meta, created_at, updated_at)
    VALUES (${newId()}, NULL, ${north.id}, 'Nobody''s', '', '{}', 1600000000, 1600000000)`);
  const shared = await ok("/api/v1/folders/", { name: "Shared" });
  await run(sql`INSERT INTO grants (id, resource_type, resource_id, principal_type, principal_id, permission, created_at)
    VALUES (${newId()}, 'folder', ${shared.id}, 'user', ${nora.id}, 'write', 1)`);
  const chat = await makeChat(world, nora, { title: "Tides of March", files: [{ type: "file", id: file }] });
  await run(
    sql`UPDATE chats SET folder_id = ${shared.id}, pinned = 1, variables = '{"a":"b"}', last_read_at = 1600000000 WHERE id = ${chat}`,
  );
  await run(sql`INSERT INTO chat_tags (chat_id, name) VALUES (${chat}, 'deep sea')`);
  await run(sql`UPDATE messages SET reasoning = 'The moon.', state = 'error', error = '{"message":"Broken","code":"upstream"}', usage = '{"total_tokens":5}'
    WHERE chat_id = ${chat} AND id = 'b'`);
  await run(sql`INSERT INTO message_items (chat_id, message_id, kind, name, data, created_at) VALUES
    (${chat}, 'b', 'status', NULL, '{"description":"Looking","done":true}', 1),
    (${chat}, 'b', 'source', NULL, '{"source":{"name":"tides.md"},"document":["noon"],"metadata":[{"name":"tides.md"}]}', 1)`);
  await run(sql`INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, state, extra, created_at, updated_at)
    VALUES (${chat}, ${nora.id}, 'c', 'a', 'assistant', 'At n', 'streaming', '{"rating":1}', 2, 2)`);
  await ok(
    `/api/v1/chats/${chat}/share`,
    { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] },
    nora,
  );
  await ok(
    "/api/v1/evaluations/feedback",
    {
      type: "rating",
      data: { rating: -1, reason: "not_factual", comment: "It was at one", model_id: "tide" },
      meta: { chat_id: chat, message_id: "b", share_chat: true },
      snapshot: { chat: { title: "Tides of March" } },
    },
    nora,
  );
  await run(sql`INSERT INTO memories (id, user_id, content, type, path, source, chat_id, created_at, updated_at)
    VALUES (${newId()}, ${nora.id}, 'Sails on Sundays', 'user', 'home/boat', 'model', ${chat}, 1600000000, 1600000001)`);
  await run(sql`INSERT INTO banners (id, position, type, title, content, dismissible, timestamp)
    VALUES ('fog', 0, 'warning', NULL, 'Fog until ten', 1, 1600000000), ('tide', 1, 'info', 'Tide', 'At noon', 0, 1600000001)`);
  await fillChannel(world, grace, run);
  return { nora, secret, organizationId: north.id };
}

async function fillChannel(world: World, grace: Person, run: (statement: ReturnType<typeof sql>) => Promise<unknown>) {
  const mate = await world.person({ name: "Mate", email: "mate@harbour.example" });
  const channel = await makeChannel(world, grace);
  await run(
    sql`INSERT INTO channel_members (channel_id, user_id, role, joined_at) VALUES (${channel}, ${mate.id}, 'member', 1600000000000)`,
  );
  const head = await post(world, grace, channel, { content: "Fog" });
  await post(world, grace, channel, { content: "Until ten", parent_id: head });
  const answer = await post(world, grace, channel, { content: "", data: { draft: true } }).catch(() => undefined);
  const failed = answer ?? (await post(world, grace, channel, { content: "Failed" }));
  await run(sql`UPDATE channel_messages SET model = 'tide', model_name = 'Tide', sender = 'model:tide', state = 'error',
    error = '{"message":"Broken","code":"upstream"}', data = '{"draft":true}', pinned_at = 1600000000000, pinned_by = ${grace.id} WHERE id = ${failed}`);
  await world.call(`/api/v1/channels/${channel}/messages/${head}/delete`, { as: grace, method: "DELETE" });
}

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRouters } from "../../src/compose/routes.ts";
import { declaredRoutes } from "../../src/http/route-table.ts";
import { newId } from "../../src/lib/id.ts";
import type { LegalHold } from "../../src/people/holds/schema.ts";
import { matrixSettings } from "../authorization-matrix/matrix-settings.ts";
import { storePlugin } from "../plugins/stored-plugin.ts";
import { createWorld, defaultOrganizationId as home, type Person, type RequestOptions, type World } from "../world.ts";
import { idsOf, makeChannel, makeChat, makeFile, post } from "./old-things.ts";

let world: World;
let admin: Person;
/** On hold; an administrator too, so that nothing else refuses. */
let ada: Person;
beforeEach(async () => {
  world = await createWorld({ environment: { ...matrixSettings } });
  admin = await world.admin();
  ada = await world.person({ name: "Ada", role: "admin" });
});
afterEach(() => world.close());

const hold = (kind: "person" | "organization", target_id: string, as = admin) =>
  world.call<LegalHold & { code: string }>("/api/v1/legal-holds", { as, json: { kind, target_id, reason: "Case 7" } });
const run = async (sql: string, ...args: string[]) => void (await world.client.execute({ sql, args }));

/** Makes something of Ada's, and says where it is deleted. */
type Making = () => Promise<{ path: string } & RequestOptions>;
const del = (path: string, options: RequestOptions = {}) => ({ path, method: "DELETE", as: ada, ...options });

async function makeBase(file?: string): Promise<string> {
  const id = newId();
  await run("INSERT INTO knowledge VALUES (?, ?, ?, 'Tides', '', '{}', 1, 1)", id, ada.id, home);
  if (file)
    await run(
      "INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, user_id, path, created_at) VALUES (?, ?, 'x', ?, 'a.md', 1)",
      id,
      file,
      ada.id,
    );
  return id;
}
async function makePrompt(): Promise<{ id: string; old: string }> {
  const [id, now, old] = [newId(), newId(), newId()];
  await run(
    "INSERT INTO prompts (id, user_id, organization_id, command, name, content, tags, is_active, version_id, created_at, updated_at) VALUES (?, ?, ?, 'tide', 'Tide', 'x', '[]', 1, ?, 1, 1)",
    id,
    ada.id,
    home,
    now,
  );
  for (const version of [now, old])
    await run(
      "INSERT INTO prompt_versions (id, prompt_id, command, name, content, tags, message, user_id, created_at) VALUES (?, ?, 'tide', 'Tide', 'x', '[]', '', ?, 1)",
      version,
      id,
      ada.id,
    );
  return { id, old };
}
async function makeFolder(): Promise<string> {
  const id = newId();
  await run(
    "INSERT INTO folders (id, user_id, organization_id, name, model_ids, meta, created_at, updated_at) VALUES (?, ?, ?, ?, '[]', '{}', 1, 1)",
    id,
    ada.id,
    home,
    id,
  );
  return id;
}
const makeModel = async () => {
  await run(
    "INSERT INTO stored_models (id, user_id, name, meta, params, is_active, created_at, updated_at) VALUES ('tide', ?, 'Tide', '{}', '{}', 1, 1, 1)",
    ada.id,
  );
};
const makeMemory = async () =>
  run(
    "INSERT INTO memories (id, user_id, content, source, created_at, updated_at) VALUES ('sails', ?, 'Sails', 'person', 1, 1)",
    ada.id,
  );
const makeRating = async () =>
  run(
    "INSERT INTO feedback (id, user_id, organization_id, type, data, meta, created_at, updated_at) VALUES ('good', ?, ?, 'rating', '{}', '{}', 1, 1)",
    ada.id,
    home,
  );
const makeResponse = async () =>
  run(
    "INSERT INTO stored_responses (id, user_id, response, is_large, size, created_at, expires_at) VALUES ('resp_1', ?, '{}', 0, 2, 1, 99999999999)",
    ada.id,
  );
const owner = () => ({ ...ada, organizationId: home });

/** Routes that delete what a hold keeps: each answers 409 `legal_hold`. */
const kept: Readonly<Record<string, Making>> = {
  "DELETE /api/v1/chats": async () => (await makeChat(world, ada), del("/api/v1/chats")),
  "DELETE /api/v1/chats/": async () => (await makeChat(world, ada), del("/api/v1/chats/")),
  "DELETE /api/v1/chats/:id": async () => del(`/api/v1/chats/${await makeChat(world, ada)}`),
  "DELETE /api/v1/chats/:id/messages/:message_id": async () =>
    del(`/api/v1/chats/${await makeChat(world, ada)}/messages/a`),
  "DELETE /api/v1/files/:id": async () => del(`/api/v1/files/${await makeFile(world, ada)}`),
  "DELETE /api/v1/knowledge/:id/delete": async () => del(`/api/v1/knowledge/${await makeBase()}/delete`),
  "POST /api/v1/knowledge/:id/reset": async () => ({
    path: `/api/v1/knowledge/${await makeBase(await makeFile(world, ada))}/reset?delete_file=true`,
    method: "POST",
    as: ada,
  }),
  "POST /api/v1/knowledge/:id/file/remove": async () => {
    const file = await makeFile(world, ada);
    return {
      path: `/api/v1/knowledge/${await makeBase(file)}/file/remove?delete_file=true`,
      as: ada,
      json: { file_id: file },
    };
  },
  "POST /api/v1/knowledge/:id/sync/cleanup": async () => {
    const file = await makeFile(world, ada);
    return { path: `/api/v1/knowledge/${await makeBase(file)}/sync/cleanup`, as: ada, json: { file_ids: [file] } };
  },
  "DELETE /api/v1/folders/:id": async () => del(`/api/v1/folders/${await makeFolder()}`),
  "DELETE /api/v1/prompts/id/:id/delete": async () => del(`/api/v1/prompts/id/${(await makePrompt()).id}/delete`),
  "DELETE /api/v1/prompts/id/:id/history/:version_id": async () => {
    const { id, old } = await makePrompt();
    return del(`/api/v1/prompts/id/${id}/history/${old}`);
  },
  "DELETE /api/v1/memories/:id": async () => (await makeMemory(), del("/api/v1/memories/sails")),
  "DELETE /api/v1/memories/delete/user": async () => (await makeMemory(), del("/api/v1/memories/delete/user")),
  "DELETE /api/v1/evaluations/feedback/:id": async () => (await makeRating(), del("/api/v1/evaluations/feedback/good")),
  "DELETE /api/v1/evaluations/feedbacks": async () => (await makeRating(), del("/api/v1/evaluations/feedbacks")),
  "DELETE /api/v1/evaluations/feedbacks/all": async () => (
    await makeRating(),
    del("/api/v1/evaluations/feedbacks/all")
  ),
  "POST /api/v1/models/model/delete": async () => (
    await makeModel(),
    { path: "/api/v1/models/model/delete", as: ada, json: { id: "tide" } }
  ),
  "DELETE /api/v1/models/delete/all": async () => (await makeModel(), del("/api/v1/models/delete/all")),
  "POST /api/v1/models/sync": async () => (
    await makeModel(),
    { path: "/api/v1/models/sync", as: ada, json: { models: [] } }
  ),
  "DELETE /api/v1/functions/id/:id/delete": async () =>
    del(`/api/v1/functions/id/${await storePlugin(world, "function", owner())}/delete`),
  "POST /api/v1/functions/sync": async () => {
    await storePlugin(world, "function", owner());
    return { path: "/api/v1/functions/sync", as: ada, json: { functions: [] } };
  },
  "DELETE /api/v1/tools/id/:id/delete": async () =>
    del(`/api/v1/tools/id/${await storePlugin(world, "tool", owner())}/delete`),
  "DELETE /api/v1/tool-servers/:id": async () => {
    await run(
      "INSERT INTO tool_servers (id, kind, name, url, functions, organization_id, user_id, enabled, created_at, updated_at) VALUES ('s', 'openapi', 's', 'https://x.invalid', '[]', ?, ?, 0, 1, 1)",
      home,
      ada.id,
    );
    return del("/api/v1/tool-servers/s");
  },
  "DELETE /api/v1/responses/:id": async () => (await makeResponse(), del("/api/v1/responses/resp_1")),
  "DELETE /api/responses/:id": async () => (await makeResponse(), del("/api/responses/resp_1")),
  "DELETE /api/v1/channels/:id/delete": async () => {
    const channel = await makeChannel(world, admin);
    await run("INSERT INTO channel_members (channel_id, user_id, joined_at) VALUES (?, ?, 1)", channel, ada.id);
    await post(world, ada, channel, { content: "Fog" });
    return del(`/api/v1/channels/${channel}/delete`, { as: admin });
  },
  "DELETE /api/v1/channels/:id/messages/:message_id/delete": async () => {
    const channel = await makeChannel(world, ada);
    return del(`/api/v1/channels/${channel}/messages/${await post(world, ada, channel, { content: "Fog" })}/delete`);
  },
  "DELETE /api/v1/users/:id": async () => (await makeChat(world, ada), del(`/api/v1/users/${ada.id}`, { as: admin })),
  "POST /api/v1/users/:id/erasure": async () => ({ path: `/api/v1/users/${ada.id}/erasure`, as: admin, json: {} }),
};

/** Routes that sound like it, and why a hold does not matter to them. */
const others: Readonly<Record<string, string>> = {
  "DELETE /api/v1/connections/:id": "belongs to the service",
  "DELETE /api/v1/local-models/pulls/:id": "belongs to the service",
  "DELETE /localmodel/api/push": "passed on to the runtime",
  "DELETE /localmodel/api/delete": "passed on to the runtime",
  "DELETE /localmodel/*": "passed on to the runtime",
  "DELETE /ollama/api/push": "passed on to the runtime",
  "DELETE /ollama/api/delete": "passed on to the runtime",
  "DELETE /ollama/*": "passed on to the runtime",
  "DELETE /api/v1/plugins/packages/:id": "belongs to the service",
  "DELETE /api/v1/plugins/packages/downloads/:id": "belongs to the service",
  "DELETE /api/v1/chats/:id/share": "a copy: the chat stays",
  "DELETE /api/v1/chats/:id/tags": "a label: the chat stays",
  "DELETE /api/v1/chats/:id/tags/all": "labels: the chat stays",
  "DELETE /api/v1/files/uploads/:id": "never became a file",
  "DELETE /api/v1/knowledge/:id/dirs/:dir_id/delete": "the files stay",
  "POST /api/v1/knowledge/:id/sync/diff": "compares",
  "DELETE /api/v1/tool-servers/:id/connect": "a sign-in elsewhere",
  "DELETE /api/v1/auths/sessions/:id": "a sign-in",
  "DELETE /api/v1/invitations/:id": "a link",
  "DELETE /api/v1/users/:id/second_factor": "a way to sign in",
  "POST /api/v1/auths/second_factor/remove": "a way to sign in",
  "POST /api/v1/auths/passkeys/:id/remove": "a way to sign in",
  "POST /api/v1/auths/password/reset": "a password",
  "POST /api/v1/users/:id/reset_link": "makes a link",
  "POST /api/v1/operator/people/reset-link": "makes a link",
  "DELETE /api/v1/auths/sessions": "a sign-in",
  "DELETE /api/v1/auths/api_key": "a secret",
  "DELETE /api/v1/auths/api_keys/:id": "a secret",
  "DELETE /api/v1/auths/admin/api_keys": "secrets",
  "DELETE /api/v1/auths/admin/api_keys/:id": "a secret",
  "POST /api/v1/groups/id/:id/users/remove": "a right",
  "DELETE /api/v1/groups/id/:id/delete": "rights",
  "DELETE /api/v1/organizations/:id": "only without people; the test of holds on organizations has it",
  "DELETE /api/v1/legal-holds/:id": "lifts a hold",
  "DELETE /api/v1/channels/:id/webhooks/:webhook_id/delete": "its posts stay",
  "POST /api/v1/channels/:id/messages/:message_id/reactions/remove": "the message stays",
  "POST /api/v1/channels/:id/update/members/remove": "the messages stay",
  "POST /api/v1/memories/reset": "the texts stay",
  "DELETE /api/v1/quotas/:id": "a rule",
  "DELETE /api/v1/notifications/targets/:id": "an address of a receiver",
  "DELETE /api/v1/scim/v2/Users/:id": "switches the account off",
  "DELETE /api/v1/scim/v2/Groups/:id": "rights",
  "POST /api/v1/models/import": "adds",
  "POST /api/v1/functions/import": "adds",
  "POST /api/v1/tools/import": "adds",
  "POST /api/v1/chats/import": "adds",
  "POST /api/v1/chats/import/file": "adds",
  "POST /api/v1/imports": "adds",
  "POST /api/v1/imports/:id/records": "adds",
  "PUT /api/v1/imports/:id/files/:file_id": "adds",
  "POST /api/v1/knowledge/import": "adds",
  "POST /api/v1/prompts/import": "adds, and changes of which the versions are kept",
  "DELETE /api/v1/users/user/connections/:id":
    "a connection: an address and a key, which must be possible to take back",
  "DELETE /api/v1/imports/:id": "a list of what was imported: that stays",
};

test("every route that deletes is one of these", () => {
  const deletes = /^DELETE |^(?:POST|PUT|PATCH) .*(?:delete|remove|reset|clear|sync|import|purge|empty|erasure)/;
  const routes = declaredRoutes(createRouters())
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => deletes.test(route));
  expect([...Object.keys(kept), ...Object.keys(others)].toSorted()).toEqual(routes.toSorted());
});

const tables = [
  "users",
  "chats",
  "files",
  "knowledge",
  "prompts",
  "prompt_versions",
  "folders",
  "stored_models",
  "plugins",
  "tool_servers",
  "stored_responses",
  "memories",
  "feedback",
  "channels",
] as const;
const things = async () => {
  const all: Record<string, unknown> = {};
  for (const table of tables) all[table] = await idsOf(world, table);
  all["messages"] = await idsOf(world, "messages");
  all["channel_messages"] = await idsOf(world, "channel_messages", "deleted_at IS NULL");
  return all;
};

describe.each(["person", "organization"] as const)("a hold on the %s", (kind) => {
  test.each(Object.entries(kept))(
    "%s is refused, and nothing is gone; without the hold it is done",
    async (_, make) => {
      const { path, ...options } = await make();
      const placed = await hold(kind, kind === "person" ? ada.id : home);
      expect(placed.status).toBe(200);
      const before = await things();
      const { status, body } = await world.call<Record<string, unknown>>(path, options);
      expect({ status, text: JSON.stringify(body) }).toEqual({
        status: 409,
        text: expect.stringContaining("legal hold"),
      });
      expect(await things()).toEqual(before);
      await world.call(`/api/v1/legal-holds/${placed.body.id}`, { as: admin, method: "DELETE" });
      expect((await world.call(path, options)).status).toBeLessThan(300);
      await world.settled();
      expect(await things()).not.toEqual(before);
    },
  );
});

describe("holds", () => {
  test("are placed, listed and lifted by administrators, with a reason and a line in the audit log", async () => {
    const bo = await world.person({ name: "Bo" });
    expect((await hold("person", bo.id, bo)).status).toBe(403);
    expect((await hold("person", "nobody")).status).toBe(404);
    const { body } = await hold("person", bo.id);
    expect(body).toMatchObject({ kind: "person", target_name: "Bo", reason: "Case 7", created_by: admin.id });
    expect((await hold("person", bo.id)).status).toBe(409);
    expect((await world.call("/api/v1/legal-holds", { as: admin })).body).toEqual({ holds: [body] });
    await world.call(`/api/v1/legal-holds/${body.id}`, { as: admin, method: "DELETE" });
    expect((await world.call("/api/v1/legal-holds", { as: admin })).body).toEqual({ holds: [] });
    const { rows } = await world.client.execute(
      "SELECT action, target_id, detail FROM audit_events WHERE action LIKE 'legal_hold.%' ORDER BY id",
    );
    expect(rows).toMatchObject([
      { action: "legal_hold.placed", target_id: bo.id, detail: '{"reason":"Case 7"}' },
      { action: "legal_hold.lifted", target_id: bo.id },
    ]);
  });

  test("keep an organization that has nobody any more", async () => {
    const { body } = await world.call<{ id: string }>("/api/v1/organizations", { as: admin, json: { name: "Quay" } });
    const placed = await hold("organization", body.id);
    expect((await world.call(`/api/v1/organizations/${body.id}`, { as: admin, method: "DELETE" })).status).toBe(409);
    await world.call(`/api/v1/legal-holds/${placed.body.id}`, { as: admin, method: "DELETE" });
    expect((await world.call(`/api/v1/organizations/${body.id}`, { as: admin, method: "DELETE" })).status).toBe(200);
  });

  test("do not keep what belongs to others", async () => {
    const bo = await world.person({ name: "Bo" });
    const chat = await makeChat(world, bo);
    await hold("person", ada.id);
    expect((await world.call(`/api/v1/chats/${chat}`, { as: bo, method: "DELETE" })).status).toBe(200);
  });
});

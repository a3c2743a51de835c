import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { kinds } from "../../../src/imports/kinds.ts";
import { kindsOf } from "../../../src/life/export/record-kinds.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { makeChannel, makeChat, makeFile, post } from "../old-things.ts";
import { begin, exportAll, importAll, readKind } from "./export-world.ts";
import { fillWorld, noraPassword } from "./fill-world.ts";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld({ environment: { ENABLE_API_KEYS: "true" } });
  admin = await world.admin();
  ada = await world.person({ name: "Ada", email: "ada@harbour.example", password: "correct horse" });
});
afterEach(() => world.close());

const everything = (exported: Awaited<ReturnType<typeof exportAll>>) => JSON.stringify([...exported.records.values()]);

test("has every kind of record that an import takes, in the same order", () => {
  const exported = kindsOf({ personId: null, withSecrets: true }).map(({ kind }) => kind);
  expect(exported.filter((kind) => kind !== "file").toSorted()).toEqual(
    [...kinds.keys()].filter((kind) => kind !== "chat_messages").toSorted(),
  );
});

test("one's own data: all of it, nothing of others, and nothing secret", async () => {
  const { nora, secret } = await fillWorld(world, admin);
  await makeChat(world, admin, { title: "Not hers" });
  await makeFile(world, admin, "not hers", "others.md");
  const exported = await exportAll(world, nora, { scope: "person" });
  expect(exported.records.get("person")).toMatchObject([{ id: nora.id, role: "user", email: "nora@north.example" }]);
  expect(exported.records.get("person")![0]).not.toHaveProperty("password");
  expect(exported.records.get("chat")).toMatchObject([{ person_id: nora.id }]);
  expect([...exported.bytes.values()].map((bytes) => new TextDecoder().decode(bytes))).toEqual(["high water at noon"]);
  for (const kind of ["prompt", "knowledge", "knowledge_file", "chat_share", "memory"])
    expect([kind, exported.records.get(kind)!.length]).toEqual([kind, 1]);
  for (const kind of ["api_key", "organization", "connection", "setting", "channel", "channel_message", "user_valves"])
    expect(exported.records.has(kind)).toBe(false);
  const all = everything(exported);
  expect(all).not.toMatch(/Not hers|others\.md|\$scrypt|"hash"|sealed|very-secret/);
  expect(all).not.toContain(secret);
});

test("others' data is for administrators, and each reads only exports of their own", async () => {
  const call = async (as: Person, json: object) => (await world.call("/api/v1/exports", { as, json })).status;
  expect(await call(ada, { scope: "service" })).toBe(403);
  expect(await call(ada, { scope: "person", person_id: admin.id })).toBe(403);
  expect(await call(admin, { scope: "person", person_id: "nobody" })).toBe(404);
  expect(await call(admin, { scope: "person", secrets: true })).toBe(422);
  expect(await call(admin, { scope: "person", person_id: ada.id })).toBe(200);
  const { id } = await begin(world, admin, { scope: "service" });
  const file = await makeFile(world, admin, "harbour plan", "plan.md");
  const own = await begin(world, ada, { scope: "person" });
  const paths = (of: string) => [
    `/api/v1/exports/${of}`,
    `/api/v1/exports/${of}/records/person`,
    `/api/v1/exports/${of}/files/${file}`,
  ];
  for (const path of paths(id)) {
    expect((await world.call(path, { as: ada })).status).toBe(404);
    expect((await world.request(path, { as: admin })).status).toBe(200);
  }
  for (const path of paths(own.id)) expect((await world.call(path, { as: admin })).status).toBe(404);
  expect((await world.call(paths(own.id)[2]!, { as: ada })).status).toBe(404);
  expect((await world.call(`/api/v1/exports/${own.id}/records/api_key`, { as: ada })).status).toBe(404);
  // Rights end at once.
  await world.db.run(sql`UPDATE users SET role = 'user' WHERE id = ${admin.id}`);
  for (const path of paths(id)) expect((await world.call(path, { as: admin })).status).toBe(403);
});

test("needs the permission to export chats, also in the middle", async () => {
  const { id } = await begin(world, ada, { scope: "person" });
  await world.call("/api/v1/users/default/permissions", { as: admin, json: { chat: { export: false } } });
  expect((await world.call("/api/v1/exports", { as: ada, json: { scope: "person" } })).status).toBe(403);
  expect((await world.call(`/api/v1/exports/${id}/records/chat`, { as: ada })).status).toBe(403);
});

test("is in the audit log, and ends after 30 days", async () => {
  const { id } = await begin(world, admin, { scope: "service", secrets: true });
  await begin(world, admin, { scope: "person", person_id: ada.id });
  const { rows } = await world.client.execute(
    "SELECT actor_id, target_id, detail FROM audit_events WHERE action = 'export.started' ORDER BY id",
  );
  expect(rows).toMatchObject([
    { actor_id: admin.id, target_id: id, detail: '{"scope":"service","secrets":true}' },
    { actor_id: admin.id, target_id: ada.id, detail: '{"scope":"person","secrets":false}' },
  ]);
  await world.db.run(sql`UPDATE data_exports SET created_at = created_at - 2592001`);
  expect((await world.call(`/api/v1/exports/${id}`, { as: admin })).status).toBe(404);
  await begin(world, admin, { scope: "service" });
  expect((await world.client.execute("SELECT count(*) AS n FROM data_exports")).rows).toMatchObject([{ n: 1 }]);
});

test("secrets only go along when they are asked for, and are told of where they do not", async () => {
  await fillWorld(world, admin);
  const without = await exportAll(world, admin);
  expect(everything(without)).not.toMatch(/very-secret|north-secret|sealed/);
  expect(without.records.get("connection")).toMatchObject([{ left: ["its key", "its headers"] }]);
  const withSecrets = await exportAll(world, admin, { scope: "service", secrets: true });
  expect(withSecrets.records.get("connection")).toMatchObject([
    { key: "sk-very-secret", headers: { "x-team": "north-secret" } },
  ]);
});

test("wrong cursors and kinds are refused", async () => {
  const { id } = await begin(world, admin, { scope: "service" });
  for (const kind of ["chat", "person", "channel_message"])
    for (const cursor of ["x", btoa("[1]"), btoa("[]"), btoa(encodeURIComponent('["a","b","c","d","e"]'))]) {
      const { status } = await world.request(
        `/api/v1/exports/${id}/records/${kind}?cursor=${encodeURIComponent(cursor)}`,
        {
          as: admin,
        },
      );
      expect([200, 400]).toContain(status);
    }
  expect((await world.call(`/api/v1/exports/${id}/records/passwords`, { as: admin })).status).toBe(404);
});

test("a chat too large for one record comes in parts, parents first, also where it was moved", async () => {
  const chat = await makeChat(world, ada);
  const text = "tide ".repeat(400);
  const rows = Array.from({ length: 3500 }, (_, at) => [`m${at}`, at === 0 ? "b" : `m${at - 1}`]);
  await world.db
    .run(sql`INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, extra, created_at, updated_at)
    SELECT ${chat}, ${ada.id}, value ->> 0, value ->> 1, 'user', ${text}, '{}', 10 + key, 1 FROM json_each(${JSON.stringify(rows)}) WHERE TRUE ORDER BY key`);
  // The second message is below the last one now.
  await world.db
    .run(sql`INSERT INTO messages (chat_id, user_id, id, parent_id, role, content, extra, created_at, updated_at)
    VALUES (${chat}, ${ada.id}, 'late', NULL, 'user', 'late', '{}', 9000, 1)`);
  await world.db.run(sql`UPDATE messages SET parent_id = 'late' WHERE chat_id = ${chat} AND id = 'm3000'`);
  await world.db.run(sql`UPDATE chats SET current_message_id = 'm3499' WHERE id = ${chat}`);
  await makeChat(world, ada, { title: "After it" });
  const exported = await exportAll(world, admin);
  const records = exported.records.get("chat")!;
  expect(records.length).toBeGreaterThan(5);
  const seen = new Set<string>();
  const parts = records.filter(({ kind }) => kind === "chat_messages");
  const lost = parts.flatMap((part) => {
    const messages = part["messages"] as Record<string, { parentId: string | null }>;
    for (const id of Object.keys(messages)) seen.add(id);
    return Object.values(messages).filter(({ parentId }) => parentId !== null && !seen.has(parentId));
  });
  expect(lost).toEqual([]);
  expect(seen.size).toBe(3503);
  const other = await createWorld();
  const root = await other.admin();
  const outcomes = await importAll(other, root, exported, { mergeByEmail: true });
  expect(outcomes.filter(({ state }) => state === "failed" || state === "left_out")).toEqual([]);
  const tree = (from: World) =>
    from.db.all(sql`SELECT id, parent_id, content FROM messages WHERE chat_id = ${chat} ORDER BY id`);
  expect(await tree(other)).toEqual(await tree(world));
  const [row] = await other.db.all<{ current: string }>(
    sql`SELECT current_message_id AS current FROM chats WHERE id = ${chat}`,
  );
  expect(row).toEqual({ current: "m3499" });
  await other.close();
}, 60_000);

test("passwords, keys and webhooks go on working without secrets", async () => {
  const { secret } = await fillWorld(world, admin);
  const channel = await makeChannel(world, admin, "Bridge");
  await post(world, admin, channel, { content: "Fog" });
  const webhook = await world.call<{ id: string; token: string }>(`/api/v1/channels/${channel}/webhooks/create`, {
    as: admin,
    json: { name: "Bot" },
  });
  const exported = await exportAll(world, admin);
  const other = await createWorld({ environment: { ENABLE_API_KEYS: "true" } });
  const root = await other.admin();
  await other.db.run(sql`UPDATE users SET email = 'root@empty.example' WHERE id = ${root.id}`);
  await importAll(other, root, exported);
  const signIn = (password: string) =>
    other.call("/api/v1/auths/signin", { json: { email: "nora@north.example", password } });
  expect((await signIn(noraPassword)).status).toBe(200);
  expect((await signIn("wrong")).status).toBe(400);
  const { rows } = await other.client.execute("SELECT hash FROM passwords WHERE hash LIKE '$scrypt$%'");
  expect(rows.length).toBeGreaterThan(0);
  expect((await other.call("/api/v1/auths/", { as: { token: secret } as Person })).status).toBe(200);
  const { id, token } = webhook.body;
  const said = await other.call(`/api/v1/channels/webhooks/${id}/${token}`, { json: { content: "Tide at 18:40" } });
  expect(said.status).toBe(200);
  await other.close();
});

test("a person's own export comes to one account, with no more rights than that has", async () => {
  const { nora } = await fillWorld(world, admin);
  const exported = await exportAll(world, nora, { scope: "person" });
  // Somebody has written into it what they would like to be.
  Object.assign(exported.records.get("person")![0]!, { role: "admin", password: "$2b$10$abcdefghijklmnopqrstuv" });
  exported.records.set("setting", [{ kind: "setting", id: "a", name: "ENABLE_SIGNUP", value: true }]);
  const other = await createWorld();
  const root = await other.admin();
  const outcomes = await importAll(other, root, exported);
  expect(outcomes.filter(({ state }) => state === "failed")).toEqual([]);
  const { rows } = await other.client.execute({ sql: "SELECT role FROM users WHERE id = ?", args: [nora.id] });
  expect(rows).toMatchObject([{ role: "user" }]);
  expect((await other.client.execute("SELECT count(*) AS n FROM passwords WHERE hash LIKE '$2b%'")).rows).toMatchObject(
    [{ n: 0 }],
  );
  expect((await other.client.execute("SELECT count(*) AS n FROM chats")).rows).toMatchObject([{ n: 1 }]);
  await other.close();
});

test("broken off before each of its requests, and run again, an import comes to the same as in one run", async () => {
  await fillWorld(world, admin);
  const exported = await exportAll(world, admin);
  const tables = [
    "users",
    "organizations",
    "landing_rules",
    "groups",
    "api_keys",
    "prompts",
    "prompt_versions",
    "files",
    "knowledge",
    "folders",
    "chats",
    "messages",
    "chat_shares",
    "feedback",
    "memories",
    "channels",
    "channel_messages",
  ];
  const countsOf = async (of: World) =>
    Promise.all(
      tables.map(
        async (table) => (await of.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM ${sql.raw(table)}`))[0]!.n,
      ),
    );
  const whole = await createWorld();
  let requests = 0;
  await importAll(whole, await whole.admin(), exported, { mergeByEmail: true, fail: () => void (requests += 1) });
  const expected = await countsOf(whole);
  await whole.close();
  const other = await createWorld();
  const root = await other.admin();
  for (let place = 1; place <= requests; place += 1) {
    let asked = 0;
    const fail = () => {
      asked += 1;
      if (asked === place) throw new Error("killed");
    };
    await expect(importAll(other, root, exported, { mergeByEmail: true, fail })).rejects.toThrow("killed");
  }
  await importAll(other, root, exported, { mergeByEmail: true });
  expect(await countsOf(other)).toEqual(expected);
  await other.close();
}, 60_000);

test("a page holds what it should, however many there are", async () => {
  const list = JSON.stringify(Array.from({ length: 1203 }, (_, at) => at));
  await world.db.run(sql`INSERT INTO memories (id, user_id, content, source, created_at, updated_at)
    SELECT 'memory-' || value, ${ada.id}, 'Sails ' || value, 'person', 1, 1 FROM json_each(${list})`);
  const { id } = await begin(world, ada, { scope: "person" });
  const memories = await readKind(world, ada, id, "memory");
  expect(new Set(memories.map((memory) => memory.id)).size).toBe(1203);
  expect(memories).toHaveLength(1203);
});

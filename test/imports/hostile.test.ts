import { rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordResult } from "../../src/shared/moving-in/import-target.ts";
import { makeOpenWebuiData } from "../fixtures/open-webui/make-data.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { importData } from "./import-data.ts";

const sqlText = "'; DROP TABLE users; --";
const markup = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
const huge = "harbour ".repeat(6_500_000);
const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const proto = `{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}`;

let world: World;
let root: Person;
let victim: Person;
let outcomes: RecordResult[];
let folder: string;
/** How many rows of the person who was here before there are, by table. */
const owned = async () =>
  (
    await Promise.all(
      ["chats", "files", "knowledge", "folders", "memories", "prompts", "api_keys", "group_members"].map((table) =>
        world.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM ${sql.raw(table)} WHERE user_id = ${victim.id}`),
      ),
    )
  ).map(([row]) => row!.n);

beforeAll(async () => {
  world = await createWorld();
  root = await world.admin();
  victim = await world.person({ name: "Victim", email: "victim@example.com", password: "a long password" });
  const chat = { title: "Mine", models: [], history: { messages: {}, currentId: null } };
  await world.call("/api/v1/chats/new", { as: victim, json: { chat } });
  folder = makeOpenWebuiData();
  poison(path.join(folder, "webui.db"), victim.id);
  outcomes = await importData(world, root, folder);
}, 180_000);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes what no Open WebUI would, into every table. */
function poison(file: string, victimId: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  const ids = (table: string) =>
    database
      .prepare(`SELECT id FROM "${table}" ORDER BY id`)
      .all()
      .map(({ id }) => String(id));
  const bob = String(database.prepare("SELECT id FROM user WHERE email = 'bob@example.com'").get()!["id"]);
  const cho = String(database.prepare("SELECT id FROM user WHERE email = 'cho@example.com'").get()!["id"]);
  const user = database.prepare(
    "INSERT INTO user (id, email, role, name, profile_image_url, settings, info, oauth, created_at, updated_at, last_active_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 1, 1)",
  );
  user.run(victimId, "thief@example.com", "admin", markup, "javascript:alert(1)", proto, deep, "7");
  user.run("same-address", "victim@example.com", "admin", "Thief", "data:text/html,x", "{broken", "[]", "null");
  user.run(
    "../../etc",
    "no address",
    "superuser",
    sqlText,
    huge.slice(0, 2_000_000),
    "null",
    proto,
    '{"oidc": {"sub": {"a": 1}}}',
  );
  user.run("nul", "nul\0@example.com", "user", "N\0ul", "", "{}", "{}", "{}");
  database
    .prepare("INSERT INTO auth (id, email, password, active) VALUES (?, ?, ?, 1)")
    .run(victimId, "victim@example.com", "$2b$99$broken");
  const chatRow = database.prepare(
    "INSERT INTO chat (id, user_id, title, chat, created_at, updated_at, archived, pinned, meta, folder_id) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
  );
  const message = (id: string, parentId: string | null, content: unknown, more = {}) => ({
    id,
    parentId,
    childrenIds: [],
    role: "user",
    content,
    ...more,
  });
  const document = (messages: Record<string, unknown>, more = {}) =>
    JSON.stringify({ title: "x", models: ["stub"], history: { messages, currentId: null }, ...more });
  chatRow.run("broken-json", bob, "Broken", "{not json", 1, 1, "{", null);
  chatRow.run("no-owner", "nobody", "Orphan", document({ a: message("a", null, "hello") }), 1, 1, "{}", null);
  chatRow.run("of-victim", victimId, "For the victim", document({ a: message("a", null, "hello") }), 1, 1, "{}", null);
  chatRow.run(
    "loop",
    bob,
    `${markup}${sqlText}`,
    document({
      a: message("a", "c", "one"),
      b: message("b", "a", "two"),
      c: message("c", "b", "three"),
      d: message("d", "missing", "four"),
      e: 7,
      f: message("f", "f", "self"),
    }),
    -5,
    9e30,
    proto,
    "no-folder",
  );
  chatRow.run(
    "huge",
    bob,
    "Huge",
    document({ a: message("a", null, huge), b: message("b", "a", "after") }),
    1,
    1,
    "{}",
    null,
  );
  chatRow.run(
    "deep",
    bob,
    "Deep",
    `{"title": "Deep", "history": {"messages": {"a": {"id": "a", "role": "user", "content": "x", "files": ${deep}}}}}`,
    1,
    1,
    deep,
    null,
  );
  chatRow.run(
    "proto",
    bob,
    "Proto",
    `{"title": "Proto", "history": {"messages": {"__proto__": {"id": "__proto__", "role": "user", "content": "p"}, "a": {"id": "a", "parentId": null, "role": "user", "content": "lone \\ud800 half"}}}}`,
    1,
    1,
    proto,
    null,
  );
  for (const [index, id] of ids("folder").entries())
    database
      .prepare("UPDATE folder SET parent_id = ?, name = ? WHERE id = ?")
      .run(ids("folder")[1 - index]!, markup, id);
  const fileRow = database.prepare(
    "INSERT INTO file (id, user_id, filename, path, meta, data, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, 1, 1)",
  );
  fileRow.run("outside", bob, "../../../etc/passwd", "../../../../../../etc/passwd", "{", "{}");
  fileRow.run("../up", bob, "a\0b\r\nSet-Cookie: x=1", "/app/backend/data/uploads/../webui.db", "[]", "null");
  fileRow.run("of-nobody", "nobody", "x.txt", "x.txt", "{}", "{}");
  database
    .prepare("INSERT INTO memory (id, user_id, content, created_at, updated_at) VALUES (?, ?, ?, 1, 1)")
    .run("long", bob, huge.slice(0, 100_000));
  database
    .prepare("INSERT INTO access_grant VALUES (?, 'knowledge', ?, 'user', ?, 'write', 1)")
    .run("g1", ids("knowledge")[0]!, "nobody");
  database
    .prepare("INSERT INTO access_grant VALUES (?, 'model', 'harbour-master', 'robot', ?, 'own', 1)")
    .run("g2", victimId);
  database.prepare("UPDATE tool SET content = ?, meta = ?").run("def broken(:", proto);
  database.prepare("UPDATE function SET valves = ?").run("gAAAAA-not-a-token");
  database.prepare("UPDATE model SET params = ?, meta = ? WHERE id = 'stub-2'").run("{broken", deep);
  database.prepare("UPDATE prompt SET command = ?").run(`/${sqlText}`);
  database
    .prepare(
      "INSERT INTO message (id, user_id, channel_id, content, parent_id, is_pinned, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 0, ?, ?)",
    )
    .run("m1", cho, ids("channel")[0]!, huge.slice(0, 6_000_000), "missing", 1, 1);
  database
    .prepare(
      "INSERT INTO message (id, user_id, channel_id, content, parent_id, is_pinned, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 0, 1, 1)",
    )
    .run("m2", "nobody", "no-channel", "lost", null);
  database.prepare("UPDATE api_key SET key = ? WHERE user_id = ?").run("short", bob);
  database.prepare(`UPDATE "group" SET permissions = ?, name = ?, parent_group_id = id`).run(deep, markup);
  database.close();
}

const stateOf = (kind: string, id: string) =>
  outcomes.find((outcome) => outcome.kind === kind && outcome.id === id)?.state;

test("does no harm to people who were here before", async () => {
  expect(await owned()).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  const [row] = await world.db.all(sql`SELECT name, email, role FROM users WHERE id = ${victim.id}`);
  expect(row).toEqual({ name: "Victim", email: "victim@example.com", role: "user" });
  const answer = await world.call("/api/v1/auths/signin", {
    json: { email: "victim@example.com", password: "a long password" },
  });
  expect(answer.status).toBe(200);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test("says of everything what became of it", async () => {
  expect(stateOf("person", "same-address")).toBe("left_out");
  expect(["failed", "left_out"]).toContain(stateOf("person", "../../etc"));
  expect(["failed", "left_out"]).toContain(stateOf("chat", "broken-json"));
  expect(stateOf("chat", "no-owner")).toBe("left_out");
  expect(stateOf("file", "outside")).toBe("left_out");
  expect(["failed", "left_out"]).toContain(stateOf("file", "of-nobody"));
  for (const id of ["loop", "huge"]) expect(stateOf("chat", id)).toBe("changed");
  expect(
    outcomes.every(({ state, notes }) => !["changed", "failed", "left_out"].includes(state) || notes.length > 0),
  ).toBe(true);
  expect(JSON.stringify(outcomes).length).toBeLessThan(200_000);
});

test("brings what can be brought of it", async () => {
  const [bob] = await world.db.all<{ id: string }>(sql`SELECT id FROM users WHERE email = 'bob@example.com'`);
  const chats = await world.db.all<{ id: string; messages: number; longest: number }>(sql`
    SELECT id, (SELECT count(*) FROM messages m WHERE m.chat_id = chats.id) AS messages,
      (SELECT max(length(content)) FROM messages m WHERE m.chat_id = chats.id) AS longest FROM chats WHERE user_id = ${bob!.id}`);
  const byId = new Map(chats.map((chat) => [chat.id, chat]));
  expect(byId.get("loop")?.messages).toBe(5);
  expect(byId.get("huge")?.messages).toBe(2);
  expect(byId.get("huge")!.longest).toBeGreaterThan(1_000_000);
  expect(await world.db.all(sql`SELECT count(*) AS n FROM memories WHERE user_id = ${bob!.id}`)).not.toEqual([
    { n: 1 },
  ]);
});

test("comes to the same when it is sent again", async () => {
  const counts = () =>
    world.db.all(sql`SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM chats) AS chats,
    (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM files) AS files, (SELECT count(*) FROM channel_messages) AS posts`);
  const before = await counts();
  await importData(world, root, folder);
  expect(await counts()).toEqual(before);
});

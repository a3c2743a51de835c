import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createServices } from "../../src/context.ts";
import { runErasure, sweepErasures } from "../../src/life/erasure/run-erasure.ts";
import type { Erasure, ErasurePlan } from "../../src/life/erasure/schema.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { idsOf, makeChannel, makeChat, makeFile, post } from "./old-things.ts";

let world: World;
let admin: Person;
let ada: Person;
let bo: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person({ name: "Ada Sundqvist", email: "ada.sundqvist@harbour.example" });
  bo = await world.person({ name: "Bo" });
});
afterEach(() => world.close());

const path = () => `/api/v1/users/${ada.id}/erasure`;
const plan = async () => (await world.call<ErasurePlan>(path(), { as: admin })).body;
const start = (json: unknown = { successor_id: bo.id }) =>
  world.call<Erasure & { code: string }>(path(), { as: admin, json });
const report = async (id: string) => (await world.call<Erasure>(`/api/v1/erasures/${id}`, { as: admin })).body;

/** Everything that a person can leave behind. */
async function fill() {
  const [shared, loose] = [
    await makeFile(world, ada, "shared text", "a.md"),
    await makeFile(world, ada, "own text", "b.md"),
  ];
  for (let number = 0; number < 3; number++) await makeChat(world, ada, { files: [{ type: "file", id: loose }] });
  const now = 1;
  await world.client.batch([
    { sql: "INSERT INTO knowledge VALUES ('k1', ?, ?, 'Tides', '', '{}', 1, 1)", args: [ada.id, home] },
    { sql: "INSERT INTO knowledge VALUES ('k2', ?, ?, 'Private', '', '{}', 1, 1)", args: [ada.id, home] },
    {
      sql: "INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, user_id, created_at) VALUES ('k1', ?, 'x', ?, 1)",
      args: [shared, ada.id],
    },
    {
      sql: "INSERT INTO grants (id, resource_type, resource_id, principal_type, principal_id, permission, created_at) VALUES ('g', 'knowledge', 'k1', 'user', ?, 'read', 1)",
      args: [bo.id],
    },
    {
      sql: "INSERT INTO stored_models (id, user_id, name, meta, params, is_active, created_at, updated_at) VALUES ('tide', ?, 'Tide', '{}', '{}', 1, 1, 1)",
      args: [ada.id],
    },
    {
      sql: "INSERT INTO stored_responses (id, user_id, response, is_large, size, created_at, expires_at) VALUES ('r', ?, '{}', 0, 2, 1, 99999999999)",
      args: [ada.id],
    },
    {
      sql: "INSERT INTO usage_records (id, at, user_id, key_id, organization_id, model, base_model, connection_id, api, state, input, cached, cache_write, output, reasoning, total, is_estimated, requests, duration_ms) VALUES ('u', ?, ?, '', ?, 'm', 'm', '', 'chat', 'done', 1, 0, 0, 1, 0, 2, 0, 1, 5)",
      args: [now, ada.id, home],
    },
    {
      sql: "INSERT INTO usage_days VALUES (1, ?, '', ?, 'm', 'm', '', 'chat', 1, 1, 0, 1, 0, 0, 1, 0, 2, 0, 5, 0, 0, 0)",
      args: [ada.id, home],
    },
    {
      sql: "INSERT INTO webhook_endpoints (id, user_id, owner, url, is_enabled, is_always, sealed_secret, created_at, updated_at) VALUES ('e', NULL, 'service', 'https://x.example', 1, 0, 's', 1, 1)",
      args: [],
    },
    {
      sql: "INSERT INTO webhook_deliveries (id, endpoint_id, event, payload, state, attempts, created_at) VALUES ('msg_1', 'e', 'new_user', ?, 'done', 1, 1)",
      args: [JSON.stringify({ user: { email: "Ada.Sundqvist@harbour.example" } })],
    },
    {
      sql: "INSERT INTO webhook_deliveries (id, endpoint_id, event, payload, state, attempts, created_at) VALUES ('msg_2', 'e', 'new_user', '{}', 'done', 1, 1)",
      args: [],
    },
  ]);
  const channel = await makeChannel(world, ada);
  const said = await post(world, ada, channel, { content: "Fog until ten" });
  await world.client.execute({
    sql: "INSERT INTO channel_members (channel_id, user_id, joined_at) VALUES (?, ?, 1)",
    args: [channel, bo.id],
  });
  const mention = await post(world, bo, channel, { content: `Thanks <@U:${ada.id}|Ada Sundqvist>!` });
  await world.call(`/api/v1/users/${ada.id}/update`, {
    as: admin,
    json: { name: "Ada Sundqvist", role: "user", email: ada.email, profile_image_url: "" },
  });
  await world.call("/api/v1/auths/update/profile", { as: ada, json: { name: "Ada Sundqvist-Berg" } });
  await world.call("/api/v1/auths/update/profile", { as: ada, json: { name: "Ada Sundqvist" } });
  await world.call("/api/v1/auths/api_key", { as: ada, method: "POST" });
  await world.call("/api/v1/memories/add", { as: ada, json: { content: "Sails on Sundays" } });
  await world.call("/api/v1/evaluations/feedback", { as: ada, json: { type: "rating", data: { rating: 1 } } });
  await world.call("/api/v1/channels/create", { as: ada, json: { type: "dm", user_ids: [bo.id] } });
  await world.settled();
  return { shared, loose, channel, said, mention };
}
const home = "00000000-0000-7000-8000-000000000001";

/** Tables where a text stands, with the search index left out: it forgets when its segments are merged. */
async function findText(text: string): Promise<string[]> {
  const { rows } = await world.client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'sqlite_%'",
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: lines } = await world.client.execute(`SELECT * FROM "${String(name)}"`);
    for (const line of lines)
      if (JSON.stringify(line).toLowerCase().includes(text.toLowerCase()))
        found.push(`${String(name)}: ${JSON.stringify(line)}`);
  }
  return found;
}

test("the plan says what will happen and changes nothing; the report says that it did", async () => {
  const { shared, channel, said, mention } = await fill();
  const before = await plan();
  expect(before).toMatchObject({
    held: false,
    erasure_id: null,
    counts: {
      "removed.chats": 3,
      "removed.files": 1,
      "removed.knowledge": 1,
      "removed.memories": 1,
      "removed.ratings": 1,
      "removed.responses": 1,
      "removed.sessions": 1,
      "handed_over.files": 1,
      "handed_over.knowledge": 1,
      "handed_over.models": 1,
      "handed_over.channels": 1,
      "anonymised.channel_messages": 1,
      "anonymised.calls": 1,
      "anonymised.usage_days": 1,
    },
  });
  expect(await plan()).toEqual(before);

  const { status, body } = await start();
  expect(status).toBe(200);
  await world.settled();
  const done = await report(body.id);
  expect(done).toMatchObject({ state: "done", error: null, started_by: admin.id, successor_id: bo.id });
  const { "removed.api_keys": _, ...promised } = before.counts;
  expect(done.counts).toMatchObject({
    ...promised,
    "removed.accounts": 1,
    "anonymised.mentions": 1,
    "removed.deliveries": 1,
  });

  // The property: neither name nor address nor id is anywhere.
  for (const text of [ada.id, "sundqvist", ada.email]) expect(await findText(text)).toEqual([]);

  expect(await idsOf(world, "knowledge", `user_id = '${bo.id}'`)).toEqual(["k1"]);
  expect(await idsOf(world, "files", `user_id = '${bo.id}'`)).toEqual([shared]);
  expect(await idsOf(world, "webhook_deliveries")).toEqual(["msg_2"]);
  expect(await idsOf(world, "channel_messages", "content = 'Fog until ten'")).toEqual([said]);
  const { body: read } = await world.call<{ user: { name: string } }>(`/api/v1/channels/${channel}/messages/${said}`, {
    as: bo,
  });
  expect(read.user.name).toBe("Former member");
  const { body: other } = await world.call<{ content: string }>(`/api/v1/channels/${channel}/messages/${mention}`, {
    as: bo,
  });
  expect(other.content).toBe(`Thanks <@U:${done.subject}|Former member>!`);
  const { rows } = await world.client.execute(
    "SELECT target_id, detail FROM audit_events WHERE action = 'person.erased'",
  );
  expect(rows).toHaveLength(1);
  expect(JSON.parse(String(rows[0]!["detail"]))).toEqual({
    subject: done.subject,
    started_by: admin.id,
    started_at: done.started_at,
    successor_id: bo.id,
    counts: done.counts,
  });
});

test("goes on after any step at which its process died, and counts nothing twice", async () => {
  await fill();
  const { counts } = await plan();
  await world.client.execute({
    sql: `INSERT INTO erasures (id, user_id, subject_hash, successor_id, state, step, counts, started_by, started_kind, organization_id, created_at)
      VALUES ('e1', ?, 'former-1', ?, 'running', 'hand over', '{}', ?, 'session', ?, 1)`,
    args: [ada.id, bo.id, admin.id, home],
  });
  const { db } = world.services;
  let deaths = 0;
  // Each process makes up to three transactions before it dies. Whoever comes next finds what it left.
  for (; (await report("e1")).state !== "done"; deaths++) {
    let left = 1 + (deaths % 3);
    const dying = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "batch") return value.bind(target) as unknown;
        return async (...args: unknown[]) => {
          const isLast = left-- <= 0;
          // Before the transaction, or just after it.
          if (isLast && deaths % 2 === 0) throw new Error("killed");
          const done: unknown = await value.apply(target, args);
          if (isLast) throw new Error("killed");
          return done;
        };
      },
    });
    await runErasure(createServices({ db: dying, replica: dying }, world.services), "e1");
    // It could not say so itself.
    await world.client.execute("UPDATE erasures SET state = 'running' WHERE state = 'failed'");
    if (deaths > 200) throw new Error(`no progress: ${JSON.stringify(await report("e1"))}`);
  }
  expect(deaths).toBeGreaterThan(3);
  const { "removed.api_keys": _, "removed.sessions": __, ...promised } = counts;
  expect((await report("e1")).counts).toMatchObject({ ...promised, "removed.accounts": 1 });
  for (const text of [ada.id, "sundqvist"]) expect(await findText(text)).toEqual([]);
  expect(await sweepErasures(world.services)).toBeUndefined();
});

test("only by an administrator, not of oneself, and to somebody who can have it", async () => {
  expect((await world.call(path(), { as: bo })).status).toBe(403);
  expect((await world.call(`/api/v1/users/${admin.id}/erasure`, { as: admin, json: {} })).status).toBe(403);
  expect((await start({ successor_id: ada.id })).status).toBe(400);
  expect((await start({ successor_id: "nobody" })).status).toBe(400);
  expect((await world.call("/api/v1/users/nobody/erasure", { as: admin })).status).toBe(404);
  expect((await world.call("/api/v1/auths/", { as: ada })).status).toBe(200);
});

test("a legal hold forbids it, also one that is placed while it is under way", async () => {
  await fill();
  const hold = await world.call<{ id: string }>("/api/v1/legal-holds", {
    as: admin,
    json: { kind: "person", target_id: ada.id, reason: "Case 7" },
  });
  expect((await plan()).held).toBe(true);
  expect(await start()).toMatchObject({ status: 409, body: { code: "legal_hold" } });
  await world.call(`/api/v1/legal-holds/${hold.body.id}`, { as: admin, method: "DELETE" });

  const waiting: Promise<unknown>[] = [];
  const { waitUntil } = world.services;
  world.services.waitUntil = (work) => void waiting.push(work.catch(() => undefined));
  await world.db.run(sql`CREATE TRIGGER place_hold AFTER INSERT ON erasures BEGIN
    INSERT INTO legal_holds VALUES ('h', 'organization', ${sql.raw(`'${home}'`)}, 'Case 8', 'x', 1); END`);
  const { body } = await start();
  await Promise.all(waiting);
  world.services.waitUntil = waitUntil;
  expect(await report(body.id)).toMatchObject({ state: "failed", error: "A legal hold was placed" });
  expect(await idsOf(world, "chats")).toHaveLength(3);
  await world.client.batch(["DROP TRIGGER place_hold", "DELETE FROM legal_holds"]);
  const again = await start();
  expect(again).toMatchObject({ status: 200, body: { id: body.id, state: "running" } });
  await world.settled();
  expect(await report(body.id)).toMatchObject({ state: "done", error: null });
});

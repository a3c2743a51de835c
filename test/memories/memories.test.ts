import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../src/db/tables.ts";
import type { MemoryView, OperationResult, PathContent, PathGroups } from "../../src/memories/schema.ts";
import { memories } from "../../src/memories/tables.ts";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { type BaseWorld, createBaseWorld } from "../documents/knowledge/base-world.ts";
import type { Person } from "../world.ts";

let world: BaseWorld;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  world = await createBaseWorld({ environment: { MAX_MEMORIES: "20" } });
});
afterAll(() => world.close());
beforeEach(async () => {
  [ada, bob] = await Promise.all([world.person(), world.person()]);
});

const base = "/api/v1/memories";
const add = (content: unknown, as: Person = ada, more: object = {}) =>
  world.call<MemoryView>(`${base}/add`, { as, json: { content, ...more } });
const list = async (as: Person = ada) => (await world.call<MemoryView[]>(`${base}/`, { as })).body;
const contents = async (as: Person = ada) => (await list(as)).map(({ content }) => content);

describe("memories", () => {
  it("are added, listed, changed and deleted in Open WebUI's shapes", async () => {
    const { status, body: made } = await add("  Sails on Sundays ", ada, { type: "user", path: "people/ada" });
    expect(status).toBe(200);
    expect(made).toEqual({
      id: expect.any(String),
      user_id: ada.id,
      type: "user",
      path: "people/ada",
      content: "Sails on Sundays",
      meta: { created_by: "manual", chat_id: null },
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    await add("Lives in Kiel");
    expect(await contents()).toEqual(["Lives in Kiel", "Sails on Sundays"]);
    expect((await world.call(base, { as: ada })).body).toEqual(await list());

    world.advance(5);
    const changed = await world.call<MemoryView>(`${base}/${made.id}/update`, {
      as: ada,
      json: { content: "Sails on Mondays" },
    });
    expect(changed).toMatchObject({ status: 200, body: { id: made.id, content: "Sails on Mondays" } });
    expect(changed.body.updated_at).toBeGreaterThan(made.updated_at);
    expect(await contents()).toEqual(["Sails on Mondays", "Lives in Kiel"]);

    expect(await world.call(`${base}/${made.id}`, { as: ada, method: "DELETE" })).toMatchObject({
      status: 200,
      body: true,
    });
    expect(await contents()).toEqual(["Lives in Kiel"]);
    expect(await world.call(`${base}/delete/user`, { as: ada, method: "DELETE" })).toMatchObject({
      status: 200,
      body: true,
    });
    expect(await contents()).toEqual([]);
  });

  it("belong to one person: nobody else reads, changes or deletes them", async () => {
    const { body } = await add("Sails on Sundays");
    const admin = await world.admin();
    for (const as of [bob, admin]) {
      expect(await contents(as)).not.toContain("Sails on Sundays");
      const change = { as, json: { content: "x" } };
      expect((await world.call(`${base}/${body.id}/update`, change)).status).toBe(404);
      expect((await world.call(`${base}/${body.id}`, { as, method: "DELETE" })).status).toBe(404);
    }
    await world.call(`${base}/delete/user`, { as: bob, method: "DELETE" });
    expect(await contents()).toEqual(["Sails on Sundays"]);
  });

  it.each([
    ["empty", ""],
    ["blank", "  \n"],
    ["too long", "x".repeat(2001)],
    ["no text", 7],
    ["a NUL", "a\0b"],
  ])("are refused where the text is %s", async (_, content) => {
    expect((await add(content)).status).toBe(422);
    expect(await contents()).toEqual([]);
  });

  it("are refused where the text is no Unicode", async () => {
    const send = (body: BodyInit) =>
      world.call(`${base}/add`, { as: ada, method: "POST", body, headers: { "content-type": "application/json" } });
    expect((await send('{"content":"\\ud800"}')).status).toBe(422);
    expect((await send(Uint8Array.from([...new TextEncoder().encode('{"content":"'), 0xff, 0x22, 0x7d]))).status).toBe(
      400,
    );
  });

  it("are at most as many as the setting says, however many are added at once", async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, (_, at) => add(`Fact ${at}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({ code: "limit_reached" });
    expect(await list()).toHaveLength(20);
    expect((await add("Mine", bob)).status).toBe(200);
  });

  it("cost one round trip each beside the caller's own", async () => {
    await add("Sails on Sundays");
    await world.settled();
    world.roundTrips.reset();
    await list();
    expect(world.roundTrips.count).toBe(2);
    world.roundTrips.reset();
    await add("Lives in Kiel");
    await world.settled();
    // One more looks for vectors that are missing, after the answer.
    expect(world.roundTrips.count).toBe(3);
  });
});

describe("permission", () => {
  it("ends with the setting, the default permissions and the organization's switch", async () => {
    await add("Sails on Sundays");
    const home = await world.organization();
    await world.setOrganization(ada, home);
    await world.db
      .update(organizations)
      .set({ features: { memories: false } })
      .where(eq(organizations.id, home));
    expect((await world.call(`${base}/`, { as: ada })).status).toBe(403);
    expect((await add("Mine")).status).toBe(403);
    await world.db.update(organizations).set({ features: {} }).where(eq(organizations.id, home));
    expect((await world.call(`${base}/`, { as: ada })).status).toBe(200);

    const set = async (name: string, value: unknown) => {
      await world.db
        .insert(settings)
        .values({ name, value, updatedAt: 0 })
        .onConflictDoUpdate({ target: settings.name, set: { value } });
    };
    await set("permissions.default", { features: { memories: false } });
    expect((await world.call(`${base}/`, { as: ada })).status).toBe(403);
    await set("permissions.default", {});
    await set("ENABLE_MEMORIES", false);
    for (const as of [ada, await world.admin()]) expect((await world.call(`${base}/`, { as })).status).toBe(403);
    await set("ENABLE_MEMORIES", true);
    expect(await contents()).toEqual(["Sails on Sundays"]);
  });
});

describe("several at once", () => {
  const update = (operations: object[], as: Person = ada) =>
    world.call<OperationResult[]>(`${base}/update`, { as, json: { operations } });

  it("are added, replaced, moved and removed in order", async () => {
    const [sails, lives, dog] = await Promise.all(
      ["Sails", "Lives", "Has a dog"].map(async (text) => (await add(text)).body),
    );
    const { status, body } = await update([
      { action: "add", content: "Reads", path: "/people//ada/", type: "user" },
      { action: "add", content: "Reads", path: "people/ada", type: "user" },
      { action: "replace", id: sails!.id, content: "Sails on Sundays", path: "harbour" },
      { action: "move", id: lives!.id, path: "people/ada" },
      { action: "remove", id: dog!.id },
    ]);
    expect(status).toBe(200);
    const reads = { type: "user", path: "people/ada", content: "Reads" };
    expect(body).toMatchObject([
      { action: "add", status: "created", memory: reads },
      { action: "add", status: "skipped", reason: "duplicate", memory: { ...reads, id: body[0]!.memory!.id } },
      { action: "replace", status: "updated", memory: { content: "Sails on Sundays", path: "harbour" } },
      { action: "move", status: "updated", memory: { content: "Lives", path: "people/ada" } },
      { action: "remove", status: "deleted", id: dog!.id },
    ]);
    expect((await contents()).toSorted()).toEqual(["Lives", "Reads", "Sails on Sundays"]);
  });

  it("change nothing where one of them is unknown, another person's, or removed before", async () => {
    const { body: own } = await add("Sails");
    const { body: other } = await add("Rows", bob);
    for (const id of [other.id, "none"]) {
      const { status } = await update([
        { action: "add", content: "New" },
        { action: "replace", id: own.id, content: "Changed" },
        { action: "remove", id },
      ]);
      expect(status).toBe(404);
    }
    const remove = { action: "remove", id: own.id };
    expect((await update([remove, { action: "move", id: own.id, path: "x" }])).status).toBe(404);
    expect([await contents(), await contents(bob)]).toEqual([["Sails"], ["Rows"]]);
    expect((await update([])).status).toBe(422);
    expect((await update([{ action: "burn", id: own.id }])).status).toBe(422);
  });

  it("are no more than a person may have, and change nothing above that", async () => {
    const { body } = await add("Sails");
    const adds = Array.from({ length: 20 }, (_, at) => ({ action: "add", content: `Fact ${at}` }));
    expect(await update([...adds, { action: "move", id: body.id, path: "x" }])).toMatchObject({
      status: 409,
      body: { code: "limit_reached" },
    });
    expect((await list()).map(({ content, path }) => [content, path])).toEqual([["Sails", null]]);
    expect((await update([...adds, { action: "remove", id: body.id }])).status).toBe(200);
    expect(await list()).toHaveLength(20);
  });
});

describe("topics", () => {
  const memory = (content: string, path: string | null, type = "context") => add(content, ada, { path, type });
  const ask = async <T>(what: string, json: object) => (await world.call<T>(`${base}/${what}`, { as: ada, json })).body;

  it.each(["a/../b", "./a", "a\nb", "x".repeat(301)])("are refused as %j", async (path) => {
    expect((await memory("Sails", path)).status).toBe(422);
  });

  it("are set, kept and removed by a change", async () => {
    const { body } = await memory("Sails", " harbour / boats ");
    expect(body.path).toBe("harbour / boats");
    const change = async (json: object) =>
      (await world.call<MemoryView>(`${base}/${body.id}/update`, { as: ada, json })).body;
    expect(await change({ content: "Rows" })).toMatchObject({ content: "Rows", path: "harbour / boats" });
    expect(await change({ path: "harbour" })).toMatchObject({ content: "Rows", path: "harbour", type: "context" });
    expect(await change({ type: "user", path: null })).toMatchObject({ path: "harbour", type: "user" });
    expect(await change({ path: "" })).toMatchObject({ path: null });
    expect(await change({})).toMatchObject({ code: "validation_failed" });
  });

  it("are listed, read and searched, the nearest first", async () => {
    await memory("Berth 4", "work/harbour/berths");
    await memory("Opens at six", "work/harbour");
    await memory("Likes tea", null, "user");
    await memory("Starts on Monday", "work");
    await memory("Runs", "sport");
    expect(await ask<PathGroups>("paths", { query: "work" })).toMatchObject({
      count: 3,
      paths: expect.arrayContaining([
        { path: "work", type: "context", count: 1, updated_at: expect.any(Number), children: ["work/harbour"] },
        { path: "work/harbour/berths", type: "context", count: 1, updated_at: expect.any(Number), children: [] },
      ]),
    });
    const read = await ask<PathContent>("path", { path: "work/harbour" });
    expect(read).toMatchObject({ parents: ["work"], children: ["work/harbour/berths"] });
    expect(read.memories.map(({ content }) => content)).toEqual(["Opens at six", "Berth 4", "Starts on Monday"]);
    const own = await ask<PathContent>("path", { path: "work/harbour", include_children: false });
    expect(own.memories.map(({ content }) => content)).toEqual(["Opens at six", "Starts on Monday"]);
    const found = await ask<MemoryView[]>("search", { path: "work/harbour", limit: 2 });
    expect(found.map(({ content }) => content)).toEqual(["Opens at six", "Berth 4"]);
    expect(await ask<MemoryView[]>("search", { query: "TEA", type: "user" })).toMatchObject([{ content: "Likes tea" }]);
    expect(await ask<MemoryView[]>("search", { query: "tea", type: "context" })).toEqual([]);
    expect(await world.call(`${base}/path`, { as: ada, json: { path: "//" } })).toMatchObject({ status: 422 });
  });
});

describe("what else knows of them", () => {
  it("is the audit log, without their words", async () => {
    const { body } = await add("Sails on Sundays");
    await world.call(`${base}/${body.id}`, { as: ada, method: "DELETE" });
    const rows = await world.db.select().from(auditEvents).where(eq(auditEvents.actorId, ada.id));
    expect(rows.map(({ action }) => action)).toEqual(["memory.created", "memory.deleted"]);
    expect(JSON.stringify(rows)).not.toContain("Sails");
  });

  it("is a legal hold, which keeps them", async () => {
    const { body } = await add("Sails on Sundays");
    const admin = await world.admin();
    const held = await world.call("/api/v1/legal-holds", {
      as: admin,
      json: { kind: "person", target_id: ada.id, name: "Case 1", reason: "Case 1" },
    });
    expect([held.status, held.body]).toEqual([200, held.body]);
    expect(await world.call(`${base}/${body.id}`, { as: ada, method: "DELETE" })).toMatchObject({
      body: { code: "legal_hold" },
    });
    expect(await world.call(`${base}/delete/user`, { as: ada, method: "DELETE" })).toMatchObject({
      body: { code: "legal_hold" },
    });
    expect(await contents()).toEqual(["Sails on Sundays"]);
  });

  it("is nobody after the account is deleted", async () => {
    await add("Sails on Sundays");
    const admin = await world.admin();
    expect((await world.call(`/api/v1/users/${ada.id}`, { as: admin, method: "DELETE" })).status).toBe(200);
    expect(await world.db.select().from(memories).where(eq(memories.userId, ada.id))).toEqual([]);
  });
});

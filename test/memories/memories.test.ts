import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../src/db/tables.ts";
import type { MemoryView } from "../../src/memories/schema.ts";
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
      type: "context",
      path: null,
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

import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settings } from "../../src/db/tables.ts";
import { newId } from "../../src/lib/id.ts";
import { grants } from "../../src/people/grants/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { adderTools, echoPipe } from "./sources.ts";

type Body = Record<string, unknown>;

let world: World;
let admin: Person;
let writer: Person;
let reader: Person;
let stranger: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  [writer, reader, stranger] = await Promise.all([world.person(), world.person(), world.person()]);
  await world.db.insert(settings).values({
    name: "permissions.default",
    value: { workspace: { tools: true }, sharing: { tools: true } },
    updatedAt: world.services.now(),
  });
});
afterAll(() => world.close());

const base = "/api/v1/tools";
let next = 0;
const post = <T = Body>(id: string, what: string, json: unknown, as: Person = writer) =>
  world.call<T>(`${base}/id/${id}/${what}`, { as, json });
const get = <T = Body>(path: string, as: Person = writer) => world.call<T>(`${base}${path}`, { as });

async function make(more: Body = {}, as: Person = writer): Promise<string> {
  const id = `tool_${next++}`;
  const { status, body } = await world.call(`${base}/create`, {
    as,
    json: { id, name: "Adder", content: adderTools, meta: {}, ...more },
  });
  expect([status, body]).toEqual([200, body]);
  return id;
}
const share = (person: Person, permission: "read" | "write" = "read") => ({
  access_grants: [{ principal_type: "user", principal_id: person.id, permission }],
});

async function withoutPermission(work: () => Promise<void>): Promise<void> {
  const isDefault = eq(settings.name, "permissions.default");
  const set = (tools: boolean) =>
    world.db
      .update(settings)
      .set({ value: { workspace: { tools }, sharing: { tools: true } } })
      .where(isDefault);
  await set(false);
  try {
    await work();
  } finally {
    await set(true);
  }
}

describe("a tool", () => {
  test("has a specification of each of its functions, and is its owner's alone", async () => {
    const id = await make();
    const { body } = await get(`/id/${id}`);
    expect(body).toMatchObject({
      id,
      user_id: writer.id,
      name: "Adder",
      content: adderTools,
      meta: { description: "Adds numbers", manifest: { title: "Adder" }, has_user_valves: true },
      write_access: true,
      access_grants: [],
      kind: "plugin",
      connection: null,
      has_valves: true,
      version: 1,
    });
    expect((body["specs"] as Body[]).map((spec) => spec["name"])).toEqual(["add", "ask", "fail"]);
    expect((body["specs"] as Body[])[0]).toMatchObject({
      description: "Adds two numbers.",
      parameters: { properties: { a: { type: "number", description: "the first" } }, required: ["a", "b"] },
    });
    expect((await get(`/id/${id}`, stranger)).status).toBe(404);
    expect((await get(`/id/${id}`, admin)).body).toMatchObject({ content: adderTools, write_access: true });
  });

  test("is shown by whom it is shared with, source only to those who may change it", async () => {
    const id = await make(share(reader));
    const shown = await get(`/id/${id}`, reader);
    expect(shown.body).toMatchObject({ name: "Adder", write_access: false, access_grants: [] });
    expect(shown.body).not.toHaveProperty("content");
    for (const path of ["valves", "valves/spec", "versions", "versions/1"])
      expect([path, (await get(`/id/${id}/${path}`, reader)).status]).toEqual([path, 403]);
    for (const [what, json] of [
      ["update", { name: "x" }],
      ["valves/update", { unit: "x" }],
      ["access/update", share(stranger)],
      ["try", { method: "add", args: {} }],
    ] as const)
      expect([what, (await post(id, what, json, reader)).status]).toEqual([what, 403]);
    expect((await world.call(`${base}/id/${id}/delete`, { method: "DELETE", as: reader })).status).toBe(403);
    expect((await post(id, "valves/user/update", { name: "Ada" }, reader)).body).toEqual({ name: "Ada" });
    expect((await get(`/id/${id}/valves/user`, stranger)).status).toBe(404);

    expect((await post(id, "access/update", share(reader, "write"))).status).toBe(200);
    expect((await get(`/id/${id}`, reader)).body).toMatchObject({ content: adderTools, write_access: true });
    expect((await post(id, "update", { name: "Theirs too" }, reader)).body["name"]).toBe("Theirs too");
    expect((await get(`/id/${id}`)).body["user_id"]).toBe(writer.id);
  });

  test("stands in the lists of those who may use it", async () => {
    const id = await make(share(reader));
    const ids = async (path: string, as: Person) => (await get<Body[]>(path, as)).body.map((item) => item["id"]);
    for (const path of ["", "/", "/list"]) {
      expect(await ids(path, reader)).toContain(id);
      expect(await ids(path, stranger)).not.toContain(id);
    }
    const shown = (await get<Body[]>("/list", reader)).body.find((item) => item["id"] === id)!;
    expect(shown).not.toHaveProperty("content");
  });

  test("is made and rewritten only by those who may write tools", async () => {
    const id = await make();
    await withoutPermission(async () => {
      const refused = await world.call(`${base}/create`, {
        as: writer,
        json: { id: "n", name: "n", content: adderTools },
      });
      expect([refused.status, refused.body["code"]]).toEqual([403, "forbidden"]);
      expect((await post(id, "update", { content: `${adderTools}\n` })).status).toBe(403);
      expect((await post(id, "update", { content: adderTools, name: "Same" })).status).toBe(200);
      expect((await post(id, "try", { content: `${adderTools}\n`, method: "fail" })).status).toBe(403);
      expect((await get("/export")).status).toBe(403);
      expect((await world.call(`${base}/check`, { as: writer, json: { content: adderTools } })).status).toBe(403);
    });
  });

  test("is shared only as its sharer may share", async () => {
    const id = await make();
    const publicly = { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] };
    const refused = await post(id, "access/update", publicly);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining("sharing.public_tools"),
    ]);
    expect((await post(id, "access/update", publicly, admin)).status).toBe(200);
    expect((await post(id, "access/update", share({ ...reader, id: newId() }))).status).toBe(422);
    // The older shape: null is everyone, {} nobody else.
    expect((await post(id, "access/update", { access_control: {} })).body["access_grants"]).toEqual([]);
  });

  test("gets hosts from those who manage its organization, and nobody else", async () => {
    const refused = await world.call(`${base}/create`, {
      as: writer,
      json: { id: "networked", name: "n", content: adderTools, hosts: ["a.example"] },
    });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining("a.example")]);
    const id = await make();
    expect((await post(id, "update", { hosts: ["a.example", "b.example"] }, admin)).status).toBe(200);
    expect((await post(id, "update", { hosts: ["a.example", "c.example"] })).status).toBe(403);
    expect((await post(id, "update", { hosts: ["a.example"] })).body["hosts"]).toEqual(["a.example"]);
    const manager = await world.person();
    await world.db.update(users).set({ organizationRole: "admin" }).where(eq(users.id, manager.id));
    await post(id, "access/update", share(manager, "write"));
    expect((await post(id, "update", { hosts: ["a.example", "d.example"] }, manager)).status).toBe(200);
    const elsewhere = newId();
    const now = world.services.now();
    await world.db
      .insert(organizations)
      .values({ id: elsewhere, name: "Elsewhere", features: {}, createdAt: now, updatedAt: now });
    await world.db.update(users).set({ organizationId: elsewhere }).where(eq(users.id, manager.id));
    expect((await post(id, "update", { hosts: ["e.example"] }, manager)).status).toBe(403);
  });

  test("takes no grant with it when a change of it is refused", async () => {
    const id = await make(share(reader));
    const change = (text: string) =>
      post(id, "update", { content: `${adderTools}// ${text}\n`, version: 1, ...share(stranger) });
    const answers = await Promise.all([change("a"), change("b")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await post(id, "update", { content: adderTools, version: 1, ...share(reader) })).status).toBe(409);
    const rows = await world.db.select().from(grants).where(eq(grants.resourceId, id));
    expect(rows.map((row) => row.principalId)).toEqual([stranger.id]);
  });

  test("leaves no grant to whoever takes its id next", async () => {
    const id = await make(share(reader));
    expect((await world.call(`${base}/id/${id}/delete`, { method: "DELETE", as: writer })).status).toBe(200);
    expect(await world.db.select().from(grants).where(eq(grants.resourceId, id))).toEqual([]);
    expect((await get(`/id/${id}`, reader)).status).toBe(404);
    const again = await world.call(`${base}/create`, { as: stranger, json: { id, name: "New", content: adderTools } });
    expect(again.status).toBe(200);
    expect((await get(`/id/${id}`, reader)).status).toBe(404);
  });

  test("has an id of its own, apart from functions", async () => {
    const json = { id: "same_name", name: "x" };
    const made = [
      await world.call("/api/v1/functions/create", { as: admin, json: { ...json, content: echoPipe } }),
      await world.call(`${base}/create`, { as: writer, json: { ...json, content: adderTools } }),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    const taken = await world.call(`${base}/create`, { as: stranger, json: { ...json, content: adderTools } });
    expect([taken.status, JSON.stringify(taken.body)]).toEqual([400, expect.not.stringContaining(writer.id)]);
    const wrong = await world.call(`${base}/create`, { as: writer, json: { ...json, id: "pipe", content: echoPipe } });
    expect([wrong.status, wrong.body["code"]]).toEqual([400, "plugin_invalid"]);
  });
});

describe("check", () => {
  test("tells what a source is and stores nothing", async () => {
    const { status, body } = await world.call(`${base}/check`, { as: writer, json: { content: adderTools } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      type: "tools",
      language: "javascript",
      manifest: { title: "Adder" },
      valves_schema: { properties: { unit: {} } },
      user_valves_schema: { properties: { name: {} } },
      problems: [],
    });
  });

  test("tells what is wrong with it and where", async () => {
    const broken = await world.call<{ problems: Body[] }>(`${base}/check`, {
      as: writer,
      json: { content: "export class Tools {\n  a( {\n}" },
    });
    expect(broken.body).toMatchObject({ ok: false, type: null, specs: [], valves_schema: null });
    expect(broken.body.problems[0]).toMatchObject({ severity: "error", line: 3 });
    const other = await world.call<{ problems: Body[] }>(`${base}/check`, { as: writer, json: { content: echoPipe } });
    expect(other.body).toMatchObject({ ok: false });
    expect(other.body.problems[0]!["message"]).toMatch(/pipe/);
  });
});

describe("try", () => {
  test("calls a function with its values and tells what it said", async () => {
    const id = await make();
    await post(id, "valves/update", { unit: "pears" });
    await post(id, "valves/user/update", { name: "Ada" });
    const { status, body } = await post(id, "try", { method: "add", args: { a: 1, b: 2 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      value: "3 pears for Ada",
      error: null,
      logs: [{ level: "info", text: "adding 1 2" }],
      events: [{ type: "status", data: { description: "adding", done: true } }],
    });
    expect(body["duration_ms"]).toBeGreaterThanOrEqual(0);
    expect(world.live.published).toEqual([]);
  });

  test("takes a source and valves that are not stored", async () => {
    const id = await make();
    const content = adderTools.replace("a + b", "a * b");
    const trial = { content, method: "add", args: { a: 3, b: 4 }, valves: { unit: "plums" } };
    expect((await post(id, "try", trial)).body["value"]).toBe("12 plums for nobody");
    expect((await get(`/id/${id}`)).body).toMatchObject({ version: 1, content: adderTools });
    expect((await get(`/id/${id}/valves`)).body).toEqual({});
    expect((await post(id, "try", { ...trial, content: "export class Tools {" })).body["code"]).toBe("plugin_invalid");
    expect((await post(id, "try", { ...trial, content: echoPipe })).body["code"]).toBe("plugin_invalid");
    expect((await post(id, "try", { ...trial, valves: { unit: 5 } })).status).toBe(422);
  });

  test("answers its questions, or says that nobody does", async () => {
    const id = await make();
    const question = { type: "confirmation", data: { title: "Sure?", message: "Really" } };
    expect((await post(id, "try", { method: "ask", answers: [true] })).body).toMatchObject({
      value: "went on",
      events: [question],
    });
    expect((await post(id, "try", { method: "ask", answers: [false] })).body["value"]).toBe("stopped");
    const refused = await post(id, "try", { method: "ask" });
    expect(refused.body).toMatchObject({ ok: false, events: [question], error: { code: "threw" } });
  });

  test("reads as the caller, and leaves nothing behind", async () => {
    const content = `export class Tools {
      async look(__service__: any): Promise<unknown> {
        const me = await __service__.getUser();
        const refused = await __service__.createFile({ name: "a.txt", content: "x" }).catch((error: Error) => error.message);
        return { name: me.name, refused };
      }
      async speak(__event_emitter__: any): Promise<string> {
        return __event_emitter__({ type: "status", data: { description: 5 } }).then(() => "sent", (error: Error) => error.message);
      }
    }`;
    const id = await make({ content });
    const { body } = await post<{ value: Body }>(id, "try", { method: "look" });
    expect(body.value).toMatchObject({ name: writer.name, refused: expect.stringContaining("test run") });
    const spoken = await post(id, "try", { method: "speak" });
    expect(spoken.body).toMatchObject({ value: expect.stringContaining("description"), events: [{ type: "status" }] });
    expect(world.live.published).toEqual([]);
  });

  test("tells of failures as values", async () => {
    const id = await make();
    expect((await post(id, "try", { method: "fail" })).body).toMatchObject({
      ok: false,
      value: null,
      error: { code: "threw", name: "Error", message: "no such luck" },
    });
    expect((await post(id, "try", { method: "nothing" })).body).toMatchObject({
      ok: false,
      error: { code: "missing" },
    });
    expect((await post("unknown", "try", { method: "fail" })).status).toBe(404);
    expect((await post(id, "try", { args: {} })).status).toBe(422);
  });
});

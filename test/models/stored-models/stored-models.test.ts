import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { modelChange, type StoredModelView } from "../../../src/models/stored-models/schema.ts";
import { changeModel, deleteModel, toggleModel } from "../../../src/models/stored-models/stored-models.ts";
import { storedModels } from "../../../src/models/stored-models/tables.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { grants } from "../../../src/people/grants/tables.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { listing, startProvider, type Provider } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";
import { personWith } from "./person-with.ts";

interface Problem {
  code: string;
  detail: string;
  issues?: { path: string }[];
}

const base = "/api/v1/models";
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let world: World;
let provider: Provider;
let admin: Person;
let author: Person;
let reader: Person;
beforeEach(async () => {
  provider = await startProvider(listing("tide", "ebb"));
  world = await createWorld();
  admin = await world.admin();
  author = await personWith(world, { workspace: { models: true }, sharing: { models: true } });
  reader = await world.person();
  await storeConnection(world, { base_url: provider.origin });
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

const post = (path: string, as: Person, json: unknown) =>
  world.call<StoredModelView & Problem>(`${base}${path}`, { as, json });
const create = (as: Person, values: Record<string, unknown> = {}) =>
  post("/create", as, { id: "pilot", base_model_id: "tide", name: "Pilot", ...values });
const get = (as: Person, id = "pilot") =>
  world.call<StoredModelView & Problem>(`${base}/model?id=${encodeURIComponent(id)}`, { as });
const listed = async (as: Person) => (await world.call<{ data: ModelEntry[] }>("/api/models", { as })).body.data;
const read = (id: string, type = "user") => ({ principal_type: type, principal_id: id, permission: "read" });
const write = (id: string) => ({ ...read(id), permission: "write" });

describe("making a model", () => {
  test("answers with the model, lists it, and leaves an audit entry", async () => {
    const { status, body } = await create(author, {
      meta: { description: "Knows the harbour", tags: [{ name: "sea" }], capabilities: { vision: true } },
      params: { system: "You are a pilot.", temperature: 0.3 },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: "pilot",
      user_id: author.id,
      base_model_id: "tide",
      name: "Pilot",
      meta: { description: "Knows the harbour", capabilities: { vision: true } },
      params: { system: "You are a pilot.", temperature: 0.3 },
      access_grants: [],
      is_active: true,
      write_access: true,
    });
    const entry = (await listed(author)).find((model) => model.id === "pilot")!;
    expect(entry).toMatchObject({
      name: "Pilot",
      preset: true,
      owned_by: "harbour",
      tags: [{ name: "sea" }],
      info: { base_model_id: "tide", user_id: author.id, meta: { description: "Knows the harbour" }, is_active: true },
    });
    expect(JSON.stringify(entry)).not.toContain("You are a pilot");
    expect(entry.info).not.toHaveProperty("params");
    expect(await world.db.select().from(auditEvents)).toMatchObject([
      { action: "model.created", targetId: "pilot", actorId: author.id },
    ]);
  });

  test("needs the permission", async () => {
    expect(await create(reader)).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail: expect.stringContaining("workspace.models") },
    });
    expect(await world.db.select().from(storedModels)).toEqual([]);
  });

  test("with an id that is taken is a conflict, however fast it comes", async () => {
    const answers = await Promise.all([create(author), create(admin), create(author), create(admin)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect(await create(author)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await world.db.select().from(auditEvents)).length).toBe(1);
  });

  test("cannot take the place of a provider's model", async () => {
    await listed(author);
    expect(await create(author, { id: "ebb" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("has a model with the id ebb") },
    });
    expect(await create(admin, { id: "ebb" })).toMatchObject({ status: 409 });
  });

  test.each([
    [{ id: "x".repeat(257) }, "id"],
    [{ id: "  " }, "id"],
    [{ id: "a\u0000b" }, "id"],
    [{ name: "" }, "name"],
    [{ name: "two\nlines" }, "name"],
    [{ base_model_id: "pilot" }, "base_model_id"],
    [{ base_model_id: "sunk" }, "base_model_id"],
    [{ meta: { profile_image_url: "data:image/svg+xml;base64,PHN2Zy8+" } }, "meta.profile_image_url"],
    [{ meta: { profile_image_url: "javascript:alert(1)" } }, "meta.profile_image_url"],
    [{ meta: { notes: "x".repeat(130_000) } }, "meta"],
    [{ params: { notes: "x".repeat(130_000) } }, "params"],
    [{ params: { system: 5 } }, "params.system"],
    [
      { access_grants: [{ principal_type: "anyone", principal_id: "*", permission: "read" }] },
      "access_grants.0.principal_type",
    ],
    [{ access_grants: [{ principal_type: "group", principal_id: "*", permission: "read" }] }, "access_grants.0"],
    [{ access_grants: [read("nobody")] }, "access_grants"],
  ])("refuses %o", async (values, path) => {
    const { status, body } = await create(author, values);
    expect({ status, path: body.issues?.[0]?.path }).toEqual({ status: 422, path });
    expect(await world.db.select().from(storedModels)).toEqual([]);
  });

  test("on a made model is refused, so there are no chains", async () => {
    await create(author);
    expect(await create(author, { id: "second", base_model_id: "pilot" })).toMatchObject({ status: 422 });
  });

  test("on a base that is not there now is for administrators: its provider may be down", async () => {
    expect((await create(admin, { base_model_id: "tomorrow" })).status).toBe(200);
    expect((await listed(admin)).map((model) => model.id)).toEqual(["tide", "ebb"]);
    provider.behave(listing("tomorrow"));
    await world.call("/api/models?refresh=1", { as: admin });
    expect((await listed(admin)).map((model) => model.id)).toEqual(["tomorrow", "pilot"]);
  });
});

describe("what administrators say of a provider's model", () => {
  test("changes its name and description, and nobody else may say it", async () => {
    expect(await create(author, { id: "tide", base_model_id: null })).toMatchObject({ status: 403 });
    expect(
      (await create(admin, { id: "tide", base_model_id: null, name: "The tide", meta: { description: "In and out" } }))
        .status,
    ).toBe(200);
    const entry = (await listed(reader)).find((model) => model.id === "tide")!;
    expect(entry).toMatchObject({
      name: "The tide",
      info: { meta: { description: "In and out" } },
      openai: { id: "tide" },
    });
    expect(entry).not.toHaveProperty("preset");
    expect((await world.call<StoredModelView[]>(`${base}/base`, { as: admin })).body).toMatchObject([
      { id: "tide", base_model_id: null },
    ]);
    expect((await world.call(`${base}/base`, { as: author })).status).toBe(403);
  });

  test("is made by giving access to a model of which nothing is stored", async () => {
    const { status, body } = await post("/model/access/update", admin, { id: "ebb", access_grants: [read(author.id)] });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id: "ebb", base_model_id: null, access_grants: [{ principal_id: author.id, permission: "read" }] },
    });
    expect((await listed(reader)).map((model) => model.id)).toEqual(["tide"]);
    expect((await listed(author)).map((model) => model.id)).toEqual(["tide", "ebb"]);
    expect((await post("/model/access/update", author, { id: "tide", access_grants: [] })).status).toBe(404);
  });

  test("all models with what is said of them, hidden and switched off ones too, are listed for administrators", async () => {
    await create(admin, { id: "tide", base_model_id: null, name: "Tide", is_active: false });
    await create(admin, { id: "ebb", base_model_id: null, name: "Ebb", meta: { hidden: true } });
    const { body } = await world.call<{ data: ModelEntry[] }>("/api/models/base", { as: admin });
    expect(body.data).toMatchObject([
      { id: "tide", info: { is_active: false } },
      { id: "ebb", info: { meta: { hidden: true } } },
    ]);
    expect((await world.call("/api/models/base", { as: author })).status).toBe(403);
  });
});

describe("changing a model", () => {
  test("changes what is named only; meta and params are taken whole", async () => {
    await create(author, {
      meta: { description: "old", tags: ["sea"] },
      params: { system: "Old", top_p: 0.5 },
      access_grants: [read(reader.id)],
    });
    const { body } = await post("/model/update", author, {
      id: "pilot",
      name: "Harbour pilot",
      params: { system: "New" },
    });
    expect(body).toMatchObject({
      name: "Harbour pilot",
      base_model_id: "tide",
      meta: { description: "old", tags: ["sea"] },
      access_grants: [{ principal_id: reader.id }],
    });
    expect(body.params).toEqual({ system: "New" });
    const whole = await post("/model/update", author, { ...body, meta: { description: "new" }, access_grants: [] });
    expect(whole.body).toMatchObject({ meta: { description: "new" }, params: { system: "New" }, access_grants: [] });
    expect((await get(reader)).status).toBe(404);
  });

  test("is for the owner, for those with a write grant, and for administrators; readers get 403 and others 404", async () => {
    const editor = await world.person();
    await create(author, { access_grants: [read(reader.id), write(editor.id)] });
    const stranger = await world.person();
    const tries: [Person, number][] = [
      [author, 200],
      [editor, 200],
      [admin, 200],
      [reader, 403],
      [stranger, 404],
    ];
    for (const [person, expected] of tries) {
      expect((await post("/model/update", person, { id: "pilot", name: "Name" })).status).toBe(expected);
      expect(
        (
          await post("/model/access/update", person, {
            id: "pilot",
            access_grants: [read(reader.id), write(editor.id)],
          })
        ).status,
      ).toBe(expected);
      expect((await world.call(`${base}/model/toggle?id=pilot`, { as: person, method: "POST" })).status).toBe(expected);
    }
    expect((await post("/model/delete", reader, { id: "pilot" })).status).toBe(403);
    expect((await post("/model/delete", stranger, { id: "pilot" })).status).toBe(404);
    expect((await post("/model/delete", editor, { id: "pilot" })).status).toBe(200);
    expect((await post("/model/update", author, { id: "pilot", name: "Name" })).status).toBe(404);
  });

  test("shows the system prompt and the grants to those who may change it only", async () => {
    await create(author, { params: { system: "Confidential" }, access_grants: [read(reader.id)] });
    expect((await get(author)).body).toMatchObject({
      params: { system: "Confidential" },
      write_access: true,
      access_grants: [{ principal_id: reader.id }],
    });
    expect((await get(reader)).body).toMatchObject({ params: {}, write_access: false, access_grants: [] });
  });

  test("puts it on another base only for its owner and administrators, and only on one that they may use", async () => {
    const editor = await world.person();
    await create(admin, { access_grants: [write(editor.id)] });
    expect(
      (await post("/model/update", editor, { id: "pilot", base_model_id: "tide", name: "Same base" })).status,
    ).toBe(200);
    expect((await post("/model/update", editor, { id: "pilot", base_model_id: "ebb" })).status).toBe(403);
    expect((await post("/model/update", editor, { id: "pilot", base_model_id: null })).status).toBe(403);
    await create(author, { id: "own" });
    expect((await post("/model/update", author, { id: "own", base_model_id: "ebb" })).body.base_model_id).toBe("ebb");
    expect((await post("/model/update", author, { id: "own", base_model_id: "sunk" })).status).toBe(422);
    expect((await post("/model/update", author, { id: "own", base_model_id: null })).status).toBe(403);
  });

  test("keeps all of several changes that come at once, and every toggle counts", async () => {
    await create(author);
    await Promise.all([
      post("/model/update", author, { id: "pilot", name: "Renamed" }),
      post("/model/update", admin, { id: "pilot", params: { top_p: 0.1 } }),
      post("/model/access/update", author, { id: "pilot", access_grants: [read(reader.id)] }),
      ...Array.from({ length: 3 }, () => world.call(`${base}/model/toggle?id=pilot`, { as: author, method: "POST" })),
    ]);
    expect((await get(author)).body).toMatchObject({
      name: "Renamed",
      params: { top_p: 0.1 },
      access_grants: [{ principal_id: reader.id }],
      is_active: false,
    });
  });

  test("is not written over by those who edited an older one, and nothing of their change stays", async () => {
    await create(author, { access_grants: [] });
    const { updated_at: since } = (await get(author)).body;
    const answers = await Promise.all(
      ["One", "Other"].map((name) =>
        post("/model/update", author, {
          id: "pilot",
          name,
          meta: { description: name, profile_image_url: pixel },
          access_grants: [read(reader.id)],
          if_unmodified_since: since,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const saved = answers.find(({ status }) => status === 200)!.body;
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ code: "conflict" });
    expect((await get(author)).body).toMatchObject({ name: saved.name, meta: { description: saved.name } });

    const late = { id: "pilot", meta: { profile_image_url: null }, access_grants: [], if_unmodified_since: since };
    expect((await post("/model/update", author, late)).status).toBe(409);
    expect((await get(author)).body).toEqual(saved);
    const again = { ...late, if_unmodified_since: saved.updated_at };
    expect((await post("/model/update", author, again)).body).toMatchObject({ access_grants: [] });
    expect((await post("/model/update", author, { ...again, id: "unknown" })).status).toBe(404);
    const details = (await world.db.select().from(auditEvents))
      .filter(({ action }) => action === "model.updated")
      .map(({ detail }) => (detail as { fields: string[] }).fields);
    expect(details).toEqual([
      ["name", "meta", "access_grants"],
      ["meta", "access_grants"],
    ]);
  });

  test("is on or off as the body of the toggle says, however often", async () => {
    await create(author);
    for (const wanted of [true, false, false, true])
      expect((await post("/model/toggle?id=pilot", author, { is_active: wanted })).body).toMatchObject({
        is_active: wanted,
      });
    expect((await post("/model/toggle?id=pilot", author, { is_active: 1 })).status).toBe(422);
    expect((await post("/model/toggle?id=pilot", author, {})).body).toMatchObject({ is_active: false });
  });

  test("that was deleted meanwhile leaves nothing behind for whoever takes the id next", async () => {
    await create(author);
    await listed(author);
    // A request that has read the model already when another one deletes it.
    const early = await contextFor(world, author);
    expect((await post("/model/delete", author, { id: "pilot" })).status).toBe(200);
    const change = { id: "pilot", meta: { profile_image_url: pixel }, access_grants: [read(reader.id)] } as const;
    await expect(changeModel(early, modelChange.parse(change))).rejects.toMatchObject({ code: "not_found" });
    await expect(toggleModel(early, "pilot")).rejects.toMatchObject({ code: "not_found" });
    await expect(deleteModel(early, "pilot")).rejects.toMatchObject({ code: "not_found" });
    expect(await world.db.select().from(grants)).toEqual([]);
    expect((await world.client.execute("SELECT * FROM model_pictures")).rows).toEqual([]);
    const audit = await world.db.select({ action: auditEvents.action }).from(auditEvents);
    expect(audit.map((event) => event.action)).toEqual(["model.created", "model.deleted"]);
  });
});

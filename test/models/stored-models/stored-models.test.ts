import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditEvents } from "../../../src/audit/tables.ts";
import { grants } from "../../../src/grants/tables.ts";
import { groupMembers, groups } from "../../../src/identity/groups/tables.ts";
import type { PartialPermissions } from "../../../src/identity/permissions.ts";
import { newId } from "../../../src/lib/id.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { StoredModelView } from "../../../src/models/stored-models/schema.ts";
import { storedModels } from "../../../src/models/stored-models/tables.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { listing, startProvider, type Provider } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

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
  author = await personWith({ workspace: { models: true }, sharing: { models: true } });
  reader = await world.person();
  await storeConnection(world, { base_url: provider.origin });
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

async function personWith(permissions: PartialPermissions): Promise<Person> {
  const person = await world.person();
  const groupId = newId();
  await world.db.batch([
    world.db
      .insert(groups)
      .values({
        id: groupId,
        organizationId: defaultOrganizationId,
        name: "Group",
        permissions,
        createdAt: 1,
        updatedAt: 1,
      }),
    world.db.insert(groupMembers).values({ groupId, userId: person.id, createdAt: 1 }),
  ]);
  return person;
}

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

  test("while it is deleted leaves nothing behind for whoever takes the id next", async () => {
    await create(author);
    await Promise.all([
      post("/model/delete", author, { id: "pilot" }),
      ...Array.from({ length: 4 }, () =>
        post("/model/update", author, {
          id: "pilot",
          meta: { profile_image_url: pixel },
          access_grants: [read(reader.id)],
        }),
      ),
    ]);
    expect((await get(author)).status).toBe(404);
    expect(await world.db.select().from(grants)).toEqual([]);
    expect((await world.client.execute("SELECT * FROM model_pictures")).rows).toEqual([]);
  });
});

describe("sharing a model", () => {
  test("says which permission is missing instead of dropping what may not be given", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [read("*"), "sharing.public_models"],
      [read(reader.id), "sharing.models"],
      [read("some-group", "group"), "sharing.models"],
    ];
    const maker = await personWith({ workspace: { models: true } });
    for (const [grant, permission] of cases) {
      expect(await create(maker, { access_grants: [grant] })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining(permission) },
      });
    }
    expect(await world.db.select().from(storedModels)).toEqual([]);
    expect((await create(author, { access_grants: [read("*")] })).status).toBe(403);
    expect((await create(author, { access_grants: [read(reader.id)] })).status).toBe(200);
    expect((await create(admin, { id: "public", access_grants: [read("*")] })).status).toBe(200);
  });

  test("lets grants stand that someone else gave", async () => {
    await create(author);
    await post("/model/access/update", admin, { id: "pilot", access_grants: [read("*")] });
    expect((await post("/model/update", author, { id: "pilot", name: "New", access_grants: [read("*")] })).status).toBe(
      200,
    );
    expect((await post("/model/update", author, { id: "pilot", access_grants: [read("*"), write("*")] })).status).toBe(
      403,
    );
    expect((await get(author)).body.access_grants).toMatchObject([read("*")]);
  });

  test("reaches people and groups of one's own organization only; others do not exist", async () => {
    const quay = newId();
    await world.client.execute({
      sql: "INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at) VALUES (?, 'Quay', 1, 0, '{}', 1, 1)",
      args: [quay],
    });
    const other = await world.person({ organizationId: quay });
    for (const grant of [read(other.id), read(quay, "organization")]) {
      expect(await create(author, { access_grants: [grant] })).toMatchObject({
        status: 422,
        body: { detail: expect.stringContaining("There is no") },
      });
      expect((await create(admin, { id: newId(), access_grants: [grant] })).status).toBe(200);
    }
    expect(
      (await create(author, { id: "home", access_grants: [read(defaultOrganizationId, "organization")] })).status,
    ).toBe(200);
  });

  test("takes the peer's older shape", async () => {
    expect((await create(admin, { access_control: null })).body.access_grants).toMatchObject([read("*")]);
    expect((await create(admin, { id: "two", access_control: {} })).body.access_grants).toEqual([]);
    const { body } = await create(admin, {
      id: "three",
      access_control: { read: { user_ids: [reader.id], group_ids: [] }, write: { user_ids: [author.id] } },
    });
    expect(body.access_grants).toMatchObject([read(reader.id), write(author.id)]);
  });

  test("counts a grant that is named twice once, and ends with the person", async () => {
    const { body } = await create(admin, { access_grants: [read(reader.id), read(reader.id)] });
    expect(body.access_grants).toHaveLength(1);
    await world.client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [reader.id] });
    expect((await get(admin)).body.access_grants).toEqual([]);
  });
});

describe("pictures", () => {
  test("are served by address and never stand in a list or an answer", async () => {
    const { body } = await create(author, { meta: { profile_image_url: pixel } });
    const address = body.meta.profile_image_url as string;
    expect(address).toMatch(/^\/api\/v1\/models\/model\/profile\/image\?id=pilot&v=\d+$/);
    for (const path of ["/api/models", `${base}/list`, `${base}/model?id=pilot`]) {
      const text = await (await world.request(path, { as: author })).text();
      expect(text).toContain("/model/profile/image?id=pilot");
      expect(text).not.toContain("data:image");
    }
    const response = await world.request(address, { as: author });
    expect(response.headers.get("content-type")).toBe("image/png");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(new Uint8Array(await response.arrayBuffer()).slice(0, 4)).toEqual(new Uint8Array([0x89, 0x50, 0x4e, 0x47]));
    expect((await world.call(address, { as: reader })).status).toBe(404);
    expect((await world.call(address)).status).toBe(401);
  });

  test("stay while their address comes back, change their address with the picture, and go when none is named", async () => {
    const { body } = await create(author, { meta: { profile_image_url: pixel, description: "x" } });
    const kept = await post("/model/update", author, { id: "pilot", meta: { ...body.meta, description: "y" } });
    expect(kept.body.meta.profile_image_url).toMatch(/image\?id=pilot/);
    expect(kept.body.meta.profile_image_url).not.toBe(body.meta.profile_image_url);
    const gone = await post("/model/update", author, { id: "pilot", meta: { description: "z" } });
    expect(gone.body.meta).toEqual({ description: "z" });
    const response = await world.request(`${base}/model/profile/image?id=pilot`, { as: author });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/favicon.svg"]);
  });

  test("elsewhere are pointed to", async () => {
    await create(author, { meta: { profile_image_url: "https://pictures.example/pilot.png" } });
    const response = await world.request(`${base}/model/profile/image?id=pilot`, { as: author });
    expect([response.status, response.headers.get("location")]).toEqual([302, "https://pictures.example/pilot.png"]);
  });
});

describe("lists of made models", () => {
  const page = async (as: Person, query = "") =>
    (await world.call<{ items: StoredModelView[]; total: number }>(`${base}/list${query}`, { as })).body;

  test("have what the caller may see, searched, sorted and in pages", async () => {
    for (let index = 0; index < 32; index++)
      await create(author, {
        id: `boat-${String(index).padStart(2, "0")}`,
        name: `Boat ${index}`,
        meta: { tags: index === 7 ? ["red"] : [] },
      });
    await create(admin, {
      id: "ferry",
      name: "Ferry 100%",
      meta: { tags: ["blue"] },
      access_grants: [read(author.id)],
    });
    const all = await page(author, "?order_by=name&direction=asc");
    expect([all.total, all.items.length, all.items[0]!.name, all.items[0]!.write_access]).toEqual([
      33,
      30,
      "Boat 0",
      true,
    ]);
    expect((await page(author, "?order_by=name&direction=asc&page=2")).items.map((model) => model.id).at(-1)).toBe(
      "ferry",
    );
    expect((await page(author, "?query=FERRY%20100%25")).items).toMatchObject([{ id: "ferry", write_access: false }]);
    expect((await page(author, "?tag=red")).items).toMatchObject([{ id: "boat-07" }]);
    expect((await page(author, "?view_option=shared")).total).toBe(1);
    expect((await page(author, "?page=99")).items).toEqual([]);
    expect((await world.call("/api/v1/models/list?order_by=nonsense", { as: author })).status).toBe(422);
    expect((await page(reader)).total).toBe(0);
    expect((await world.call(`${base}/tags`, { as: author })).body).toEqual(["blue", "red"]);
    expect((await world.call(`${base}/tags`, { as: reader })).body).toEqual([]);
  });
});

describe("moving models", () => {
  test("what is exported can be imported elsewhere, pictures and grants included", async () => {
    await create(author, {
      meta: { profile_image_url: pixel, description: "x" },
      params: { system: "S" },
      access_grants: [read(reader.id)],
    });
    await create(admin, { id: "tide", base_model_id: null, name: "The tide" });
    const { body } = await world.call<StoredModelView[]>(`${base}/export`, { as: admin });
    expect(body.map((model) => model.id).sort()).toEqual(["pilot", "tide"]);
    expect(
      (await world.call<StoredModelView[]>(`${base}/export`, { as: author })).body.map((model) => model.id),
    ).toEqual(["pilot"]);
    expect((await world.call(`${base}/export`, { as: reader })).status).toBe(403);
    expect((await world.call(`${base}/delete/all`, { as: author, method: "DELETE" })).status).toBe(403);
    expect((await world.call(`${base}/delete/all`, { as: admin, method: "DELETE" })).body).toBe(true);
    expect(await world.db.select().from(storedModels)).toEqual([]);
    expect(await post("/import", admin, { models: body })).toMatchObject({ status: 200, body: true });
    const again = (await world.call<StoredModelView[]>(`${base}/export`, { as: admin })).body;
    const plain = (models: StoredModelView[]) =>
      models
        .map(({ id, base_model_id, name, meta, params, access_grants }) => ({
          id,
          base_model_id,
          name,
          meta,
          params,
          grants: access_grants.map((grant) => ({ ...grant, id: "" })),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(plain(again)).toEqual(plain(body));
  });

  test("an import is whole or not at all, and names the model at fault", async () => {
    await create(admin, { id: "theirs" });
    const models = [
      { id: "one", base_model_id: "tide", name: "One" },
      { id: "theirs", base_model_id: "tide", name: "Mine now" },
    ];
    expect(await post("/import", author, { models })).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/^theirs: /) },
    });
    expect(
      await post("/import", author, { models: [models[0], { ...models[0], base_model_id: "sunk", id: "two" }] }),
    ).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/^two: /) } });
    expect(await post("/import", author, { models: [models[0], models[0]] })).toMatchObject({ status: 422 });
    expect((await world.db.select().from(storedModels)).map((row) => row.id)).toEqual(["theirs"]);
    await post("/import", author, { models: [models[0]] });
    expect(await post("/import", author, { models: [{ ...models[0], name: "Changed" }] })).toMatchObject({
      status: 200,
    });
    expect((await get(author, "one")).body.name).toBe("Changed");
  });

  test("a sync also deletes what is missing", async () => {
    await create(author);
    const models = [{ id: "one", base_model_id: "tide", name: "One" }];
    expect((await post("/sync", author, { models })).status).toBe(403);
    expect((await post("/sync", admin, { models })).body).toBe(true);
    expect((await world.db.select().from(storedModels)).map((row) => row.id)).toEqual(["one"]);
  });
});

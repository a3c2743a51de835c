import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import type { StoredModelView } from "../../../src/models/stored-models/schema.ts";
import { storedModels } from "../../../src/models/stored-models/tables.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
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
const read = (id: string, type = "user") => ({ principal_type: type, principal_id: id, permission: "read" });
const write = (id: string) => ({ ...read(id), permission: "write" });

describe("sharing a model", () => {
  test("says which permission is missing instead of dropping what may not be given", async () => {
    const cases: [Record<string, unknown>, string][] = [
      [read("*"), "sharing.public_models"],
      [read(reader.id), "sharing.models"],
      [read("some-group", "group"), "sharing.models"],
    ];
    const maker = await personWith(world, { workspace: { models: true } });
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
        body: { detail: expect.stringContaining("No such") },
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
    // As for one that is not there: whether it is, is not for everyone to know.
    const hidden = await world.request(address, { as: reader });
    expect([hidden.status, hidden.headers.get("location")]).toEqual([302, "/favicon.svg"]);
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

  test("elsewhere are handed on by the service", async () => {
    await create(author, { meta: { profile_image_url: "https://pictures.example/pilot.png" } });
    const response = await world.request(`${base}/model/profile/image?id=pilot`, { as: author });
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "/api/v1/images/proxy?url=https%3A%2F%2Fpictures.example%2Fpilot.png",
    ]);
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
          grants: access_grants.map((grant) => ({ ...grant, id: "", created_at: 0 })),
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

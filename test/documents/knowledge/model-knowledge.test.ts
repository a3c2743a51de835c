import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ModelKnowledgeView } from "../../../src/documents/knowledge/models/schema.ts";
import type { KnowledgeView } from "../../../src/documents/knowledge/schema.ts";
import { newId } from "../../../src/lib/id.ts";
import type { StoredModelView } from "../../../src/models/stored-models/schema.ts";
import type { Person } from "../../world.ts";
import { createBaseWorld, type BaseWorld } from "./base-world.ts";

let world: BaseWorld;
let ada: Person;
let base: KnowledgeView;
beforeAll(async () => {
  world = await createBaseWorld();
  await world.allowAll();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
  base = await world.base(ada);
});

const models = "/api/v1/models";
const pathOf = (id: string) => `${models}/model/knowledge?id=${encodeURIComponent(id)}`;
const collection = (id: string) => ({ type: "collection", id });

async function makeModel(owner: Person, values: Record<string, unknown> = {}): Promise<StoredModelView> {
  const id = `model-${newId()}`;
  const { status, body } = await world.call<StoredModelView>(`${models}/create`, {
    as: owner,
    json: { id, name: id, base_model_id: "parley-guide", ...values },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

test("a model looks things up in what its owner chose, and says so in meta.knowledge", async () => {
  const file = await world.file(ada);
  const given = [collection(base.id), { type: "file", id: file, name: "whatever", meta: {} }];
  const model = await makeModel(ada, { meta: { description: "Tides", knowledge: given } });
  const shown = [
    { type: "collection", id: base.id, name: base.name },
    { type: "file", id: file, name: "tides.txt" },
  ];
  expect(model.meta).toEqual({ description: "Tides", knowledge: shown });
  const one = await world.call<StoredModelView>(`${models}/model?id=${model.id}`, { as: ada });
  expect(one.body.meta.knowledge).toEqual(shown);
  const listed = await world.call<{ items: StoredModelView[] }>(`${models}/list`, { as: ada });
  expect(listed.body.items.find(({ id }) => id === model.id)?.meta.knowledge).toEqual(shown);
  const exported = await world.call<StoredModelView[]>(`${models}/export`, { as: ada });
  expect(exported.body.find(({ id }) => id === model.id)?.meta.knowledge).toEqual(shown);
  expect((await world.call(pathOf(model.id), { as: ada })).body).toEqual({
    everyone: shown.map((item) => ({ ...item, readable: true })),
    organizations: [],
  });

  const untouched = await world.call<StoredModelView>(`${models}/model/update`, {
    as: ada,
    json: { id: model.id, meta: { description: "Ebb" } },
  });
  expect(untouched.body.meta).toEqual({ description: "Ebb", knowledge: shown });
  const emptied = await world.call<StoredModelView>(`${models}/model/update`, {
    as: ada,
    json: { id: model.id, meta: { knowledge: [] } },
  });
  expect(emptied.body.meta).toEqual({});
});

test("what somebody may not read cannot be attached, and stays where another attached it", async () => {
  const eve = await world.person();
  const secret = await world.base(eve, { name: "Secret" });
  const model = await makeModel(ada);
  const refused = await world.call(pathOf(model.id), { as: ada, json: { items: [collection(secret.id)] } });
  expect(refused).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  expect(
    await world.call(`${models}/model/update`, {
      as: ada,
      json: { id: model.id, meta: { knowledge: [collection(newId())] } },
    }),
  ).toMatchObject({ status: 422 });
  await world.call(pathOf(model.id), { as: await world.admin(), json: { items: [collection(secret.id)] } });
  const kept = await world.call<ModelKnowledgeView>(pathOf(model.id), {
    as: ada,
    json: { items: [collection(secret.id), collection(base.id)] },
  });
  expect(kept.body.everyone).toEqual([
    { type: "collection", id: secret.id, name: "", readable: false },
    { type: "collection", id: base.id, name: base.name, readable: true },
  ]);
  const view = await world.call<StoredModelView>(`${models}/model?id=${model.id}`, { as: ada });
  expect(JSON.stringify(view.body)).not.toContain("Secret");
});

test("an organization's administrators choose for their own people alone", async () => {
  const north = await world.organization("North");
  const south = await world.organization("South");
  const [boss, member] = [await world.person(), await world.person()];
  await world.setOrganization(boss, north, "admin");
  await world.setOrganization(member, north);
  const own = await world.base(boss, { name: "North handbook" });
  const model = "parley-guide";
  const set = (as: Person, organization: string | null, items: unknown[]) =>
    world.call<ModelKnowledgeView>(pathOf(model), { as, json: { organization_id: organization, items } });
  const mine = await set(boss, north, [collection(own.id)]);
  expect(mine.body).toEqual({
    everyone: [],
    organizations: [
      {
        organization_id: north,
        name: "North",
        items: [{ type: "collection", id: own.id, name: "North handbook", readable: true }],
      },
    ],
  });
  expect((await set(boss, south, [])).status).toBe(422);
  expect((await set(boss, null, [])).status).toBe(403);
  expect((await set(member, north, [])).status).toBe(403);
  expect((await world.call(pathOf(model), { as: member })).status).toBe(403);
  expect((await world.call(pathOf("no-such-model"), { as: boss })).status).toBe(404);
  const admin = await world.admin();
  expect((await set(admin, newId(), [])).status).toBe(422);
  expect((await set(admin, null, [collection(base.id)])).body).toMatchObject({
    everyone: [{ id: base.id }],
    organizations: [{ organization_id: north }],
  });
  await world.call(`/api/v1/knowledge/${own.id}/delete`, { method: "DELETE", as: boss });
  expect((await world.call<ModelKnowledgeView>(pathOf(model), { as: boss })).body).toEqual({
    everyone: [],
    organizations: [],
  });
  await set(admin, null, []);
});

test("an import takes the knowledge that is here and leaves out what is not", async () => {
  const id = `model-${newId()}`;
  const knowledge = [collection(newId()), { collection_names: [base.id] }, { type: "note", id: newId() }];
  const { status } = await world.call(`${models}/import`, {
    as: ada,
    json: { models: [{ id, name: "Imported", base_model_id: "parley-guide", meta: { knowledge } }] },
  });
  expect(status).toBe(200);
  expect((await world.call<ModelKnowledgeView>(pathOf(id), { as: ada })).body.everyone).toEqual([
    { type: "collection", id: base.id, name: base.name, readable: true },
  ]);
});

test("a model that is deleted takes its knowledge along", async () => {
  const model = await makeModel(ada, { meta: { knowledge: [collection(base.id)] } });
  await world.call(`${models}/model/delete`, { as: ada, json: { id: model.id } });
  const again = await world.call<StoredModelView>(`${models}/create`, {
    as: ada,
    json: { id: model.id, name: "Again", base_model_id: "parley-guide" },
  });
  expect(again.body.meta).toEqual({});
});

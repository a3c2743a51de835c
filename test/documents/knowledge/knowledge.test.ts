import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { KnowledgeView, KnowledgeWithFiles } from "../../../src/documents/knowledge/schema.ts";
import type { Person } from "../../world.ts";
import { createBaseWorld, type BaseWorld } from "./base-world.ts";

let world: BaseWorld;
let ada: Person;
beforeAll(async () => {
  world = await createBaseWorld();
  await world.allowAll();
});
afterAll(() => world.close());
beforeEach(async () => {
  ada = await world.person();
});

const path = "/api/v1/knowledge";

test("a base is made, found, changed and deleted", async () => {
  const made = await world.base(ada, { name: "  Lighthouses ", description: "Lamps", meta: { colour: "red" } });
  expect(made).toMatchObject({
    name: "Lighthouses",
    description: "Lamps",
    user_id: ada.id,
    user: { id: ada.id, name: ada.name },
    meta: { colour: "red" },
    access_grants: [],
    write_access: true,
    file_count: 0,
  });
  expect((await world.call(`${path}/${made.id}`, { as: ada })).body).toMatchObject({ id: made.id, files: null });
  const changed = await world.call<KnowledgeView>(`${path}/${made.id}/update`, { as: ada, json: { name: "Lamps" } });
  expect(changed.body).toMatchObject({ name: "Lamps", description: "Lamps", meta: { colour: "red" } });
  expect((await world.call(`${path}/${made.id}/delete`, { method: "DELETE", as: ada })).body).toBe(true);
  expect((await world.call(`${path}/${made.id}`, { as: ada })).status).toBe(404);
  expect((await world.call(`${path}/${made.id}/delete`, { method: "DELETE", as: ada })).status).toBe(404);
});

test("a file is added once, by its id and by its content", async () => {
  const base = await world.base(ada);
  const file = await world.file(ada, { text: "High water at six" });
  const twin = await world.file(ada, { name: "copy.txt", text: "High water at six" });
  const add = (id: string) =>
    world.call<KnowledgeWithFiles>(`${path}/${base.id}/file/add`, { as: ada, json: { file_id: id } });
  const first = await add(file);
  expect(first.status).toBe(200);
  expect(first.body.files.map((each) => each.id)).toEqual([file]);
  expect(first.body.warnings).toBeUndefined();
  const again = await add(file);
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ file_count: 1 });
  expect(again.body.warnings).toBeUndefined();
  const same = await add(twin);
  expect(same.status).toBe(200);
  expect(same.body).toMatchObject({
    file_count: 1,
    warnings: {
      entries: [{ file_id: twin, code: "duplicate_content", existing: { file_id: file, filename: "tides.txt" } }],
    },
  });
});

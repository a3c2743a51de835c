import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import { findModel } from "../../../src/models/catalog/find-model.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import type { ConnectionView } from "../../../src/models/connections/schema.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { deadOrigin, listing, startProvider, type Provider } from "../provider.ts";

const base = "/api/v1/connections";
const quay = newId();
const pier = newId();
let world: World;
let admin: Person;
let atHome: Person;
let atQuay: Person;
let atPier: Person;
let general: Provider;
let own: Provider;
let ownId: string;

interface Problem {
  code: string;
  issues: { path: string }[];
}

const connect = (json: Record<string, unknown>) =>
  world.call<ConnectionView & Problem>(base, { json: { key: "", ...json }, as: admin });
const patch = (id: string, json: unknown) =>
  world.call<ConnectionView & Problem>(`${base}/${id}`, { method: "PATCH", json, as: admin });
const listed = async (as: Person) =>
  (await world.call<{ data: ModelEntry[] }>("/api/models", { as })).body.data.map((model) => model.id);
const find = async (as: Person, id: string) => findModel(await contextFor(world, as), id);
const unknown = { code: "model_not_found" };

beforeAll(async () => {
  world = await createWorld();
  general = await startProvider(listing("tide", "both"));
  own = await startProvider(listing("reef", "both"));
  for (const [id, name] of [
    [quay, "Quay"],
    [pier, "Pier"],
  ] as const)
    await world.client.execute({
      sql: "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES (?, ?, 1, 0, NULL, '{}', 0, 0)",
      args: [id, name],
    });
  admin = await world.admin();
  [atHome, atQuay, atPier] = [
    await world.person(),
    await world.person({ organizationId: quay }),
    await world.person({ organizationId: pier }),
  ];
  await connect({ base_url: general.origin, name: "General" });
  const { body } = await connect({ base_url: own.origin, name: "Quay's", organization_id: quay });
  ownId = body.id;
});
afterAll(async () => {
  await world.close();
  await Promise.all([general.close(), own.close()]);
});

describe("connections of an organization", () => {
  test("say whose they are; everyone's say nobody's", async () => {
    const { body } = await world.call<ConnectionView[]>(base, { as: admin });
    expect(body.map(({ name, organization_id: id }) => [name, id])).toEqual([
      ["General", null],
      ["Quay's", quay],
    ]);
  });

  test("add their models for its people and for system administrators only", async () => {
    expect((await listed(atQuay)).sort()).toEqual(["both", "reef", "tide"]);
    expect((await listed(admin)).sort()).toEqual(["both", "reef", "tide"]);
    for (const person of [atHome, atPier]) {
      expect((await listed(person)).sort()).toEqual(["both", "tide"]);
      await expect(find(person, "reef")).rejects.toMatchObject(unknown);
      expect((await world.request("/api/models/reef", { as: person })).status).toBe(404);
    }
    expect((await find(atQuay, "reef")).connection.id).toBe(ownId);
    expect((await find(admin, "reef")).connection.id).toBe(ownId);
  });

  test("come first where everyone's have the same model", async () => {
    expect((await find(atQuay, "both")).connection.id).toBe(ownId);
    expect((await find(atHome, "both")).connection.name).toBe("General");
    expect((await find(admin, "both")).connection.name).toBe("General");
  });

  test("follow a person who moves, with the next request and no further round trip", async () => {
    const mover = await world.person();
    expect(await listed(mover)).not.toContain("reef");
    await world.call(`/api/v1/organizations/${quay}/members`, { json: { user_ids: [mover.id] }, as: admin });
    expect(await listed(mover)).toContain("reef");
    for (const person of [atQuay, atHome, mover, admin]) {
      world.roundTrips.reset();
      await listed(person);
      expect(world.roundTrips.count).toBe(1);
    }
    await world.call(`/api/v1/organizations/${pier}/members`, { json: { user_ids: [mover.id] }, as: admin });
    await expect(find(mover, "reef")).rejects.toMatchObject(unknown);
  });

  test("carry made models to nobody who does not have them", async () => {
    const grants = [{ principal_type: "user", principal_id: "*", permission: "read" }];
    const json = { id: "pilot", base_model_id: "reef", name: "Pilot", access_grants: grants };
    expect((await world.call("/api/v1/models/create", { json, as: admin })).status).toBe(200);
    expect(await listed(atQuay)).toContain("pilot");
    expect(await listed(atPier)).not.toContain("pilot");
    await expect(find(atPier, "pilot")).rejects.toMatchObject(unknown);
  });

  test("are not named to others, neither as unreachable nor as the owner of an id", async () => {
    const dead = await connect({ base_url: await deadOrigin(), name: "Quay's broken", organization_id: quay });
    const unreachable = async (as: Person) =>
      (await world.request("/api/models?refresh=true", { as })).headers.get("x-parley-unreachable");
    expect(await unreachable(atQuay)).toBe("Quay's broken");
    expect(await unreachable(atPier)).toBeNull();
    await world.call(`${base}/${dead.body.id}`, { method: "DELETE", as: admin });
    await world.call("/api/v1/users/default/permissions", { json: { workspace: { models: true } }, as: admin });
    const json = { id: "reef", base_model_id: "tide", name: "Mine" };
    const { status, body } = await world.call<{ detail: string }>("/api/v1/models/create", { json, as: atPier });
    expect(status).toBe(409);
    expect(body.detail).not.toContain("Quay");
  });

  test("change hands, and name only organizations that exist", async () => {
    await world.settled();
    world.live.rechecked.length = 0;
    expect((await patch(ownId, { organization_id: pier })).body.organization_id).toBe(pier);
    await world.settled();
    expect(world.live.rechecked).toEqual([atQuay.id]);
    expect([(await listed(atQuay)).includes("reef"), (await listed(atPier)).includes("reef")]).toEqual([false, true]);
    expect((await patch(ownId, { organization_id: null })).body.organization_id).toBeNull();
    expect(await listed(atHome)).toContain("reef");
    for (const answer of [
      await patch(ownId, { organization_id: "nothing" }),
      await connect({ base_url: own.origin, organization_id: "nothing" }),
    ]) {
      expect(answer).toMatchObject({ status: 422, body: { code: "validation_failed" } });
      expect(answer.body.issues[0]!.path).toBe("organization_id");
    }
    expect((await connect({ base_url: own.origin, organization_id: 7 })).status).toBe(422);
    expect((await patch(ownId, { name: "Renamed" })).body).toMatchObject({ organization_id: null, name: "Renamed" });
    expect((await patch(ownId, { organization_id: defaultOrganizationId })).status).toBe(200);
    expect([(await listed(atHome)).includes("reef"), (await listed(atQuay)).includes("reef")]).toEqual([true, false]);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import { findModel } from "../../../src/models/catalog/find-model.ts";
import { contextFor } from "../../models/context-for.ts";
import { listing, startProvider, type Provider } from "../../models/provider.ts";
import { storeConnection } from "../../models/store-connection.ts";
import { personWith } from "../../models/stored-models/person-with.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";

interface Problem {
  code: string;
  detail: string;
}

const quay = newId();
let world: World;
let provider: Provider;
let admin: Person;
let atQuay: Person;
beforeEach(async () => {
  provider = await startProvider(listing("tide"));
  world = await createWorld();
  admin = await world.admin();
  await storeConnection(world, { base_url: provider.origin });
  await world.client.execute({
    sql: "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES (?, 'Quay', 1, 0, NULL, '{}', 0, 0)",
    args: [quay],
  });
  atQuay = await world.person({ organizationId: quay });
});
afterEach(async () => {
  await world.close();
  await provider.close();
});

const to = (type: string, id: string) => ({ principal_type: type, principal_id: id, permission: "read" });
const share = (as: Person, ...grants: unknown[]) =>
  world.call<Problem>("/api/v1/models/create", {
    json: { id: newId(), base_model_id: "tide", name: "Pilot", access_grants: grants },
    as,
  });
const group = async (values: Record<string, unknown> = {}) =>
  (await world.call<{ id: string }>("/api/v1/groups/create", { json: { name: "Crew", ...values }, as: admin })).body.id;
const join = (id: string, person: Person) =>
  world.call(`/api/v1/groups/id/${id}/users/add`, { json: { user_ids: [person.id] }, as: admin });
const mayUse = async (person: Person, id: string) =>
  findModel(await contextFor(world, person), id).then(
    () => true,
    () => false,
  );

describe("sharing with an organization", () => {
  test("is for its own people, needs the permission for groups, and is never dropped silently", async () => {
    const author = await personWith(world, { workspace: { models: true }, sharing: { models: true } });
    expect((await share(author, to("organization", defaultOrganizationId))).status).toBe(200);
    for (const id of [quay, "nothing"])
      expect(await share(author, to("organization", id))).toMatchObject({
        status: 422,
        body: { code: "validation_failed", detail: expect.stringContaining("No such organization") },
      });
    await world.call("/api/v1/users/default/permissions", {
      json: { access_grants: { allow_groups: false } },
      as: admin,
    });
    expect(await share(author, to("organization", defaultOrganizationId))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("access_grants.allow_groups") },
    });
    expect((await share(admin, to("organization", quay))).status).toBe(200);
    expect(await share(admin, to("organization", "nothing"))).toMatchObject({ status: 422 });
  });

  test("counts for its people now: who moves gains and loses it with the next request", async () => {
    const model = "for-quay";
    const json = { id: model, base_model_id: "tide", name: "Quay's", access_grants: [to("organization", quay)] };
    await world.call("/api/v1/models/create", { json, as: admin });
    const ada = await world.person();
    const move = (where: string) =>
      world.call(`/api/v1/organizations/${where}/members`, { json: { user_ids: [ada.id] }, as: admin });
    expect([await mayUse(ada, model), await mayUse(atQuay, model)]).toEqual([false, true]);
    await move(quay);
    expect(await mayUse(ada, model)).toBe(true);
    await move(defaultOrganizationId);
    expect(await mayUse(ada, model)).toBe(false);
  });
});

describe("sharing with a group", () => {
  test("counts for members at home in its organization, and for all members of one of the default organization", async () => {
    const [theirs, general] = [await group({ organization_id: quay }), await group()];
    await join(theirs, atQuay);
    await join(general, atQuay);
    for (const [id, principal] of [
      ["by-theirs", theirs],
      ["by-general", general],
    ] as const)
      await world.call("/api/v1/models/create", {
        json: { id, base_model_id: "tide", name: id, access_grants: [to("group", principal)] },
        as: admin,
      });
    expect([await mayUse(atQuay, "by-theirs"), await mayUse(atQuay, "by-general")]).toEqual([true, true]);
    // Even a membership that is left over counts no more.
    await world.client.execute({
      sql: "UPDATE users SET organization_id = ? WHERE id = ?",
      args: [defaultOrganizationId, atQuay.id],
    });
    expect([await mayUse(atQuay, "by-theirs"), await mayUse(atQuay, "by-general")]).toEqual([false, true]);
  });

  test("is as the group says: everyone, members or administrators only", async () => {
    const author = await personWith(world, { workspace: { models: true }, sharing: { models: true } });
    const withShare = (value: unknown) => group({ data: { config: { share: value } } });
    const [open, closed, members] = [await withShare(true), await withShare(false), await withShare("members")];
    expect((await share(author, to("group", open))).status).toBe(200);
    expect(await share(author, to("group", closed))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("administrators") },
    });
    expect(await share(author, to("group", members))).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("members") },
    });
    await join(members, author);
    expect((await share(author, to("group", members))).status).toBe(200);
    expect((await share(admin, to("group", closed))).status).toBe(200);
  });

  test("does not reach over the border of one's organization", async () => {
    const author = await personWith(world, { workspace: { models: true }, sharing: { models: true } });
    const theirs = await group({ organization_id: quay, data: { config: { share: true } } });
    expect(await share(author, to("group", theirs))).toMatchObject({ status: 422 });
    expect(await share(author, to("user", atQuay.id))).toMatchObject({ status: 422 });
    expect((await share(admin, to("group", theirs), to("user", atQuay.id))).status).toBe(200);
  });
});

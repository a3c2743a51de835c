import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextWith } from "../../../src/context.ts";
import { findModel } from "../../../src/models/catalog/find-model.ts";
import type { ModelEntry } from "../../../src/models/catalog/schema.ts";
import { groupMembers, groups } from "../../../src/people/groups/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { contextFor } from "../context-for.ts";
import { listing, startProvider, type Provider } from "../provider.ts";
import { storeConnection } from "../store-connection.ts";

type Who = "admin" | "named" | "member" | "colleague" | "writer" | "stranger" | "author";

let world: World;
let provider: Provider;
const people = {} as Record<Who, Person>;
const group = "0199a000-0000-7000-8000-00000000000a";
const quay = "0199a000-0000-7000-8000-00000000000b";
const authors = "0199a000-0000-7000-8000-00000000000c";

const read = (type: string, id: string) => ({ principal_type: type, principal_id: id, permission: "read" });
const create = (as: Person, json: Record<string, unknown>) =>
  world.call<{ detail: string }>("/api/v1/models/create", { as, json });
const listFor = async (who: Who) =>
  (await world.call<{ data: ModelEntry[] }>("/api/models", { as: people[who] })).body.data
    .map((model) => model.id)
    .sort();
const mayUse = async (who: Who, id: string) => {
  const ctx = await contextFor(world, people[who]);
  return findModel(ctx, id).then(
    () => true,
    (error: { code: string }) => (error.code === "model_not_found" ? false : Promise.reject(error)),
  );
};

/** Status of the stored model itself, and whether the workspace lists it. */
const seesStored = async (who: Who, id: string) => {
  const as = people[who];
  const { body } = await world.call<{ items: { id: string }[] }>("/api/v1/models/list", { as });
  const { status } = await world.call(`/api/v1/models/model?id=${id}`, { as });
  return [status, body.items.some((item) => item.id === id)];
};

beforeAll(async () => {
  provider = await startProvider(
    listing("open", "hidden", "off", "for-named", "for-group", "for-quay", "for-all", "for-writer"),
  );
  world = await createWorld();
  const now = world.services.now();
  await world.db
    .insert(organizations)
    .values({ id: quay, name: "Quay", active: true, isDefault: false, features: {}, createdAt: now, updatedAt: now });
  people.admin = await world.admin();
  for (const who of ["named", "member", "writer", "stranger", "author"] as const)
    people[who] = await world.person({ name: who });
  people.colleague = await world.person({ name: "colleague", organizationId: quay });
  await world.db.batch([
    world.db.insert(groups).values({
      id: group,
      organizationId: defaultOrganizationId,
      name: "Crew",
      permissions: {},
      createdAt: now,
      updatedAt: now,
    }),
    world.db.insert(groupMembers).values({ groupId: group, userId: people.member.id, createdAt: now }),
  ]);
  await world.db.batch([
    world.db.insert(groups).values({
      id: authors,
      organizationId: defaultOrganizationId,
      name: "Authors",
      permissions: { workspace: { models: true }, sharing: { models: true, public_models: true } },
      createdAt: now,
      updatedAt: now,
    }),
    world.db.insert(groupMembers).values({ groupId: authors, userId: people.author.id, createdAt: now }),
  ]);
  await storeConnection(world, { base_url: provider.origin });
  const entries: Record<string, unknown>[] = [
    { id: "hidden", meta: { hidden: true } },
    { id: "off", is_active: false },
    { id: "for-named", access_grants: [read("user", people.named.id)] },
    { id: "for-group", access_grants: [read("group", group)] },
    { id: "for-quay", access_grants: [read("organization", quay)] },
    { id: "for-all", access_grants: [read("user", "*")] },
    {
      id: "for-writer",
      meta: { hidden: true },
      access_grants: [{ ...read("user", people.writer.id), permission: "write" }],
    },
  ];
  for (const entry of entries) {
    const { status } = await create(people.admin, { base_model_id: null, name: entry.id, ...entry });
    if (status !== 200) throw new Error(`${String(entry.id)} was not made: ${status}`);
  }
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

describe("providers' models", () => {
  const table: Record<string, Who[]> = {
    open: ["admin", "named", "member", "colleague", "writer", "stranger"],
    "for-named": ["admin", "named"],
    "for-group": ["admin", "member"],
    "for-quay": ["admin", "colleague"],
    "for-all": ["admin", "named", "member", "colleague", "writer", "stranger"],
    hidden: ["admin"],
    "for-writer": ["admin", "writer"],
    off: [],
  };
  const unlisted = new Set(["hidden", "for-writer"]);
  const everyone: Who[] = ["admin", "named", "member", "colleague", "writer", "stranger"];

  test.each(everyone)("are used and listed by %s as they should", async (who) => {
    const expected = Object.keys(table).filter((id) => table[id]!.includes(who));
    const used = [];
    for (const id of Object.keys(table)) if (await mayUse(who, id)) used.push(id);
    expect(used.sort()).toEqual([...expected].sort());
    expect(await listFor(who)).toEqual(expected.filter((id) => !unlisted.has(id)).sort());
  });

  test("are for administrators until they are granted, where the setting says so", async () => {
    const ctx = await contextFor(world, people.stranger);
    const settings = { ...ctx.settings, DEFAULT_MODEL_VISIBILITY: "admins" as const };
    const strict = contextWith(ctx, { settings });
    await expect(findModel(strict, "open")).rejects.toMatchObject({ code: "model_not_found" });
    expect((await findModel(strict, "for-all")).id).toBe("for-all");
    const boss = await contextFor(world, people.admin);
    expect((await findModel(contextWith(boss, { settings }), "open")).id).toBe("open");
  });

  test("are none for people who wait and for strangers", async () => {
    const pending = await world.person({ role: "pending" });
    expect((await world.call("/api/models", { as: pending })).status).toBe(403);
    expect((await world.call("/api/models")).status).toBe(401);
    await expect(contextFor(world, pending).then((ctx) => findModel(ctx, "open"))).rejects.toMatchObject({
      code: "account_pending",
    });
  });

  test("are narrowed by an organization for its people at once, not for administrators", async () => {
    await world.db
      .update(organizations)
      .set({ modelIds: ["for-quay", "open"] })
      .where(eq(organizations.id, quay));
    expect(await listFor("colleague")).toEqual(["for-quay", "open"]);
    expect(await mayUse("colleague", "for-all")).toBe(false);
    await world.db.update(organizations).set({ modelIds: [] }).where(eq(organizations.id, quay));
    expect(await listFor("colleague")).toEqual([]);
    expect(await listFor("stranger")).toContain("open");
    await world.db.update(organizations).set({ modelIds: null }).where(eq(organizations.id, quay));
    expect(await listFor("colleague")).toContain("for-all");
  });

  test("follow a person who moves to another organization or leaves a group with the next request", async () => {
    const mover = await world.person({ name: "mover" });
    people.stranger = mover;
    expect(await mayUse("stranger", "for-quay")).toBe(false);
    await world.db.update(users).set({ organizationId: quay }).where(eq(users.id, mover.id));
    expect(await mayUse("stranger", "for-quay")).toBe(true);
    await world.db.delete(groupMembers).where(eq(groupMembers.userId, people.member.id));
    expect(await mayUse("member", "for-group")).toBe(false);
    await world.db.insert(groupMembers).values({ groupId: group, userId: people.member.id, createdAt: 1 });
    expect(await mayUse("member", "for-group")).toBe(true);
  });
});

describe("made models", () => {
  test("without grants are their owner's and the administrators'", async () => {
    expect((await create(people.author, { id: "private", base_model_id: "open", name: "Private" })).status).toBe(200);
    expect([
      await mayUse("author", "private"),
      await mayUse("admin", "private"),
      await mayUse("named", "private"),
    ]).toEqual([true, true, false]);
    expect(await listFor("author")).toContain("private");
    expect(await listFor("named")).not.toContain("private");
  });

  test("of administrators carry their base to everyone they are shared with", async () => {
    await create(people.admin, {
      id: "shared",
      base_model_id: "for-named",
      name: "Shared",
      access_grants: [read("group", group)],
    });
    expect([
      await mayUse("member", "shared"),
      await mayUse("member", "for-named"),
      await mayUse("colleague", "shared"),
    ]).toEqual([true, false, false]);
  });

  test("of others give nobody a base that they could not use themselves", async () => {
    const { status, body } = await create(people.author, {
      id: "smuggled",
      base_model_id: "for-named",
      name: "Smuggled",
    });
    expect({ status, detail: body.detail }).toMatchObject({
      status: 422,
      detail: expect.stringMatching(/does not exist, or you have no access/),
    });
    await create(people.author, {
      id: "passed-on",
      base_model_id: "open",
      name: "Passed on",
      access_grants: [read("user", "*")],
    });
    expect([await mayUse("named", "passed-on"), await mayUse("author", "passed-on")]).toEqual([true, true]);
    await world.call("/api/v1/models/model/access/update", {
      as: people.admin,
      json: { id: "open", access_grants: [read("user", people.named.id)] },
    });
    expect([
      await mayUse("named", "passed-on"),
      await mayUse("stranger", "passed-on"),
      await mayUse("author", "passed-on"),
    ]).toEqual([true, false, false]);
    await world.call("/api/v1/models/model/delete", { as: people.admin, json: { id: "open" } });
    expect(await mayUse("author", "passed-on")).toBe(true);
  });

  test("lose what they carry when their owner is no administrator any more", async () => {
    const second = await world.person({ role: "admin" });
    await create(second, {
      id: "carried",
      base_model_id: "for-named",
      name: "Carried",
      access_grants: [read("user", "*")],
    });
    expect(await mayUse("member", "carried")).toBe(true);
    await world.db.update(users).set({ role: "user" }).where(eq(users.id, second.id));
    expect([await mayUse("member", "carried"), await mayUse("named", "carried")]).toEqual([false, true]);
  });

  test("go with their base: switched off, or not there", async () => {
    await create(people.admin, {
      id: "on-off",
      base_model_id: "off",
      name: "On off",
      access_grants: [read("user", "*")],
    });
    await create(people.admin, {
      id: "on-nothing",
      base_model_id: "sunk",
      name: "On nothing",
      access_grants: [read("user", "*")],
    });
    for (const id of ["on-off", "on-nothing"]) {
      expect(await mayUse("admin", id)).toBe(false);
      expect(await listFor("admin")).not.toContain(id);
    }
  });

  test("stay their owner's to edit where the organization does not show them any more", async () => {
    const owner = await world.person({ name: "owner", organizationId: quay });
    people.author = owner;
    await world.db.insert(groupMembers).values({ groupId: authors, userId: owner.id, createdAt: 1 });
    expect((await create(owner, { id: "owned", base_model_id: "open", name: "Owned" })).status).toBe(200);
    await world.db.update(organizations).set({ modelIds: [] }).where(eq(organizations.id, quay));
    expect(await mayUse("author", "owned")).toBe(false);
    expect(await seesStored("author", "owned")).toEqual([200, true]);
    await world.db.update(organizations).set({ modelIds: null }).where(eq(organizations.id, quay));
  });

  test("may stand on a hidden base, and are narrowed by organization with it", async () => {
    await create(people.admin, {
      id: "on-hidden",
      base_model_id: "hidden",
      name: "On hidden",
      access_grants: [read("user", "*")],
    });
    expect(await mayUse("colleague", "on-hidden")).toBe(true);
    expect(await seesStored("colleague", "on-hidden")).toEqual([200, true]);
    await world.db
      .update(organizations)
      .set({ modelIds: ["for-quay"] })
      .where(eq(organizations.id, quay));
    expect(await mayUse("colleague", "on-hidden")).toBe(false);
    // What is stored of it (prompts, knowledge, who else has it) is shown no more than the model itself.
    expect(await seesStored("colleague", "on-hidden")).toEqual([404, false]);
    expect(await seesStored("admin", "on-hidden")).toEqual([200, true]);
    await world.db
      .update(organizations)
      .set({ modelIds: ["on-hidden"] })
      .where(eq(organizations.id, quay));
    expect(await mayUse("colleague", "on-hidden")).toBe(true);
    await world.db.update(organizations).set({ modelIds: null }).where(eq(organizations.id, quay));
  });
});

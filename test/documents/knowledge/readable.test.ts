import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writableByPerson } from "../../../src/documents/knowledge/readable.ts";
import type { KnowledgePage } from "../../../src/documents/knowledge/schema.ts";
import type { GrantView } from "../../../src/people/grants/schema.ts";
import { groups } from "../../../src/people/groups/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import type { Person } from "../../world.ts";
import { createBaseWorld, type BaseWorld } from "./base-world.ts";

const path = "/api/v1/knowledge";
type Right = "none" | "read" | "write";

let world: BaseWorld;
let north: string;
let south: string;
beforeAll(async () => {
  world = await createBaseWorld();
  await world.allowAll();
  [north, south] = [await world.organization("North"), await world.organization("South")];
});
afterAll(() => world.close());

async function personIn(organizationId: string, role: "admin" | "member" = "member"): Promise<Person> {
  const person = await world.person();
  await world.setOrganization(person, organizationId, role);
  return person;
}

/** What the person may do with the base and its file, by every way that there is to ask. */
async function rightOf(person: Person, base: string, file: string): Promise<Right> {
  const one = await world.call<{ write_access: boolean }>(`${path}/${base}`, { as: person });
  const list = await world.call<KnowledgePage>(`${path}/search`, { as: person });
  const files = await world.call(`${path}/${base}/files`, { as: person });
  const content = await world.call(`/api/v1/files/${file}`, { as: person });
  const hits = await world.call<KnowledgePage>(`${path}/search/files`, { as: person });
  const change = await world.call(`${path}/${base}/update`, { as: person, json: { description: "By somebody" } });
  const [writable] = await world.db.all<{ yes: number }>(
    sql`SELECT count(*) AS yes FROM knowledge, users WHERE knowledge.id = ${base} AND users.id = ${person.id} AND ${writableByPerson()}`,
  );
  const right: Right = one.status === 404 ? "none" : one.body.write_access ? "write" : "read";
  const isThere = right !== "none";
  expect({
    listed: list.body.items.some(({ id }) => id === base),
    files: files.status,
    content: content.status,
    found: hits.body.items.some(({ id }) => id === file),
    change: change.status,
    byPerson: writable!.yes,
  }).toEqual({
    listed: isThere,
    files: isThere ? 200 : 404,
    content: isThere ? 200 : 404,
    found: isThere,
    change: { none: 404, read: 403, write: 200 }[right],
    byPerson: right === "write" ? 1 : 0,
  });
  return right;
}

/** A base of a person of North with a file in it, shared by the system administrator. */
async function sharedBase(grants: GrantView[]) {
  const maker = await personIn(north);
  const base = await world.base(maker);
  const file = await world.file(maker);
  await world.call(`${path}/${base.id}/file/add`, { as: maker, json: { file_id: file } });
  const { status, body } = await world.call(`${path}/${base.id}/access/update`, {
    as: await world.admin(),
    json: { access_grants: grants },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { maker, base: base.id, file };
}

describe("a base that is shared with nobody", () => {
  test("is for its maker, administrators of its organization and system administrators", async () => {
    const { maker, base, file } = await sharedBase([]);
    expect(await rightOf(maker, base, file)).toBe("write");
    expect(await rightOf(await personIn(north, "admin"), base, file)).toBe("write");
    expect(await rightOf(await world.admin(), base, file)).toBe("write");
    expect(await rightOf(await personIn(north), base, file)).toBe("none");
    expect(await rightOf(await personIn(south, "admin"), base, file)).toBe("none");
  });

  test("is no more for a maker who moved to another organization, but their file is", async () => {
    const { maker, base, file } = await sharedBase([]);
    await world.setOrganization(maker, south, "admin");
    expect((await world.call(`${path}/${base}`, { as: maker })).status).toBe(404);
    expect((await world.call(`/api/v1/files/${file}`, { as: maker })).status).toBe(200);
  });
});

describe("a grant", () => {
  const cases: [string, (ids: { person: string; group: string }) => GrantView, [Right, Right]][] = [
    ["to everyone", () => ({ principal_type: "user", principal_id: "*", permission: "read" }), ["read", "read"]],
    [
      "to write to everyone",
      () => ({ principal_type: "user", principal_id: "*", permission: "write" }),
      ["write", "write"],
    ],
    [
      "to an organization",
      () => ({ principal_type: "organization", principal_id: south, permission: "read" }),
      ["none", "read"],
    ],
    [
      "to the base's own organization",
      () => ({ principal_type: "organization", principal_id: north, permission: "write" }),
      ["write", "none"],
    ],
    [
      "to a person",
      ({ person }) => ({ principal_type: "user", principal_id: person, permission: "read" }),
      ["read", "none"],
    ],
    [
      "to a group",
      ({ group }) => ({ principal_type: "group", principal_id: group, permission: "write" }),
      ["write", "none"],
    ],
  ];

  test.each(cases)(
    "%s holds at home, and elsewhere only where it names all or that organization",
    async (_, grant, [home, elsewhere]) => {
      const person = await world.person();
      await world.setOrganization(person, north);
      const group = await world.group("00000000-0000-7000-8000-000000000001", [person]);
      const { base, file } = await sharedBase([grant({ person: person.id, group })]);
      expect(await rightOf(person, base, file)).toBe(home);
      await world.setOrganization(person, south);
      expect(await rightOf(person, base, file)).toBe(elsewhere);
    },
  );

  test("ends with membership, with the group, and when it is taken back", async () => {
    const person = await personIn(north);
    const group = await world.group(north, [person]);
    const { base, file } = await sharedBase([{ principal_type: "group", principal_id: group, permission: "read" }]);
    expect(await rightOf(person, base, file)).toBe("read");
    await world.db.run(sql`DELETE FROM group_members WHERE group_id = ${group}`);
    expect(await rightOf(person, base, file)).toBe("none");
    await world.db.run(
      sql`INSERT INTO group_members (group_id, user_id, created_at) VALUES (${group}, ${person.id}, 0)`,
    );
    await world.call(`${path}/${base}/access/update`, { as: await world.admin(), json: { access_grants: [] } });
    expect(await rightOf(person, base, file)).toBe("none");
    await world.db.delete(groups).where(eq(groups.id, group));
  });
});

test("who is switched off, waits, or whose organization is switched off, puts nothing in afterwards either", async () => {
  const { maker, base } = await sharedBase([]);
  const mayAdd = async () => {
    const [row] = await world.db.all<{ yes: number }>(
      sql`SELECT count(*) AS yes FROM knowledge, users WHERE knowledge.id = ${base} AND users.id = ${maker.id} AND ${writableByPerson()}`,
    );
    return row!.yes === 1;
  };
  expect(await mayAdd()).toBe(true);
  await world.db.update(users).set({ active: false }).where(eq(users.id, maker.id));
  expect(await mayAdd()).toBe(false);
  await world.db.update(users).set({ active: true, role: "pending" }).where(eq(users.id, maker.id));
  expect(await mayAdd()).toBe(false);
  await world.db.update(users).set({ role: "user" }).where(eq(users.id, maker.id));
  await world.db.update(organizations).set({ active: false }).where(eq(organizations.id, north));
  expect(await mayAdd()).toBe(false);
  await world.db.update(organizations).set({ active: true }).where(eq(organizations.id, north));
  expect(await mayAdd()).toBe(true);
});

test("a file that somebody only passed on is nobody's to change by that", async () => {
  const owner = await personIn(north);
  const reader = await personIn(north);
  const source = await world.base(owner);
  const file = await world.file(owner);
  await world.call(`${path}/${source.id}/file/add`, { as: owner, json: { file_id: file } });
  await world.call(`${path}/${source.id}/access/update`, {
    as: owner,
    json: { access_grants: [{ principal_type: "user", principal_id: reader.id, permission: "read" }] },
  });
  const own = await world.base(reader, { name: "Mine" });
  expect((await world.call(`${path}/${own.id}/file/add`, { as: reader, json: { file_id: file } })).status).toBe(200);
  const rename = () => world.call(`/api/v1/files/${file}/rename`, { as: reader, json: { filename: "mine.txt" } });
  expect((await rename()).status).toBe(403);
  await world.call(`${path}/${source.id}/access/update`, {
    as: owner,
    json: { access_grants: [{ principal_type: "user", principal_id: reader.id, permission: "write" }] },
  });
  expect((await rename()).status).toBe(200);
  expect((await world.call(`/api/v1/files/${file}`, { as: reader, method: "DELETE" })).status).toBe(403);
  const removed = await world.call(`${path}/${own.id}/file/remove`, { as: reader, json: { file_id: file } });
  expect(removed.status).toBe(200);
  expect((await world.call(`/api/v1/files/${file}`, { as: owner })).status).toBe(200);
});

test("sharing takes its permission, and nothing is dropped silently", async () => {
  const plain = await createBaseWorld();
  try {
    const ada = await plain.person();
    const refused = await plain.call(`${path}/create`, { as: ada, json: { name: "Harbour", description: "" } });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    const admin = await plain.admin();
    const base = await plain.base(admin, {
      access_grants: [{ principal_type: "user", principal_id: ada.id, permission: "write" }],
    });
    const publish = await plain.call(`${path}/${base.id}/access/update`, {
      as: ada,
      json: { access_grants: [{ principal_type: "user", principal_id: "*", permission: "read" }] },
    });
    expect(publish.status).toBe(403);
    expect(
      (await plain.call<{ access_grants: unknown[] }>(`${path}/${base.id}`, { as: ada })).body.access_grants,
    ).toHaveLength(1);
    // Whoever may write may also give that up.
    const given = await plain.call(`${path}/${base.id}/access/update`, {
      as: ada,
      json: { access_grants: [] },
    });
    expect(given).toMatchObject({ status: 200, body: { id: base.id, write_access: false, access_grants: [] } });
    expect((await plain.call(`${path}/${base.id}`, { as: ada })).status).toBe(404);
    expect(
      (await plain.call<{ access_grants: unknown[] }>(`${path}/${base.id}`, { as: admin })).body.access_grants,
    ).toEqual([]);
  } finally {
    await plain.close();
  }
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  base,
  createScimWorld,
  errorUrn,
  type Failure,
  groupUrn,
  type Resource,
  type ScimWorld,
  token,
} from "./scim-world.ts";

let world: ScimWorld;
let people: Resource[];
beforeAll(async () => {
  world = await createScimWorld();
  people = await Promise.all(Array.from({ length: 5 }, (_, n) => world.makeUser({ displayName: `Person ${n}` })));
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Groups/${id}`)).body;
const memberIds = (group: Resource) => (group.members as { value: string }[]).map(({ value }) => value);
const ids = (...numbers: number[]) => numbers.map((n) => people[n]!.id).toSorted();

function expectTaken({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBe(409);
  expect(body).toMatchObject({ schemas: [errorUrn], status: "409", scimType: "uniqueness" });
}

describe("creating", () => {
  test("answers 201 with the group as it is then read, members with address, name and type", async () => {
    const sent = {
      schemas: [groupUrn],
      displayName: "Harbour Pilots",
      externalId: "g-1",
      members: [{ value: people[0]!.id }],
    };
    const { status, headers, body } = await world.scim("POST", "/Groups", sent);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(body.meta.location);
    expect(body).toEqual({
      ...sent,
      id: body.id,
      members: [{ value: people[0]!.id, display: "Person 0", $ref: people[0]!.meta.location, type: "User" }],
      meta: {
        resourceType: "Group",
        created: expect.stringMatching(/Z$/),
        lastModified: body.meta.created,
        location: `http://parley.test/api/v1/scim/v2/Groups/${body.id}`,
      },
    });
    expect(await get(body.id)).toEqual(body);
    expect((await world.find("Groups", 'displayName eq "harbour pilots"')).Resources).toEqual([body]);
    expect((await world.find("Groups", 'externalId eq "g-1"')).Resources).toEqual([body]);
    const { groups } = (await world.scim("GET", `/Users/${people[0]!.id}`)).body;
    expect(groups).toEqual([{ value: body.id, display: "Harbour Pilots", $ref: body.meta.location, type: "direct" }]);
  });

  test("a group without members has an empty list, also in lists", async () => {
    const group = await world.makeGroup("Empty");
    expect(group.members).toEqual([]);
    expect((await world.find("Groups", 'displayName eq "Empty"')).Resources).toEqual([group]);
    expect((await world.scim("POST", "/Groups", { displayName: "Empty too" })).body.members).toEqual([]);
  });

  test("belongs to the default organization and gives nothing by itself", async () => {
    const { id } = await world.makeGroup("Default");
    const { rows } = await world.client.execute({ sql: "SELECT * FROM groups WHERE id = ?", args: [id] });
    expect(rows[0]).toMatchObject({ organization_id: "00000000-0000-7000-8000-000000000001", permissions: "{}" });
  });

  test.each([
    {},
    { displayName: "" },
    { displayName: "  " },
    { displayName: null },
    { displayName: 7 },
    { displayName: "a\nb" },
    { displayName: "x".repeat(257) },
    { displayName: "Wrong", members: [{ display: "x" }] },
    { displayName: "Wrong", externalId: "x".repeat(501) },
  ])("%j is 400 invalidValue", async (body) => {
    const answer = await world.scim<Failure>("POST", "/Groups", body);
    expect([answer.status, answer.body.scimType]).toEqual([400, "invalidValue"]);
  });

  test("names and ids are one group's, whatever the case of the name; groups made here count", async () => {
    await world.makeGroup("Taken", [], { externalId: "taken-1" });
    expectTaken(await world.scim("POST", "/Groups", { displayName: "TAKEN" }));
    expectTaken(await world.scim("POST", "/Groups", { displayName: "Free", externalId: "taken-1" }));
    const other = await world.makeGroup("Other");
    expectTaken(await world.scim("PUT", `/Groups/${other.id}`, { displayName: "taken" }));
    expectTaken(await world.patch(`/Groups/${other.id}`, { op: "replace", path: "displayName", value: "tAken" }));
    expectTaken(await world.patch(`/Groups/${other.id}`, { op: "add", value: { externalId: "taken-1" } }));
    expect(await get(other.id)).toEqual(other);
    const local = await world.call("/api/v1/groups/create", { json: { name: "Made Here" }, as: await world.admin() });
    expect(local.status).toBe(200);
    expectTaken(await world.scim("POST", "/Groups", { displayName: "made here" }));
  });

  test("of parallel creations one wins, and the others hear 409", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => world.scim("POST", "/Groups", { displayName: n % 2 ? "Race" : "RACE" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectTaken(answer);
  });
});

describe("members", () => {
  test("are added, removed and replaced as differences, in every form, and saying it again changes nothing", async () => {
    const [a, b, c] = [people[0]!.id, people[1]!.id, people[2]!.id];
    const { id } = await world.makeGroup("Forms");
    const steps: [unknown, string[]][] = [
      [
        {
          op: "Add",
          path: "members",
          value: [
            { $ref: null, value: a },
            { value: b, display: "ignored", displayName: "x" },
          ],
        },
        [a, b],
      ],
      [{ op: "remove", path: "members", value: [{ value: a }] }, [b]],
      [{ op: "add", value: { members: [{ value: a }, { value: a }] } }, [a, b]],
      [{ op: "remove", path: `members[value eq "${b}"]` }, [a]],
      [{ op: "replace", path: "members", value: [{ value: c }, { value: b }] }, [b, c]],
      [{ op: "replace", value: { members: [{ value: a }] } }, [a]],
      [{ op: "add", path: "members", value: { value: c } }, [a, c]],
      [{ op: "remove", path: 'members[display eq "person 0"]' }, [c]],
      [{ op: "remove", path: "members" }, []],
      [{ op: "replace", path: "members", value: [] }, []],
    ];
    for (const [operation, expected] of steps) {
      for (let time = 0; time < 2; time++) {
        const { status, body } = await world.patch(`/Groups/${id}`, operation);
        expect([operation, status, memberIds(body)]).toEqual([operation, 200, expected.toSorted()]);
      }
    }
  });

  test("several operations are one after the other, and all or none", async () => {
    const group = await world.makeGroup("Several", ids(0, 1));
    const { body } = await world.patch(
      `/Groups/${group.id}`,
      { op: "remove", path: `members[value eq "${people[0]!.id}"]` },
      { op: "add", path: "members", value: [{ value: people[2]!.id }] },
      { op: "replace", path: "displayName", value: "Several Things" },
    );
    expect([body.displayName, memberIds(body)]).toEqual(["Several Things", ids(1, 2)]);
    const failed = await world.patch<Failure>(
      `/Groups/${group.id}`,
      { op: "remove", path: "members" },
      { op: "replace", path: "nonsense", value: 1 },
    );
    expect([failed.status, failed.body.scimType]).toEqual([400, "invalidPath"]);
    expect(memberIds(await get(group.id))).toEqual(ids(1, 2));
  });

  test("unknown people do not lose the others; the answer and the audit name them", async () => {
    const group = await world.makeGroup("Unknown", ["nobody", people[0]!.id]);
    expect(memberIds(group)).toEqual(ids(0));
    const { status, headers, body } = await world.patch(`/Groups/${group.id}`, {
      op: "add",
      path: "members",
      value: [{ value: "gone, really" }, { value: people[1]!.id }, { value: "nobody" }],
    });
    expect([status, memberIds(body)]).toEqual([200, ids(0, 1)]);
    expect(headers.get("x-scim-unknown-members")?.split(", ").map(decodeURIComponent).toSorted()).toEqual([
      "gone, really",
      "nobody",
    ]);
    const { rows } = await world.client.execute(
      "SELECT detail FROM audit_events WHERE action = 'scim.group.updated' ORDER BY id DESC LIMIT 1",
    );
    expect(JSON.parse(String(rows[0]!.detail))).toMatchObject({
      before: { memberCount: 1 },
      after: { memberCount: 2 },
      unknown_members: expect.arrayContaining(["nobody", "gone, really"]),
    });
    const put = await world.scim("PUT", `/Groups/${group.id}`, {
      displayName: "Unknown",
      members: [{ value: "nobody" }, { value: people[2]!.id }],
    });
    expect([put.status, memberIds(put.body)]).toEqual([200, ids(2)]);
    expect(put.headers.get("x-scim-unknown-members")).toBe("nobody");
  });

  test("a group of another organization has only that organization's people", async () => {
    await world.client.execute(
      "INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at) VALUES ('sea', 'Sea', 1, 0, '{}', 0, 0)",
    );
    const theirs = await world.person({ organizationId: "sea" });
    await world.client.execute(
      "INSERT INTO groups (id, organization_id, name, permissions, created_at, updated_at) VALUES ('crew', 'sea', 'Sea Crew', '{}', 0, 0)",
    );
    const value = [{ value: theirs.id }, { value: people[0]!.id }];
    const { headers, body } = await world.patch("/Groups/crew", { op: "add", path: "members", value });
    expect(memberIds(body)).toEqual([theirs.id]);
    expect(headers.get("x-scim-unknown-members")).toBe(people[0]!.id);
  });

  test("parallel changes of one group lose nothing of each other", async () => {
    const group = await world.makeGroup("Parallel", ids(0));
    await Promise.all([
      ...people
        .slice(1)
        .map(({ id }) => world.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: id }] })),
      world.patch(`/Groups/${group.id}`, { op: "remove", path: `members[value eq "${people[0]!.id}"]` }),
      world.patch(`/Groups/${group.id}`, { op: "replace", path: "displayName", value: "Parallel Lines" }),
    ]);
    const now = await get(group.id);
    expect([now.displayName, memberIds(now)]).toEqual(["Parallel Lines", ids(1, 2, 3, 4)]);
  });

  test("whom a sign-in provider's claim put there is there by SCIM once SCIM says so", async () => {
    const group = await world.makeGroup("Claimed");
    await world.client.execute({
      sql: "INSERT INTO group_members (group_id, user_id, source, created_at) VALUES (?, ?, 'oidc', 0)",
      args: [group.id, people[0]!.id],
    });
    await world.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: people[0]!.id }] });
    const { rows } = await world.client.execute({
      sql: "SELECT source FROM group_members WHERE group_id = ?",
      args: [group.id],
    });
    expect(rows.map((row) => row.source)).toEqual([null]);
  });

  test("5,000 of them go in and out in one call each, without reading the list; a PATCH then answers 204", async () => {
    const total = 5000;
    await world.client.execute({
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO users (id, email, name, role, active, organization_id, organization_role, last_active_at, created_at, updated_at)
        SELECT 'many-' || i, 'many' || i || '@harbour.example', 'Many ' || i, 'user', 1, '00000000-0000-7000-8000-000000000001', 'member', 0, 0, 0 FROM n`,
      args: [total],
    });
    const everyone = Array.from({ length: total }, (_, n) => ({
      value: `many-${n + 1}`,
      display: `Many ${n + 1}`,
      $ref: `http://parley.test${base}/Users/many-${n + 1}`,
    }));
    const group = await world.makeGroup("Many");
    const path = `/Groups/${group.id}`;
    const count = async () => memberIds(await get(group.id)).length;
    expect((await world.patch(path, { op: "add", path: "members", value: everyone })).status).toBe(204);
    expect(await count()).toBe(total);
    // What was read before is noted a moment later.
    await world.settled();
    world.roundTrips.reset();
    const { status, body } = await world.patch<unknown>(path, {
      op: "remove",
      path: "members",
      value: everyone.slice(0, 10),
    });
    expect([status, body, world.roundTrips.count]).toEqual([204, "", 2]);
    expect(await count()).toBe(total - 10);
    const asked = await world.patch(`${path}?excludedAttributes=members`, {
      op: "add",
      path: "members",
      value: everyone.slice(0, 3),
    });
    expect([asked.status, asked.body.displayName, "members" in asked.body]).toEqual([200, "Many", false]);
    const put = await world.scim("PUT", path, { displayName: "Many", members: everyone });
    expect(memberIds(put.body)).toHaveLength(total);
    expect((await world.patch(path, { op: "replace", path: "members", value: everyone.slice(0, 2) })).status).toBe(200);
    expect(await count()).toBe(2);
  });

  test("people who may have something open are looked at again, and nobody else", async () => {
    const open = await world.person();
    const group = await world.makeGroup("Rights", [people[0]!.id]);
    world.live.rechecked.length = 0;
    await world.patch(`/Groups/${group.id}`, {
      op: "add",
      path: "members",
      value: [{ value: open.id }, { value: people[1]!.id }],
    });
    await world.settled();
    expect(world.live.rechecked).toEqual([open.id]);
    await world.patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: open.id }] });
    await world.settled();
    expect(world.live.rechecked).toEqual([open.id]);
    await world.scim("DELETE", `/Groups/${group.id}`);
    await world.settled();
    expect(world.live.rechecked).toEqual([open.id, open.id]);
  });
});

describe("replacing, renaming, deleting", () => {
  test("PUT sets name, externalId and members; without a list of members they stay", async () => {
    const group = await world.makeGroup("Put", ids(0, 1), { externalId: "put-1" });
    const renamed = (await world.scim("PUT", `/Groups/${group.id}`, { displayName: "Put Again" })).body;
    expect([renamed.displayName, renamed.externalId, memberIds(renamed)]).toEqual(["Put Again", undefined, ids(0, 1)]);
    const emptied = (await world.scim("PUT", `/Groups/${group.id}`, { displayName: "Put Again", members: [] })).body;
    expect(memberIds(emptied)).toEqual([]);
    expect((await world.scim("PUT", `/Groups/${group.id}`, { members: [] })).status).toBe(400);
  });

  test("a new name, or the old one in another case, keeps the members; externalId comes and goes", async () => {
    const group = await world.makeGroup("Rename", ids(0));
    const path = `/Groups/${group.id}`;
    const pathless = await world.patch(path, { op: "replace", value: { id: group.id, displayName: "RENAME" } });
    expect([pathless.status, pathless.body.displayName, memberIds(pathless.body)]).toEqual([200, "RENAME", ids(0)]);
    expect((await world.patch(path, { op: "add", path: "externalId", value: "r-1" })).body.externalId).toBe("r-1");
    expect((await world.patch(path, { op: "remove", path: "externalId" })).body).not.toHaveProperty("externalId");
    expect((await world.patch(path, { op: "remove", path: "displayName" })).status).toBe(400);
  });

  test("lastModified moves with members and names, and only when they change", async () => {
    const group = await world.makeGroup("Times", ids(0));
    const path = `/Groups/${group.id}`;
    const same = await world.patch(path, { op: "add", path: "members", value: [{ value: people[0]!.id }] });
    expect(same.body.meta).toEqual(group.meta);
    const added = await world.patch(path, { op: "add", path: "members", value: [{ value: people[1]!.id }] });
    expect(added.body.meta.lastModified > group.meta.lastModified).toBe(true);
    const renamed = await world.patch(path, { op: "replace", path: "displayName", value: "Times Two" });
    expect(renamed.body.meta.lastModified > added.body.meta.lastModified).toBe(true);
  });

  test("DELETE really deletes, and its people lose what it gave", async () => {
    const group = await world.makeGroup("Gone", ids(0));
    expect((await world.scim("DELETE", `/Groups/${group.id}`)).status).toBe(204);
    expect((await world.scim<Failure>("GET", `/Groups/${group.id}`)).body).toMatchObject({
      status: "404",
      schemas: [errorUrn],
    });
    expect((await world.scim("DELETE", `/Groups/${group.id}`)).status).toBe(404);
    const { groups } = (await world.scim("GET", `/Users/${people[0]!.id}`)).body;
    expect((groups as { value: string }[]).map(({ value }) => value)).not.toContain(group.id);
    await world.makeGroup("Gone");
  });

  test("unknown groups are 404 for every verb", async () => {
    const answers = [
      await world.scim("GET", "/Groups/nothing"),
      await world.scim("PUT", "/Groups/nothing", { displayName: "X", members: [{ value: people[0]!.id }] }),
      await world.patch("/Groups/nothing", { op: "add", path: "members", value: [{ value: people[0]!.id }] }),
      await world.scim("DELETE", "/Groups/nothing"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await world.call(`${base}/Groups/nothing`, { as: token })).headers.get("content-type")).toBe(
      "application/scim+json",
    );
  });
});

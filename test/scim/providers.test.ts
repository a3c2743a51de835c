import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  base,
  createScimWorld,
  enterpriseUrn,
  groupUrn,
  type List,
  newAddress,
  patchUrn,
  type Resource,
  type ScimWorld,
  token,
  userUrn,
} from "./scim-world.ts";

/**
 * What identity providers really send, as `user-demands.md`, section 1.1, has it; every exchange twice, as every synchronization
 * repeats what it is not sure of.
 */
let world: ScimWorld;
beforeEach(async () => {
  world = await createScimWorld();
});
afterEach(() => world.close());

/** Entra ID sends to the address as the administrator typed it in: with the flag, where there is one. */
const modes = [
  { mode: "without its flag", flag: "" },
  { mode: "with its flag", flag: "?aadOptscim062020" },
];

const get = async (path: string) => (await world.scim("GET", path)).body;
const memberIds = (group: Resource) => (group.members as { value: string }[]).map(({ value }) => value);

/** The same call two times; both must succeed and leave the same. */
async function twice<T>(call: () => Promise<{ status: number; headers: Headers; body: T }>, path: string): Promise<T> {
  const first = await call();
  expect([first.status, first.headers.get("content-type")]).toEqual([200, "application/scim+json"]);
  const between = await get(path);
  const second = await call();
  expect(second.status).toBe(200);
  expect(await get(path)).toEqual(between);
  return second.body;
}

describe.each(modes)("Entra ID $mode", ({ flag }) => {
  const patch = (path: string, ...Operations: unknown[]) =>
    twice(() => world.scim("PATCH", `${path}${flag}`, { schemas: [patchUrn], Operations }), path);
  const lookUp = async (path: string) => {
    const { status, headers, body } = await world.call<List>(`${base}${path}${flag.replace("?", "&")}`, { as: token });
    expect([status, headers.get("content-type")]).toEqual([200, "application/scim+json"]);
    return body;
  };

  test("tests the connection with an id that nobody has", async () => {
    for (const attribute of ["userName", "externalId", "id"]) {
      const body = await lookUp(`/Users?filter=${attribute}+eq+%226764549b-ef60-4d3b-b1ae-67c1a5f3f4d1%22`);
      expect(body).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
    }
    const groups = await lookUp("/Groups?excludedAttributes=members&filter=displayName+eq+%226764549b%22");
    expect(groups.totalResults).toBe(0);
  });

  test("creates a person as its gallery does, with extensions, and finds them in the case they were sent", async () => {
    const userName = `Test_User_${newAddress()}`;
    const sent = {
      schemas: [userUrn, enterpriseUrn],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName,
      active: true,
      displayName: "BillG",
      emails: [{ type: "work", value: userName, primary: true }],
      name: { formatted: "Bill Gates", familyName: "Gates", givenName: "Bill" },
      [enterpriseUrn]: { department: "Sales", manager: "26118915" },
      meta: { resourceType: "User" },
      roles: [],
    };
    const { status, body } = await world.scim("POST", `/Users${flag}`, sent);
    expect(status).toBe(201);
    const { [enterpriseUrn]: _, meta: __, roles: ___, schemas: ____, ...kept } = sent;
    expect(body).toMatchObject(kept);
    for (const value of [userName, userName.toUpperCase()]) {
      const found = await lookUp(`/Users?filter=${encodeURIComponent(`userName eq "${value}"`)}`);
      expect(found.Resources).toEqual([body]);
    }
    const both = await lookUp(
      `/Users?filter=${encodeURIComponent(`externalId eq "${sent.externalId}" and userName eq "${userName}"`)}`,
    );
    expect(both.totalResults).toBe(1);
    expect((await world.scim("POST", `/Users${flag}`, sent)).status).toBe(409);
  });

  test("switches people off, and reads them afterwards", async () => {
    const person = await world.makeUser();
    const path = `/Users/${person.id}`;
    const off = flag
      ? { op: "replace", path: "active", value: false }
      : { op: "Replace", path: "active", value: "False" };
    expect((await patch(path, off)).active).toBe(false);
    expect(
      (await lookUp(`/Users?filter=${encodeURIComponent(`userName eq "${String(person.userName)}"`)}`)).Resources,
    ).toMatchObject([{ id: person.id, active: false }]);
    const on = flag ? { op: "replace", path: "active", value: true } : { op: "Replace", path: "active", value: "True" };
    expect((await patch(path, on)).active).toBe(true);
    // One tenant sends both dialects.
    expect((await patch(path, { op: "Replace", path: "active", value: "false" })).active).toBe(false);
  });

  test("changes attributes", async () => {
    const person = await world.makeUser({ displayName: "Before", name: { givenName: "A", familyName: "B" } });
    const path = `/Users/${person.id}`;
    const address = newAddress();
    const operations = flag
      ? [
          {
            op: "replace",
            value: {
              displayName: "After",
              "name.givenName": "Given",
              "name.familyName": "Family",
              externalId: "entra-1",
              'emails[type eq "work"].value': address,
              [`${enterpriseUrn}:employeeNumber`]: "701984",
              [`${enterpriseUrn}:department`]: "Bridge",
            },
          },
        ]
      : [
          { op: "Replace", path: "displayName", value: "After" },
          { op: "Add", path: "name.givenName", value: "Given" },
          { op: "Replace", path: "name.familyName", value: "Family" },
          { op: "Add", path: "externalId", value: "entra-1" },
          { op: "Replace", path: 'emails[type eq "work"].value', value: address },
          { op: "Add", path: `${enterpriseUrn}:department`, value: "Bridge" },
          { op: "Add", path: `${enterpriseUrn}:manager`, value: "26118915" },
          { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+1 555" },
        ];
    const changed = await patch(path, ...operations);
    expect(changed).toMatchObject({
      displayName: "After",
      name: { givenName: "Given", familyName: "Family" },
      externalId: "entra-1",
      emails: [{ type: "work", value: address }],
    });
    expect((await lookUp(`/Users?filter=${encodeURIComponent('externalId eq "entra-1"')}`)).Resources).toEqual([
      changed,
    ]);
  });

  test("creates a work e-mail where the filter finds none", async () => {
    const person = await world.makeUser({ emails: [{ value: newAddress(), type: "home" }] });
    const address = newAddress();
    const changed = await patch(`/Users/${person.id}`, {
      op: "Add",
      path: 'emails[type eq "work"].value',
      value: address,
    });
    expect(changed.emails).toContainEqual(expect.objectContaining({ type: "work", value: address }));
    expect(changed.emails).toHaveLength(2);
  });

  test("keeps a group's members", async () => {
    const [a, b] = [await world.makeUser(), await world.makeUser()];
    const { status, body: group } = await world.scim("POST", `/Groups${flag}`, {
      schemas: [groupUrn, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "Pilots",
      members: [],
      meta: { resourceType: "Group" },
    });
    expect(status).toBe(201);
    const path = `/Groups/${group.id}`;
    await patch(
      path,
      { op: "Add", path: "members", value: [{ $ref: null, value: a.id }] },
      { op: "Add", path: "members", value: [{ $ref: null, value: b.id }] },
    );
    expect(memberIds(await get(path))).toEqual([a.id, b.id].toSorted());
    const removal = flag
      ? { op: "remove", path: `members[value eq "${a.id}"]` }
      : { op: "Remove", path: "members", value: [{ $ref: null, value: a.id }] };
    await patch(path, removal);
    expect(memberIds(await get(path))).toEqual([b.id]);
    await patch(
      path,
      flag
        ? { op: "replace", value: { displayName: "Sea Pilots" } }
        : { op: "Replace", path: "displayName", value: "Sea Pilots" },
    );
    expect(memberIds(await get(path))).toEqual([b.id]);
    const found = await lookUp(
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "sea pilots"')}`,
    );
    expect(found.Resources).toMatchObject([
      { id: group.id, displayName: "Sea Pilots", externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159" },
    ]);
    expect(found.Resources[0]).not.toHaveProperty("members");
    const one = await lookUp(`/Groups/${group.id}?excludedAttributes=members`);
    expect(one).not.toHaveProperty("members");
    const isMember = await lookUp(
      `/Groups?filter=${encodeURIComponent(`id eq "${group.id}" and members eq "${b.id}"`)}`,
    );
    expect(isMember.totalResults).toBe(1);
  });
});

describe("Okta, custom apps: everything is PUT", () => {
  const put = (path: string, body: unknown) => twice(() => world.scim("PUT", path, body), path);

  test("a person through their life", async () => {
    const userName = newAddress();
    expect((await world.find("Users", `userName eq "${userName}"`)).totalResults).toBe(0);
    const profile = {
      schemas: [userUrn],
      userName,
      name: { givenName: "Test", familyName: "User" },
      emails: [{ primary: true, value: userName, type: "work" }],
      displayName: "Test User",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    };
    const { status, body } = await world.scim("POST", "/Users", profile);
    expect(status).toBe(201);
    const path = `/Users/${body.id}`;
    const full = { ...profile, id: body.id, meta: body.meta };
    expect(await put(path, { ...full, name: { givenName: "Another", familyName: "User" } })).toMatchObject({
      name: { givenName: "Another" },
    });
    expect((await put(path, { ...full, active: false })).active).toBe(false);
    const { active: _, ...silent } = full;
    expect((await put(path, silent)).active).toBe(false);
    expect((await put(path, full)).active).toBe(true);
    expect((await put(path, silent)).active).toBe(true);
    expect((await world.scim("POST", "/Users", profile)).status).toBe(409);
  });

  test("a group through its life", async () => {
    const [a, b] = [await world.makeUser(), await world.makeUser()];
    const group = await world.makeGroup("Test SCIMv2");
    const path = `/Groups/${group.id}`;
    const members = [a, b].map(({ id, userName }) => ({ value: id, display: userName }));
    expect(
      memberIds(await put(path, { schemas: [groupUrn], id: group.id, displayName: "Test SCIMv2", members })),
    ).toHaveLength(2);
    expect(
      memberIds(
        await put(path, { schemas: [groupUrn], id: group.id, displayName: "Renamed", members: members.slice(1) }),
      ),
    ).toEqual([b.id]);
    expect(memberIds(await put(path, { schemas: [groupUrn], id: group.id, displayName: "Renamed Again" }))).toEqual([
      b.id,
    ]);
  });
});

describe("Okta, catalogue apps: PATCH to switch on and off, PUT for the rest", () => {
  const patch = (path: string, ...Operations: unknown[]) =>
    twice(() => world.scim("PATCH", path, { schemas: [patchUrn], Operations }), path);

  test("switches people off and on without a path", async () => {
    const path = `/Users/${(await world.makeUser()).id}`;
    expect((await patch(path, { op: "replace", value: { active: false } })).active).toBe(false);
    expect((await patch(path, { op: "replace", value: { active: true } })).active).toBe(true);
    expect((await patch(path, { op: "replace", value: { password: "t1meMa$heen" } })).active).toBe(true);
  });

  test("renames a group, its id along, before every push of members: nobody is lost", async () => {
    const [a, b] = [await world.makeUser(), await world.makeUser()];
    const group = await world.makeGroup("Push", [a.id]);
    const path = `/Groups/${group.id}`;
    expect(memberIds(await patch(path, { op: "replace", value: { id: group.id, displayName: "Push Group" } }))).toEqual(
      [a.id],
    );
    const pushed = await patch(
      path,
      { op: "remove", path: `members[value eq "${a.id}"]` },
      { op: "add", path: "members", value: [{ value: b.id, display: "b@harbour.example" }] },
    );
    expect([pushed.displayName, memberIds(pushed)]).toEqual(["Push Group", [b.id]]);
    const replaced = await patch(path, {
      op: "replace",
      path: "members",
      value: [{ value: a.id, displayName: "x" }, { value: b.id }],
    });
    expect(memberIds(replaced)).toHaveLength(2);
    const unknown = await patch(path, {
      op: "replace",
      path: "members",
      value: [{ value: a.id }, { value: "00unknown" }],
    });
    expect(memberIds(unknown)).toEqual([a.id]);
  });

  test("imports by pages of integers, everyone with both parts of a name", async () => {
    await Promise.all(Array.from({ length: 5 }, () => world.makeUser()));
    await world.person({ name: "Plato" });
    const pages = [1, 4].map((startIndex) => world.scim<List>("GET", `/Users?startIndex=${startIndex}&count=3`));
    const everyone = (await Promise.all(pages)).flatMap(({ body }) => {
      expect([body.totalResults, body.itemsPerPage]).toEqual([6, 3]);
      return body.Resources;
    });
    expect(new Set(everyone.map(({ id }) => id)).size).toBe(6);
    for (const { name } of everyone) {
      const { givenName, familyName } = name as { givenName: string; familyName: string };
      expect(givenName.length * familyName.length).toBeGreaterThan(0);
    }
  });

  test("its own test suite", async () => {
    expect((await world.call(`${base}/Users?count=1&startIndex=1`)).status).toBe(401);
    const missing = await world.scim("GET", "/Users/010101001010101011001010101011");
    expect([missing.status, missing.body]).toEqual([
      404,
      expect.objectContaining({ detail: expect.any(String), schemas: expect.any(Array) }),
    ]);
    const user = {
      schemas: [userUrn],
      userName: newAddress(),
      name: { givenName: "Okta", familyName: "Runscope" },
      emails: [{ primary: true, value: newAddress(), type: "work" }],
      displayName: "Okta Runscope",
      active: true,
    };
    const made = await world.scim("POST", "/Users", user);
    expect([made.status, made.body.active]).toEqual([201, true]);
    expect((await world.scim("POST", "/Users", user)).status).toBe(409);
    const listed = await world.find("Users", `userName eq "${user.userName.toUpperCase()}"`);
    expect(listed.Resources).toEqual([made.body]);
  });
});

describe("OneLogin and authentik", () => {
  test("OneLogin's schema of old is not looked at", async () => {
    const body = {
      schemas: ["urn:scim:schemas:core:2.0", userUrn],
      userName: newAddress(),
      name: { givenName: "One", familyName: "Login" },
    };
    expect((await world.scim("POST", "/Users", body)).status).toBe(201);
    const group = await world.scim("POST", "/Groups", { schemas: ["urn:scim:schemas:core:2.0"], displayName: "One" });
    expect(group.status).toBe(201);
    const person = (await world.scim("POST", "/Users", { ...body, userName: newAddress() })).body;
    const operation = { op: "replace", path: "members", value: [{ value: person.id, display: person.userName }] };
    const changed = await twice(
      () => world.scim("PATCH", `/Groups/${group.body.id}`, { Operations: [operation] }),
      `/Groups/${group.body.id}`,
    );
    expect(memberIds(changed)).toEqual([person.id]);
  });

  test("authentik: full PUTs of groups, and PATCHes with an id in them", async () => {
    const [a, b] = [await world.makeUser(), await world.makeUser()];
    const group = await world.makeGroup("authentik", [], { externalId: "ak-1" });
    const path = `/Groups/${group.id}`;
    const full = {
      schemas: [groupUrn],
      id: group.id,
      externalId: "ak-1",
      displayName: "authentik",
      members: [{ value: a.id }],
    };
    expect(await twice(() => world.scim("PUT", path, full), path)).toMatchObject({ externalId: "ak-1" });
    const operations = [
      { op: "replace", path: null, value: { id: group.id, displayName: "authentik users", externalId: "ak-1" } },
      { op: "add", path: "members", value: [{ value: b.id }] },
    ];
    const changed = await twice(() => world.scim("PATCH", path, { schemas: [patchUrn], Operations: operations }), path);
    expect([changed.displayName, memberIds(changed)]).toEqual(["authentik users", [a.id, b.id].toSorted()]);
  });

  test("clients that send one operation for each attribute, and clients that send one for all, come to the same", async () => {
    const attributes = { displayName: "Same", externalId: "same-1", active: false };
    const [a, b] = [await world.makeUser(), await world.makeUser()];
    await world.patch(
      `/Users/${a.id}`,
      ...Object.entries(attributes).map(([path, value]) => ({ op: "replace", path, value })),
    );
    await world.patch(`/Users/${b.id}`, { op: "replace", value: { ...attributes, externalId: "same-2" } });
    expect(await get(`/Users/${a.id}`)).toMatchObject(attributes);
    expect(await get(`/Users/${b.id}`)).toMatchObject({ ...attributes, externalId: "same-2" });
  });
});

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { evaluateFilter } from "../../src/scim/filter/evaluate-filter.ts";
import { parseFilter } from "../../src/scim/filter/parse-filter.ts";
import { groupAttributes } from "../../src/scim/groups/group-attributes.ts";
import { userAttributes } from "../../src/scim/users/user-attributes.ts";
import { createScimWorld, errorUrn, type Failure, type List, type Resource, type ScimWorld } from "./scim-world.ts";

let world: ScimWorld;
let everyone: Resource[];
let groups: Resource[];
const names = [
  "Ada Lovelace",
  "grace hopper",
  "Plato",
  "Ünal Öz",
  "ada Zeta",
  "Émile  du Châtelet",
  'O\'Brien "Q" 100%_\\',
];

beforeAll(async () => {
  world = await createScimWorld();
  for (const [n, displayName] of names.entries()) {
    await world.makeUser({
      userName: `${n % 2 ? "User" : "user"}${n}@harbour.example`,
      displayName,
      ...(n % 3 === 0 && { externalId: `Ext-${n}` }),
      ...(n % 2 === 0 && { name: { givenName: `Given${n}`, middleName: "M" } }),
      ...(n % 3 === 1 && {
        emails: [
          { value: `a${n}@x.example`, type: "home" },
          { value: `B${n}@y.example`, type: "work", primary: true },
        ],
      }),
      active: n % 4 !== 0,
    });
    world.advance(100);
  }
  const local = await world.person({ name: "Local Person" });
  await world.client.execute({
    sql: `UPDATE users SET oauth = '{"oidc":{"sub":"Sub-1"}}' WHERE id = ?`,
    args: [local.id],
  });
  everyone = (await world.scim<List>("GET", "/Users")).body.Resources;
  groups = [];
  for (const n of [0, 1, 2])
    groups.push(
      await world.makeGroup(
        `Group ${n}`,
        everyone.slice(0, n).map(({ id }) => id),
        n ? { externalId: `g${n}` } : {},
      ),
    );
  everyone = (await world.scim<List>("GET", "/Users")).body.Resources;
});
afterAll(() => world.close());

const list = async (query: string, kind = "Users") => (await world.scim<List>("GET", `/${kind}?${query}`)).body;
const idsOf = (page: List) => page.Resources.map(({ id }) => id);

describe("paging", () => {
  test("the envelope says what it holds; pages by startIndex have everyone once, in an order that does not change", async () => {
    const all = await list("");
    expect(all).toMatchObject({ totalResults: names.length + 1, startIndex: 1, itemsPerPage: names.length + 1 });
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= all.totalResults; startIndex += 3) {
      const page = await list(`startIndex=${startIndex}&count=3`);
      expect([page.totalResults, page.startIndex, page.itemsPerPage]).toEqual([
        all.totalResults,
        startIndex,
        page.Resources.length,
      ]);
      seen.push(...idsOf(page));
      // What changes in between moves nobody.
      await world.patch(`/Users/${seen[0]!}`, { op: "replace", path: "displayName", value: `Changed ${startIndex}` });
    }
    expect(seen).toEqual(idsOf(all));
    await world.patch(`/Users/${seen[0]!}`, { op: "replace", path: "displayName", value: names[0] });
  });

  test.each([
    ["count=0", 0, 1],
    ["count=-5", 0, 1],
    ["startIndex=0", 8, 1],
    ["startIndex=-3&count=2", 2, 1],
    ["startIndex=1000", 0, 1000],
    ["startIndex=99999999999999999999", 0, 1_000_000_000],
    ["count=1000", 8, 1],
  ])("%s", async (query, itemsPerPage, startIndex) => {
    expect(await list(query)).toMatchObject({ totalResults: names.length + 1, itemsPerPage, startIndex });
  });

  test.each(["count=x", "count=1.5", "startIndex=1e3", "startIndex=one", "count="])(
    "%s is 400 invalidValue",
    async (query) => {
      const { status, body } = await world.scim<Failure>("GET", `/Users?${query}`);
      expect([status, body.schemas, body.scimType]).toEqual([400, [errorUrn], "invalidValue"]);
    },
  );

  test("filtered results are paged too, and no page is larger than the configuration says", async () => {
    const page = await list(`filter=${encodeURIComponent("active eq true")}&count=2&startIndex=2`);
    expect([page.itemsPerPage, page.startIndex]).toEqual([2, 2]);
    expect(page.totalResults).toBe(everyone.filter(({ active }) => active).length);
    const big = await createScimWorld();
    await big.client.execute(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
      INSERT INTO users (id, email, name, role, organization_id, last_active_at, created_at, updated_at)
      SELECT 'u' || i, i || '@x.example', 'N', 'user', '00000000-0000-7000-8000-000000000001', 0, 0, 0 FROM n`);
    const pages = await Promise.all([big.scim<List>("GET", "/Users?count=1000"), big.scim<List>("GET", "/Users")]);
    expect(pages.map(({ body }) => [body.itemsPerPage, body.totalResults])).toEqual([
      [200, 250],
      [100, 250],
    ]);
    await big.close();
  });
});

describe("sorting", () => {
  const by = (sortBy: string, sortOrder = "ascending") =>
    list(`sortBy=${encodeURIComponent(sortBy)}&sortOrder=${sortOrder}`);
  const lower = (text: unknown) => String(text).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

  test.each(["userName", "USERNAME", "urn:ietf:params:scim:schemas:core:2.0:User:userName"])(
    "by %s, without its case",
    async (name) => {
      const sorted = (await by(name)).Resources.map(({ userName }) => lower(userName));
      expect(sorted).toEqual(sorted.toSorted());
      expect((await by(name, "descending")).Resources.map(({ userName }) => lower(userName))).toEqual(
        sorted.toReversed(),
      );
    },
  );

  test("equals follow their ids in both directions, and every attribute that sorts gives everyone once", async () => {
    const attributes = [
      "id",
      "externalId",
      "displayName",
      "name.givenName",
      "name.familyName",
      "name.formatted",
      "name.middleName",
      "emails",
      "emails.value",
      "active",
      "meta.created",
      "meta.lastModified",
    ];
    for (const attribute of attributes) {
      for (const order of ["ascending", "Descending"]) {
        const page = idsOf(await by(attribute, order));
        expect([attribute, page.toSorted()]).toEqual([attribute, idsOf({ Resources: everyone } as List)]);
      }
    }
    const active = (await by("active", "descending")).Resources;
    for (const value of [true, false]) {
      const ids = active.filter((resource) => resource.active === value).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted());
    }
  });

  test("who has no value comes last, in descending order first", async () => {
    const has = async (order: string) =>
      (await by("externalId", order)).Resources.map((resource) => "externalId" in resource);
    expect(await has("ascending")).toEqual((await has("ascending")).toSorted((a, b) => Number(b) - Number(a)));
    expect(await has("descending")).toEqual((await has("descending")).toSorted((a, b) => Number(a) - Number(b)));
  });

  test.each(["sortBy=nothing", "sortBy=constructor", "sortBy=userName&sortOrder=up"])("%s is 400", async (query) => {
    expect((await world.scim<Failure>("GET", `/Users?${query}`)).body).toMatchObject({
      status: "400",
      scimType: "invalidValue",
    });
  });

  test("groups sort too", async () => {
    for (const attribute of ["displayName", "id", "externalId", "meta.created", "meta.lastModified"])
      expect(idsOf(await list(`sortBy=${attribute}&sortOrder=descending`, "Groups")).toSorted()).toEqual(
        groups.map(({ id }) => id),
      );
  });
});

describe("attributes and excludedAttributes", () => {
  const shown = async (query: string) => {
    const { schemas: _, id: __, ...rest } = (await world.scim("GET", `/Users/${everyone[1]!.id}?${query}`)).body;
    return rest;
  };

  test("only what is asked for comes, with id and schemas; names in any case, with or without URN", async () => {
    const { userName, displayName, name, emails } = everyone[1]!;
    expect(await shown("attributes=userName,DISPLAYNAME")).toEqual({ userName, displayName });
    expect(await shown("attributes=urn:ietf:params:scim:schemas:core:2.0:User:userName")).toEqual({ userName });
    expect(await shown("attributes=name")).toEqual({ name });
    expect(await shown("attributes=name.familyName")).toEqual({
      name: { familyName: (name as { familyName: string }).familyName },
    });
    expect(await shown("attributes=emails.value,nothing")).toEqual({
      emails: (emails as { value: string }[]).map(({ value }) => ({ value })),
    });
    expect(await shown("attributes=nothing")).toEqual({});
    expect(await shown("attributes=")).toMatchObject({ userName });
  });

  test("what is excluded goes, except what is always there", async () => {
    const { meta: _, groups: __, schemas: ___, id, name, ...rest } = everyone[1]!;
    const { givenName: ____, ...otherNames } = name as Record<string, string>;
    expect(await shown("excludedAttributes=meta,groups,id,schemas,name.givenName")).toEqual({
      ...rest,
      name: otherNames,
    });
    expect(await list("excludedAttributes=id&count=1")).toMatchObject({ Resources: [{ id: everyone[0]!.id }] });
    expect(id).toBe(everyone[1]!.id);
  });

  test("in lists, creations and changes too", async () => {
    const page = await list("attributes=displayName&filter=displayName%20eq%20%22Group%202%22", "Groups");
    expect(page.Resources.map(({ schemas: _, ...rest }) => rest)).toEqual([
      { id: groups[2]!.id, displayName: "Group 2" },
    ]);
    const without = await list("excludedAttributes=members&filter=displayName%20eq%20%22Group%202%22", "Groups");
    expect(without.Resources[0]).not.toHaveProperty("members");
    const made = await world.scim("POST", "/Groups?attributes=id", { displayName: "Projected" });
    expect([made.status, Object.keys(made.body).toSorted()]).toEqual([201, ["id", "schemas"]]);
    expect(made.headers.get("location")).toContain(made.body.id);
    await world.scim("DELETE", `/Groups/${made.body.id}`);
  });
});

describe("searching by POST", () => {
  test("is the same list as by GET", async () => {
    const body = {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],
      filter: 'userName sw "user1"',
      startIndex: 1,
      count: 5,
      attributes: ["userName"],
      sortBy: "userName",
    };
    const found = await world.scim<List>("POST", "/Users/.search", body);
    expect(found.status).toBe(200);
    expect(found.body).toEqual(
      await list("filter=userName%20sw%20%22user1%22&startIndex=1&count=5&attributes=userName&sortBy=userName"),
    );
    expect(
      (await world.scim<List>("POST", "/Groups/.search", { filter: 'displayName eq "group 1"' })).body.totalResults,
    ).toBe(1);
    expect((await world.scim("POST", "/Users/.search", { count: "x" })).status).toBe(400);
    expect((await world.scim("POST", "/Users/.search", [])).status).toBe(400);
  });
});

describe("filters", () => {
  test.each([
    "userName",
    "userName eq",
    'userName xx "a"',
    "userName eq ada",
    '(userName eq "a"',
    'nothing eq "a"',
    'userName eq "a" and',
    "active gt true",
    'meta.created gt "yesterday"',
    '"a" eq userName',
  ])("%s is 400 invalidFilter, never everyone", async (filter) => {
    const { status, body } = await world.scim<Failure>("GET", `/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.scimType, body.status]).toEqual([400, "invalidFilter", "400"]);
  });

  test("Entra ID's test of the connection: an id that is no address finds nobody, with 200", async () => {
    const { status, body } = await world.scim<List>(
      "GET",
      `/Users?filter=${encodeURIComponent('userName eq "6ae9e4bd-2b9e-4b2c-a5c0-4b8e33e0b9ad"')}`,
    );
    expect([status, body.totalResults, body.Resources]).toEqual([200, 0, []]);
  });

  const text = fc.constantFrom(
    "user1@harbour.example",
    "User3@HARBOUR.example",
    "Ext-0",
    "ext-0",
    "Sub-1",
    "Given0",
    "ada",
    "Ada Lovelace",
    "Ö",
    "Émile",
    "Group 1",
    "g1",
    "work",
    "o",
    "M",
    "%",
    "_",
    "\\",
    '"',
    "",
    "Zz",
  );
  const quoted = text.map((value) => JSON.stringify(value));
  const operators = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");
  const moments = fc.constantFrom(
    ...[0, 1, 2, 3].map((n) => JSON.stringify(new Date(Date.now() + n * 150_000).toISOString())),
  );
  const booleans = fc
    .constantFrom("active", "emails.primary")
    .chain((name) => fc.constantFrom(`${name} eq true`, `${name} ne true`, `${name} eq false`, `${name} pr`));
  const comparison = (attributes: string[]) =>
    fc.oneof(
      fc.tuple(fc.constantFrom(...attributes), operators, quoted).map((parts) => parts.join(" ")),
      fc.constantFrom(...attributes).map((attribute) => `${attribute} pr`),
      fc
        .tuple(
          fc.constantFrom("meta.created", "meta.lastModified"),
          fc.constantFrom("eq", "gt", "ge", "lt", "le"),
          moments,
        )
        .map((parts) => parts.join(" ")),
    );
  const combined = (leaf: fc.Arbitrary<string>) =>
    fc.letrec<{ filter: string }>((tie) => ({
      filter: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        fc
          .tuple(tie("filter"), fc.constantFrom("and", "or"), tie("filter"))
          .map(([a, operator, b]) => `(${a}) ${operator} (${b})`),
        tie("filter").map((filter) => `not (${filter})`),
      ),
    })).filter;

  const userFilters = combined(
    fc.oneof(
      {
        weight: 4,
        arbitrary: comparison([
          "userName",
          "externalId",
          "displayName",
          "name.givenName",
          "name.familyName",
          "name.formatted",
          "name.middleName",
          "emails.value",
          "emails.type",
          "emails",
          "groups.display",
          "id",
        ]),
      },
      { weight: 1, arbitrary: booleans },
      {
        weight: 1,
        arbitrary: fc
          .tuple(operators, quoted)
          .map(([operator, value]) => `emails[type eq "work" and value ${operator} ${value}]`),
      },
    ),
  );
  const groupFilters = combined(
    comparison(["displayName", "externalId", "members.value", "members.display", "members", "id"]),
  );

  const agree = async (kind: "Users" | "Groups", resources: Resource[], filter: string) => {
    const types = kind === "Users" ? userAttributes(fakeContext()) : groupAttributes(fakeContext());
    const parsed = parseFilter(filter);
    const expected = resources.filter((resource) => evaluateFilter(parsed, resource, types)).map(({ id }) => id);
    expect(idsOf(await list(`filter=${encodeURIComponent(filter)}`, kind))).toEqual(expected);
  };

  test("find, in SQL, exactly the people that a plain reading of their JSON says", async () => {
    const now = (await list("")).Resources;
    await fc.assert(
      fc.asyncProperty(userFilters, (filter) => agree("Users", now, filter)),
      { numRuns: 300 },
    );
  });

  test("and so for groups", async () => {
    const now = (await list("", "Groups")).Resources;
    await fc.assert(
      fc.asyncProperty(groupFilters, (filter) => agree("Groups", now, filter)),
      { numRuns: 150 },
    );
  });
});

/** For the tables of attributes: only names and types are read here. */
function fakeContext(): Context {
  return { settings: { SCIM_AUTH_PROVIDER: "oidc" }, origin: "http://parley.test" } as unknown as Context;
}

describe("what it costs", () => {
  test.each([
    ["Users", 'userName eq "user1@harbour.example"'],
    ["Users", 'externalId eq "Ext-0"'],
    ["Users", 'id eq "x"'],
    ["Users", 'userName eq "user1@harbour.example" and active eq true'],
    ["Groups", 'displayName eq "Group 1"'],
    ["Groups", 'externalId eq "g1"'],
    ["Groups", 'id eq "x" and members[value eq "y"]'],
  ])("%s by %s reads an index, not the table", async (kind, filter) => {
    const statements = await recorded(() => list(`filter=${encodeURIComponent(filter)}`, kind));
    const read = statements.filter(({ sql }) => /^select/i.test(sql) && sql.includes(`from "${kind.toLowerCase()}"`));
    expect(read).toHaveLength(2);
    for (const statement of read) {
      const plan = await world.client.execute({
        sql: `EXPLAIN QUERY PLAN ${statement.sql}`,
        args: statement.args as string[],
      });
      const steps = plan.rows.map((row) => String(row.detail));
      expect(steps.filter((step) => new RegExp(`^SCAN (${kind.toLowerCase()}|i|identities)\\b`).test(step))).toEqual(
        [],
      );
      expect(steps.some((step) => /^SEARCH/.test(step))).toBe(true);
    }
  });

  test("no call takes more than three round trips, whatever it answers", async () => {
    const cost = async (call: () => Promise<unknown>) => {
      await world.settled();
      world.roundTrips.reset();
      await call();
      await world.settled();
      return world.roundTrips.count;
    };
    const { id } = everyone[1]!;
    const made: Resource[] = [];
    const calls: (() => Promise<unknown>)[] = [
      () => world.scim("GET", "/Users?count=100"),
      () => world.scim("GET", `/Users/${id}`),
      () => world.scim("GET", "/Users/nobody"),
      () => world.find("Users", "broken"),
      async () => made.push(await world.makeUser()),
      () => world.scim("POST", "/Users", { userName: everyone[1]!.userName }),
      () => world.scim("POST", "/Users", { userName: "broken" }),
      () => world.scim("PUT", `/Users/${id}`, { userName: everyone[1]!.userName }),
      () => world.scim("PUT", `/Users/${id}`, { userName: everyone[2]!.userName }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "active", value: false }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "userName", value: everyone[2]!.userName }),
      () => world.patch(`/Users/${id}`, { op: "replace", path: "nothing", value: "x" }),
      () => world.patch("/Users/nobody", { op: "replace", path: "active", value: false }),
      () => world.scim("DELETE", `/Users/${made[0]!.id}`),
      () => world.scim("DELETE", "/Users/nobody"),
      () => world.scim("GET", "/Groups"),
      () => world.scim("POST", "/Groups", { displayName: "Cost", members: [{ value: id }] }),
      () => world.scim("POST", "/Groups", { displayName: "Cost" }),
      () => world.patch(`/Groups/${groups[0]!.id}`, { op: "add", path: "members", value: [{ value: id }] }),
      () => world.patch(`/Groups/${groups[0]!.id}`, { op: "replace", path: "displayName", value: "Cost" }),
      () => world.scim("PUT", `/Groups/${groups[0]!.id}`, { displayName: "Costs", members: [] }),
      () => world.scim("DELETE", `/Groups/${groups[0]!.id}`),
      () => world.scim("GET", "/ServiceProviderConfig"),
    ];
    for (const [index, call] of calls.entries())
      expect([index, await cost(call)]).toEqual([index, expect.toSatisfy((count: number) => count <= 3)]);
  });

  /** The statements that reach the database meanwhile. */
  async function recorded(work: () => Promise<unknown>) {
    const seen: { sql: string; args: unknown }[] = [];
    const { batch } = Object.getPrototypeOf(world.client) as typeof world.client;
    world.client.batch = function record(statements, mode) {
      for (const statement of statements)
        if (typeof statement === "object" && "sql" in statement)
          seen.push({ sql: statement.sql, args: statement.args });
      return batch.call(this, statements, mode);
    };
    try {
      await work();
    } finally {
      Reflect.deleteProperty(world.client, "batch");
    }
    return seen;
  }
});

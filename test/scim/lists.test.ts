import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDirectory, type Directory, idsOf, names } from "./directory.ts";
import { createScimWorld, errorUrn, type Failure, type List, type Resource } from "./scim-world.ts";

let world: Directory;
let everyone: Resource[];
let groups: Resource[];
let list: Directory["list"];
beforeAll(async () => {
  world = await createDirectory();
  ({ everyone, groups, list } = world);
});
afterAll(() => world.close());

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

test.each([[[5]], [true], [{}]])("a search with a count that is no number is 400: %#", async (count) => {
  const { body } = await world.scim<Failure>("POST", "/Users/.search", { count });
  expect(body).toMatchObject({ status: "400", scimType: "invalidValue" });
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
    expect(page.Resources).toEqual([{ schemas: groups[2]!.schemas, id: groups[2]!.id, displayName: "Group 2" }]);
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

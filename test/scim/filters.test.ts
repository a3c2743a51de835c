import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { compileFilter } from "../../src/scim/filter/evaluate-filter.ts";
import { parseFilter } from "../../src/scim/filter/parse-filter.ts";
import { groupAttributes } from "../../src/scim/groups/group-attributes.ts";
import { userAttributes } from "../../src/scim/users/user-attributes.ts";
import { createDirectory, type Directory, idsOf } from "./directory.ts";
import { type Failure, type List, type Resource } from "./scim-world.ts";

let world: Directory;
let list: Directory["list"];
beforeAll(async () => {
  world = await createDirectory();
  ({ list } = world);
});
afterAll(() => world.close());

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

  /** Whether the list is the resources that a plain reading of their JSON finds, in their order. */
  const agrees = async (kind: "Users" | "Groups", resources: Resource[], filter: string) => {
    const types = kind === "Users" ? userAttributes(fakeContext()) : groupAttributes(fakeContext());
    const parsed = parseFilter(filter);
    const expected = idsOf({ Resources: resources.filter((resource) => compileFilter(parsed, types)(resource)) });
    const found = idsOf(await list(`filter=${encodeURIComponent(filter)}`, kind));
    return JSON.stringify(found) === JSON.stringify(expected);
  };

  test("find, in SQL, exactly the people that a plain reading of their JSON says", async () => {
    const now = (await list("")).Resources;
    const property = fc.asyncProperty(userFilters, (filter) => agrees("Users", now, filter));
    expect((await fc.check(property, { numRuns: 300 })).counterexample).toBeNull();
  });

  test("and so for groups", async () => {
    const now = (await list("", "Groups")).Resources;
    const property = fc.asyncProperty(groupFilters, (filter) => agrees("Groups", now, filter));
    expect((await fc.check(property, { numRuns: 150 })).counterexample).toBeNull();
  });
});

/** For the tables of attributes: only names and types are read here. */
function fakeContext(): Context {
  return { settings: { SCIM_AUTH_PROVIDER: "oidc" }, origin: "http://parley.test" } as unknown as Context;
}

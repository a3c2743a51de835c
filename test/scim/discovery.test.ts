import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createScimWorld,
  errorUrn,
  type Failure,
  groupUrn,
  type List,
  type Resource,
  type ScimWorld,
  userUrn,
} from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

interface Attribute {
  name: string;
  mutability: string;
  uniqueness: string;
  returned: string;
  required: boolean;
  multiValued: boolean;
  subAttributes?: Attribute[];
}

test("the configuration says what is true, and what is not there", async () => {
  const { status, headers, body } = await world.scim<Record<string, unknown>>("GET", "/ServiceProviderConfig");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/scim+json");
  expect(body).toMatchObject({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: false },
    authenticationSchemes: [{ type: "oauthbearertoken" }],
    meta: { resourceType: "ServiceProviderConfig" },
  });
  const user = await world.scim("GET", "/Users?count=500");
  expect(user.status).toBe(200);
  expect(user.headers.get("etag")).toBeNull();
});

test.each(["/ResourceTypes", "/Schemas"])(
  "%s is a ListResponse, and each entry is at its own address",
  async (path) => {
    const { body } = await world.scim<List & { schemas: string[] }>("GET", path);
    expect(body.schemas).toEqual(["urn:ietf:params:scim:api:messages:2.0:ListResponse"]);
    expect([body.totalResults, body.itemsPerPage, body.startIndex]).toEqual([2, 2, 1]);
    for (const entry of body.Resources) {
      const one = await world.scim("GET", `${path}/${entry.id}`);
      expect(one.status).toBe(200);
      expect(one.body).toEqual(entry);
      expect(entry.meta.location).toBe(`http://parley.test/api/v1/scim/v2${path}/${entry.id}`);
      expect((await world.scim("GET", `${path}/${encodeURIComponent(entry.id)}`)).status).toBe(200);
    }
  },
);

test("resource types name their endpoints and have no extensions", async () => {
  const { body } = await world.scim<List>("GET", "/ResourceTypes");
  expect(body.Resources).toMatchObject([
    { id: "User", name: "User", endpoint: "/Users", schema: userUrn, schemaExtensions: [] },
    { id: "Group", name: "Group", endpoint: "/Groups", schema: groupUrn, schemaExtensions: [] },
  ]);
});

test("the schemas describe every attribute of the resources, and no other", async () => {
  const user = await world.makeUser({
    externalId: "schema-1",
    name: {
      formatted: "a",
      familyName: "b",
      givenName: "c",
      middleName: "d",
      honorificPrefix: "e",
      honorificSuffix: "f",
    },
    emails: [{ value: "schema@harbour.example", type: "work", primary: true, display: "x" }],
  });
  const group = await world.makeGroup("Schema", [user.id], { externalId: "g" });
  const member = (await world.scim("GET", `/Users/${user.id}`)).body;
  for (const [urn, resource] of [
    [userUrn, member],
    [groupUrn, group],
  ] as const) {
    const schema = (await world.scim<Resource & { attributes: Attribute[] }>("GET", `/Schemas/${urn}`)).body;
    const described = names(schema.attributes);
    const { schemas: _, ...attributes } = resource as unknown as Record<string, unknown>;
    expect(keys(attributes).toSorted()).toEqual(described.toSorted());
  }
});

test("what the schemas say of uniqueness and mutability", async () => {
  const of = async (urn: string) => {
    const { body } = await world.scim<Resource & { attributes: Attribute[] }>("GET", `/Schemas/${urn}`);
    return new Map(body.attributes.map((attribute) => [attribute.name, attribute]));
  };
  const user = await of(userUrn);
  expect(user.get("userName")).toMatchObject({ required: true, uniqueness: "server", mutability: "readWrite" });
  expect(user.get("externalId")).toMatchObject({ uniqueness: "server", caseExact: true });
  expect(user.get("groups")).toMatchObject({ mutability: "readOnly", multiValued: true });
  expect(user.get("id")).toMatchObject({ mutability: "readOnly", returned: "always" });
  expect((await of(groupUrn)).get("displayName")).toMatchObject({ required: true, uniqueness: "server" });
});

function names(attributes: Attribute[], prefix = ""): string[] {
  return attributes.flatMap(({ name, subAttributes }) =>
    subAttributes ? names(subAttributes, `${prefix}${name}.`) : `${prefix}${name}`,
  );
}

function keys(value: Record<string, unknown>, prefix = ""): string[] {
  return Object.entries(value).flatMap(([name, entry]) => {
    const inner: unknown = Array.isArray(entry) ? entry[0] : entry;
    return typeof inner === "object" && inner !== null
      ? keys(inner as Record<string, unknown>, `${prefix}${name}.`)
      : `${prefix}${name}`;
  });
}

test.each(["/ServiceProviderConfig", "/ResourceTypes", "/Schemas"])(
  "%s with a filter is 403: nobody shall believe that it was applied",
  async (path) => {
    const { status, body } = await world.scim<Failure>("GET", `${path}?filter=${encodeURIComponent('name eq "User"')}`);
    expect([status, body.schemas, body.status]).toEqual([403, [errorUrn], "403"]);
  },
);

test.each([
  ["/ServiceProviderConfig", "GET"],
  ["/ResourceTypes", "GET"],
  ["/ResourceTypes/User", "GET"],
  ["/Schemas", "GET"],
  [`/Schemas/${userUrn}`, "GET"],
  ["/Users", "GET, POST"],
  ["/Groups", "GET, POST"],
  ["/Users/0192d3a0-0000-7000-8000-000000000000", "GET, PUT, PATCH, DELETE"],
])("%s takes %s, and all else is 405", async (path, allowed) => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE"].filter((name) => !allowed.includes(name))) {
    for (const sent of [undefined, { schemas: [] }]) {
      const { status, headers, body } = await world.scim<Failure>(method, path, sent);
      expect([method, status, headers.get("allow")]).toEqual([method, 405, allowed]);
      expect(headers.get("content-type")).toBe("application/scim+json");
      expect(body).toEqual({ schemas: [errorUrn], status: "405", detail: expect.stringContaining(allowed) });
    }
  }
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createScimWorld,
  errorUrn,
  newAddress,
  type Failure,
  type List,
  type Resource,
  type ScimWorld,
} from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Users/${id}`)).body;

describe("people whom SCIM did not make", () => {
  test.each([
    ["Grace Hopper", { givenName: "Grace", familyName: "Hopper" }],
    ["Plato", { givenName: "Plato", familyName: "Plato" }],
    ["Ada King of  Lovelace", { givenName: "Ada", familyName: "King of  Lovelace" }],
  ])("%s is listed, with a name of two parts", async (name, parts) => {
    const person = await world.person({ name });
    const shown = await get(person.id);
    expect(shown).toMatchObject({
      userName: person.email,
      displayName: name,
      name: { ...parts, formatted: name },
      active: true,
    });
    expect(shown).not.toHaveProperty("externalId");
    expect((await world.find("Users", `id eq "${person.id}"`)).Resources).toEqual([shown]);
    expect(
      (
        await world.find(
          "Users",
          `name.givenName eq "${parts.givenName}" and name.familyName eq "${parts.familyName}" and id eq "${person.id}"`,
        )
      ).totalResults,
    ).toBe(1);
  });

  test("one who signs in by the provider is found by externalId, and linked by it for good", async () => {
    const person = await world.person();
    await world.client.execute({
      sql: `UPDATE users SET oauth = '{"oidc":{"sub":"linked"}}' WHERE id = ?`,
      args: [person.id],
    });
    expect((await world.find("Users", 'externalId eq "linked"')).Resources).toMatchObject([
      { id: person.id, externalId: "linked" },
    ]);
    await world.patch(`/Users/${person.id}`, { op: "add", path: "externalId", value: "by-scim" });
    expect((await world.find("Users", 'externalId eq "linked"')).totalResults).toBe(0);
    expect((await world.find("Users", 'externalId eq "by-scim"')).Resources).toMatchObject([{ id: person.id }]);
  });
});

describe("where people land", () => {
  let landing: ScimWorld;
  beforeEach(async () => {
    landing = await createScimWorld();
    return () => landing.close();
  });

  const home = async (id: string) =>
    (await landing.client.execute({ sql: "SELECT organization_id FROM users WHERE id = ?", args: [id] })).rows[0]!
      .organization_id;

  test("by attributes of the resource as it was sent, those of extensions too, else in the default organization", async () => {
    await landing.client.batch([
      "INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at) VALUES ('sea', 'Sea', 1, 0, '{}', 0, 0)",
      "INSERT INTO landing_rules (id, position, kind, attribute, value, organization_id, created_at) VALUES ('r', 0, 'attribute', 'department', 'Sea', 'sea', 0)",
    ]);
    const urn = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
    expect(await home((await landing.makeUser({ [urn]: { department: "Sea" } })).id)).toBe("sea");
    expect(await home((await landing.makeUser({ [`${urn}:department`]: "Sea" })).id)).toBe("sea");
    expect(await home((await landing.makeUser({ [urn]: { department: "Air" } })).id)).toBe(
      "00000000-0000-7000-8000-000000000001",
    );
  });

  test("nowhere: a clear refusal, and nothing is written but its audit row", async () => {
    await landing.client.execute("UPDATE organizations SET active = 0");
    const { status, body } = await landing.scim<Failure>("POST", "/Users", { userName: newAddress() });
    expect([status, body.schemas, body.status]).toEqual([403, [errorUrn], "403"]);
    expect(body.detail).toContain("No landing rule");
    const users = await landing.client.execute("SELECT count(*) AS n FROM users");
    expect(users.rows[0]!.n).toBe(0);
  });
});

const signIn = { OPENID_PROVIDER_URL: "https://id.harbour.example", OAUTH_CLIENT_ID: "parley" };

describe.each([
  ["without SCIM_AUTH_PROVIDER", { SCIM_AUTH_PROVIDER: "" }, "unset"],
  ["with a SCIM_AUTH_PROVIDER that is not configured", { ...signIn, SCIM_AUTH_PROVIDER: "microsoft" }, "unknown"],
])("%s", (_, environment, problem) => {
  let bare: ScimWorld;
  beforeAll(async () => {
    bare = await createScimWorld({ environment });
  });
  afterAll(() => bare.close());

  test("whatever uses a person's externalId is 500, and the detail names the variable", async () => {
    const person = await bare.makeUser();
    const answers = [
      await bare.scim<Failure>("POST", "/Users", { userName: newAddress(), externalId: "x" }),
      await bare.scim<Failure>("PUT", `/Users/${person.id}`, { userName: person.userName, externalId: "x" }),
      await bare.patch<Failure>(`/Users/${person.id}`, { op: "add", path: "externalId", value: "x" }),
      await bare.patch<Failure>(`/Users/${person.id}`, { op: "add", value: { externalId: "x" } }),
      await bare.patch<Failure>(`/Users/${person.id}`, { op: "remove", path: "externalId" }),
      await bare.scim<Failure>("GET", `/Users?filter=${encodeURIComponent('externalId eq "x"')}`),
      await bare.scim<Failure>("GET", `/Users?filter=${encodeURIComponent("active eq true and not (externalId pr)")}`),
      await bare.scim<Failure>("GET", "/Users?sortBy=externalId"),
    ];
    for (const { status, body } of answers) {
      expect([status, body.schemas, body.status]).toEqual([500, [errorUrn], "500"]);
      expect(body.detail).toContain("SCIM_AUTH_PROVIDER");
    }
    expect((await bare.scim("GET", `/Users/${person.id}`)).body).toEqual(person);
  });

  test("everything else works", async () => {
    const person = await bare.makeUser({ displayName: "Ada" });
    expect(
      (await bare.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: "False" })).body.active,
    ).toBe(false);
    expect((await bare.scim("PUT", `/Users/${person.id}`, { userName: person.userName, active: true })).status).toBe(
      200,
    );
    expect((await bare.scim<List>("GET", "/Users?sortBy=userName")).status).toBe(200);
    expect((await bare.makeGroup("With an id", [person.id], { externalId: "g" })).externalId).toBe("g");
    expect((await bare.scim<Resource>("DELETE", `/Users/${person.id}`)).status).toBe(204);
  });

  test("administrators and the log are told", async () => {
    const { body } = await bare.call("/api/v1/auths/admin/scim", { as: await bare.admin() });
    expect(body).toMatchObject({
      provider: environment.SCIM_AUTH_PROVIDER || null,
      provider_problem: problem,
      warnings: [expect.stringMatching(/^SCIM_AUTH_PROVIDER is .*fail with 500/)],
    });
    await bare.scim("POST", "/Users", { userName: newAddress(), externalId: "x" });
    const failures = bare.logged.filter(({ message }) => message === "request failed");
    expect(String(failures.at(-1)?.fields?.["error"])).toContain("SCIM_AUTH_PROVIDER is ");
  });
});

test("as long as no sign-in provider is configured, any ID is right; among several, one of theirs", async () => {
  const google = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  for (const environment of [
    { SCIM_AUTH_PROVIDER: "okta" },
    { ...signIn, SCIM_AUTH_PROVIDER: "oidc" },
    { ...signIn, ...google, SCIM_AUTH_PROVIDER: "google" },
  ]) {
    const right = await createScimWorld({ environment });
    const made = await right.scim("POST", "/Users", { userName: newAddress(), externalId: "x" });
    expect([made.status, made.body["externalId"]]).toEqual([201, "x"]);
    expect((await right.find("Users", 'externalId eq "x"')).totalResults).toBe(1);
    const status = await right.call("/api/v1/auths/admin/scim", { as: await right.admin() });
    expect(status.body["provider_problem"]).toBeNull();
    await right.close();
  }
});

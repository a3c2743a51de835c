import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScimWorld, errorUrn, newAddress, userUrn, type Failure, type ScimWorld } from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Users/${id}`)).body;

describe("creating", () => {
  test("answers 201 with the resource as it is then read, its address in the header, and nothing that is null", async () => {
    const sent = {
      schemas: [userUrn],
      userName: "Ada.Lovelace@Harbour.Example",
      externalId: "00uAda",
      displayName: "Ada, Countess of Lovelace",
      name: { givenName: "Augusta Ada", familyName: "King", honorificPrefix: "Lady" },
      emails: [
        { value: "private@harbour.example", type: "home" },
        { value: "Ada@Harbour.Example", type: "work", primary: true },
      ],
      active: true,
    };
    const { status, headers, body } = await world.scim("POST", "/Users", sent);
    expect(status).toBe(201);
    expect(headers.get("content-type")).toBe("application/scim+json");
    expect(headers.get("location")).toBe(body.meta.location);
    expect(body).toEqual({
      ...sent,
      id: body.id,
      name: { ...sent.name, formatted: "Lady Augusta Ada King" },
      groups: [],
      meta: {
        resourceType: "User",
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        lastModified: body.meta.created,
        location: `http://parley.test/api/v1/scim/v2/Users/${body.id}`,
      },
    });
    expect(await get(body.id)).toEqual(body);
    expect((await world.find("Users", 'userName eq "ada.lovelace@harbour.example"')).Resources).toEqual([body]);
    const { rows } = await world.client.execute({ sql: "SELECT * FROM users WHERE id = ?", args: [body.id] });
    expect(rows[0]).toMatchObject({
      email: "ada@harbour.example",
      name: "Ada, Countess of Lovelace",
      role: "user",
      active: 1,
      scim: '{"oidc":{"external_id":"00uAda"}}',
    });
  });

  test.each([
    [{ givenName: "Ann", familyName: "Lee" }, "Ann Lee"],
    [{ givenName: "Ann", middleName: "B", familyName: "Lee", honorificSuffix: "III" }, "Ann B Lee III"],
    [{ familyName: "Lee" }, "Lee"],
    [{ formatted: "Lee, Ann", givenName: "Ann" }, "Lee, Ann"],
    [{ honorificPrefix: "Dr." }, "Ann L"],
    [undefined, "Ann L"],
  ])(
    "name %j is formatted %s beside another display name, and is found and sorted as that",
    async (name, formatted) => {
      const made = await world.makeUser({ displayName: "Ann L", ...(name && { name }) });
      expect([made.displayName, (made as unknown as { name: { formatted: string } }).name.formatted]).toEqual([
        "Ann L",
        formatted,
      ]);
      const found = await world.find("Users", `name.formatted eq "${formatted}" and id eq "${made.id}"`);
      expect(found.Resources).toEqual([made]);
    },
  );

  test("the account's address is the primary e-mail, else the first, else the userName", async () => {
    const email = async (attributes: Record<string, unknown>) => {
      const { id } = await world.makeUser(attributes);
      const { rows } = await world.client.execute({ sql: "SELECT email FROM users WHERE id = ?", args: [id] });
      return rows[0]!.email;
    };
    expect(await email({ userName: "A1@Harbour.Example" })).toBe("a1@harbour.example");
    expect(
      await email({
        userName: "a2@harbour.example",
        emails: [{ value: "First@Harbour.Example" }, { value: "x@y.example" }],
      }),
    ).toBe("first@harbour.example");
    expect(
      await email({
        userName: "a3@harbour.example",
        emails: [{ value: "x2@y.example" }, { value: "p@y.example", primary: "True" }],
      }),
    ).toBe("p@y.example");
  });

  test.each([
    [{}, "invalidValue"],
    [{ userName: null }, "invalidValue"],
    [{ userName: "" }, "invalidValue"],
    [{ userName: 7 }, "invalidValue"],
    [{ userName: "ada" }, "invalidValue"],
    [{ userName: "ada@" }, "invalidValue"],
    [{ userName: "a b@harbour.example" }, "invalidValue"],
    [{ userName: `${"x".repeat(300)}@harbour.example` }, "invalidValue"],
    [{ userName: "bad1@harbour.example", emails: [{ value: "nobody" }] }, "invalidValue"],
    [{ userName: "bad3@harbour.example", active: "perhaps" }, "invalidValue"],
    [{ userName: "bad4@harbour.example", displayName: "two\nlines" }, "invalidValue"],
    [{ userName: "bad5@harbour.example", displayName: "x".repeat(201) }, "invalidValue"],
    [{ userName: "bad6@harbour.example", externalId: "x".repeat(501) }, "invalidValue"],
    [{ userName: "bad7@harbour.example", externalId: { a: 1 } }, "invalidValue"],
    [{ userName: "bad8@harbour.example", displayName: ["x"] }, "invalidValue"],
    [{ userName: "bad9@harbour.example", emails: "none" }, "invalidValue"],
    [{ userName: "bad10@harbour.example", name: { givenName: "\ud800" } }, "invalidValue"],
  ])("%j is refused with 400 %s, and nothing is written", async (body, scimType) => {
    const count = async () => (await world.client.execute("SELECT count(*) AS n FROM users")).rows[0]!.n;
    const before = await count();
    const answer = await world.scim<Failure>("POST", "/Users", body);
    expect([answer.status, answer.body.scimType, answer.body.status]).toEqual([400, scimType, "400"]);
    expect(typeof answer.body.detail).toBe("string");
    expect(await count()).toBe(before);
  });

  test("of several primary e-mails one stays primary (RFC 7643, section 2.4), and is the account's", async () => {
    const { emails, id } = await world.makeUser({
      emails: [
        { value: "p1@harbour.example", primary: true },
        { value: "p2@harbour.example", primary: true },
      ],
    });
    const primary = (emails as { value: string; primary?: boolean }[]).filter((email) => email.primary);
    expect(primary).toHaveLength(1);
    const { rows } = await world.client.execute({ sql: "SELECT email FROM users WHERE id = ?", args: [id] });
    expect(rows[0]!.email).toBe(primary[0]!.value);
  });

  test("schemas are not looked at: old providers send old ones, or none", async () => {
    for (const schemas of [["urn:scim:schemas:core:1.0", "urn:scim:schemas:core:2.0:User"], undefined])
      expect((await world.makeUser({ schemas })).schemas).toEqual([userUrn]);
  });

  test("attributes that are not kept do no harm: passwords, photos, extensions", async () => {
    const made = await world.makeUser({
      password: "correct horse battery",
      title: "Countess",
      photos: [{ value: "http://127.0.0.1/a.png" }],
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Engines" },
      __proto__: { polluted: true },
      groups: [{ value: "somewhere" }],
    });
    expect(Object.keys(made).toSorted()).toEqual([
      "active",
      "displayName",
      "emails",
      "groups",
      "id",
      "meta",
      "name",
      "schemas",
      "userName",
    ]);
    expect(made.groups).toEqual([]);
    const { rows } = await world.client.execute({ sql: "SELECT 1 FROM passwords WHERE user_id = ?", args: [made.id] });
    expect(rows).toEqual([]);
    await world.settled();
    const audit = await world.client.execute("SELECT detail FROM audit_events");
    expect(JSON.stringify(audit.rows)).not.toContain("correct horse");
  });
});

describe("replacing", () => {
  test("clears what is left out, but says nothing of active", async () => {
    const person = await world.makeUser({
      externalId: "cleared",
      displayName: "Long Name",
      name: { givenName: "Long", familyName: "Name", middleName: "M" },
      emails: [{ value: newAddress(), type: "work" }],
    });
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: false });
    const { status, body } = await world.scim("PUT", `/Users/${person.id}`, { userName: person.userName });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      userName: person.userName,
      displayName: person.userName,
      emails: [{ value: person.userName, type: "work", primary: true }],
      active: false,
    });
    expect(body).not.toHaveProperty("externalId");
    expect(body).not.toHaveProperty("name.middleName");
    expect((await world.find("Users", 'externalId eq "cleared"')).totalResults).toBe(0);
  });

  test("what was read can be sent back, and changes nothing", async () => {
    const person = await world.makeUser({ externalId: "roundtrip", name: { givenName: "Ada" }, displayName: "Ada L" });
    const { status, body } = await world.scim("PUT", `/Users/${person.id}`, person);
    expect(status).toBe(200);
    const { meta: _, ...before } = person;
    expect(body).toMatchObject(before);
    const again = await world.scim("PUT", `/Users/${person.id}`, body);
    expect(again.body).toEqual(body);
  });

  test("a body without a userName is 400, an unknown person 404, an id in the body means nothing", async () => {
    const person = await world.makeUser();
    expect((await world.scim("PUT", `/Users/${person.id}`, { displayName: "X" })).status).toBe(400);
    const other = { id: "other", userName: person.userName, displayName: "X" };
    expect((await world.scim("PUT", `/Users/${person.id}`, other)).body).toMatchObject({
      id: person.id,
      displayName: "X",
    });
    const { status, body } = await world.scim<Failure>("PUT", "/Users/nobody", { userName: newAddress() });
    expect([status, body.status]).toEqual([404, "404"]);
  });
});

describe("changing", () => {
  test("answers the state after the change, a PATCH of only externalId too", async () => {
    const person = await world.makeUser();
    const { status, body } = await world.patch(`/Users/${person.id}`, { op: "add", path: "externalId", value: "only" });
    expect([status, body.externalId]).toEqual([200, "only"]);
    expect(await get(person.id)).toEqual(body);
  });

  test("is all or nothing", async () => {
    const person = await world.makeUser();
    const failing = [
      { op: "replace", path: "nothing", value: "x" },
      { op: "replace", path: "id", value: "x" },
      { op: "remove", path: "userName" },
      { op: "replace", path: "userName", value: "no address" },
      { op: "frobnicate", path: "active", value: true },
      { op: "replace", path: "active", value: "maybe" },
    ];
    for (const operation of failing) {
      const answer = await world.patch<Failure>(
        `/Users/${person.id}`,
        { op: "replace", path: "displayName", value: "New" },
        operation,
      );
      expect([operation, answer.status]).toEqual([operation, 400]);
      expect(answer.body.scimType).toMatch(/^(invalidPath|invalidValue|invalidSyntax|mutability|noTarget)$/);
    }
    expect(await get(person.id)).toEqual(person);
  });

  test("of an unknown person is 404, of nothing at all 400", async () => {
    const operation = { op: "replace", path: "active", value: false };
    const { status, body } = await world.patch<Failure>("/Users/nobody", operation);
    expect([status, body.schemas]).toEqual([404, [errorUrn]]);
    const person = await world.makeUser();
    for (const wrong of [{}, { Operations: [] }, { Operations: "x" }, { Operations: [null] }])
      expect((await world.scim("PATCH", `/Users/${person.id}`, wrong)).status).toBe(400);
  });

  test("lastModified moves when something changes, and only then", async () => {
    const person = await world.makeUser({ displayName: "Still" });
    const same = await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "Still" });
    expect(same.body.meta.lastModified).toBe(person.meta.lastModified);
    let last = person.meta.lastModified;
    for (const value of ["One", "Two"]) {
      const { body } = await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value });
      expect(body.meta.lastModified > last).toBe(true);
      last = body.meta.lastModified;
    }
    world.advance(60);
    const { body } = await world.scim("PUT", `/Users/${person.id}`, { userName: person.userName });
    expect(Date.parse(body.meta.lastModified) - Date.parse(last)).toBeGreaterThan(50_000);
    expect(body.meta.created).toBe(person.meta.created);
  });

  test("the account's address follows the e-mails, and stays where they do not change", async () => {
    const person = await world.makeUser();
    const email = async () =>
      (await world.client.execute({ sql: "SELECT email FROM users WHERE id = ?", args: [person.id] })).rows[0]!.email;
    await world.patch(`/Users/${person.id}`, {
      op: "add",
      path: "emails",
      value: [{ value: "home@else.example", type: "home" }],
    });
    expect(await email()).toBe(person.userName);
    await world.patch(`/Users/${person.id}`, {
      op: "replace",
      path: 'emails[type eq "work"].value',
      value: "New@Else.Example",
    });
    expect(await email()).toBe("new@else.example");
    await world.client.execute({
      sql: "UPDATE users SET email = 'set.here@else.example' WHERE id = ?",
      args: [person.id],
    });
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "Else" });
    expect(await email()).toBe("set.here@else.example");
  });

  test("a name that was not sent follows its parts; one that was sent is nobody else's", async () => {
    const person = await world.makeUser();
    const follows = await world.patch(`/Users/${person.id}`, {
      op: "add",
      path: "name",
      value: { givenName: "Ada", familyName: "King" },
    });
    expect(follows.body.displayName).toBe("Ada King");
    const named = await world.patch(`/Users/${person.id}`, { op: "add", path: "displayName", value: "Ada King" });
    expect(named.body.displayName).toBe("Ada King");
    const stays = await world.patch(`/Users/${person.id}`, {
      op: "replace",
      path: "name.familyName",
      value: "Lovelace",
    });
    expect(stays.body).toMatchObject({ displayName: "Ada King", name: { familyName: "Lovelace" } });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  createScimWorld,
  errorUrn,
  type Failure,
  type List,
  newAddress,
  type Resource,
  type ScimWorld,
  userUrn,
} from "./scim-world.ts";

let world: ScimWorld;
beforeAll(async () => {
  world = await createScimWorld();
});
afterAll(() => world.close());

const get = async (id: string) => (await world.scim("GET", `/Users/${id}`)).body;

function expectTaken({ status, body }: { status: number; body: unknown }): void {
  expect(status).toBe(409);
  expect(body).toMatchObject({ schemas: [errorUrn], status: "409", scimType: "uniqueness" });
}

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
      name: { ...sent.name, formatted: "Ada, Countess of Lovelace" },
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
    await world.makeUser({ schemas: ["urn:scim:schemas:core:1.0", "urn:scim:schemas:core:2.0:User"] });
    await world.makeUser({ schemas: undefined });
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

describe("who is taken", () => {
  test("a second POST is 409, whatever the case; also of somebody who is switched off, and of somebody's e-mail address", async () => {
    const address = newAddress();
    const person = await world.makeUser({ userName: address, emails: [{ value: `mail.${address}` }] });
    for (const userName of [address, address.toUpperCase(), `mail.${address}`, `MAIL.${address}`]) {
      expectTaken(await world.scim("POST", "/Users", { userName }));
      expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), emails: [{ value: userName }] }));
    }
    await world.scim("DELETE", `/Users/${person.id}`);
    expectTaken(await world.scim("POST", "/Users", { userName: address }));
    expect((await get(person.id)).active).toBe(false);
  });

  test("people whom SCIM did not make are not taken over by their address", async () => {
    const local = await world.person({ email: newAddress() });
    expectTaken(await world.scim("POST", "/Users", { userName: local.email, externalId: "takeover" }));
    expect(await world.find("Users", 'externalId eq "takeover"')).toMatchObject({ totalResults: 0 });
  });

  test("externalId is one person's, compared with its case, on every write", async () => {
    const first = await world.makeUser({ externalId: "Ext-1" });
    const second = await world.makeUser({ externalId: "ext-1" });
    const third = await world.makeUser();
    expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), externalId: "Ext-1" }));
    expectTaken(await world.scim("PUT", `/Users/${second.id}`, { userName: second.userName, externalId: "Ext-1" }));
    for (const op of ["add", "replace"]) {
      expectTaken(await world.patch(`/Users/${third.id}`, { op, path: "externalId", value: "Ext-1" }));
      expectTaken(await world.patch(`/Users/${third.id}`, { op, value: { externalId: "Ext-1", displayName: "No" } }));
    }
    expect(await get(third.id)).toEqual(third);
    expect(await get(second.id)).toEqual(second);
    expect(await get(first.id)).toEqual(first);
  });

  test("the subject under which somebody signs in is theirs too", async () => {
    const local = await world.person();
    await world.client.execute({
      sql: `UPDATE users SET oauth = '{"oidc":{"sub":"sub-1"},"google":{"sub":"sub-2"}}' WHERE id = ?`,
      args: [local.id],
    });
    expectTaken(await world.scim("POST", "/Users", { userName: newAddress(), externalId: "sub-1" }));
    expect((await world.scim("POST", "/Users", { userName: newAddress(), externalId: "sub-2" })).status).toBe(201);
    expect((await world.scim("PUT", `/Users/${local.id}`, { userName: local.email, externalId: "sub-1" })).status).toBe(
      200,
    );
  });

  test("userName and e-mail are looked at on PUT and PATCH, with nothing of the change applied", async () => {
    const first = await world.makeUser({ emails: [{ value: newAddress(), type: "work" }] });
    const second = await world.makeUser();
    const taken = [
      first.userName,
      String(first.userName).toUpperCase(),
      (first.emails as { value: string }[])[0]!.value,
    ];
    for (const address of taken) {
      expectTaken(await world.scim("PUT", `/Users/${second.id}`, { userName: address, displayName: "New" }));
      expectTaken(
        await world.scim("PUT", `/Users/${second.id}`, { userName: second.userName, emails: [{ value: address }] }),
      );
      expectTaken(
        await world.patch(
          `/Users/${second.id}`,
          { op: "replace", path: "displayName", value: "New" },
          { op: "replace", path: "userName", value: address },
        ),
      );
      expectTaken(
        await world.patch(`/Users/${second.id}`, {
          op: "replace",
          path: 'emails[type eq "work"].value',
          value: address,
        }),
      );
    }
    expect(await get(second.id)).toEqual(second);
  });

  test("an address that two accounts have come to share holds up no other change of theirs", async () => {
    const person = await world.makeUser({ userName: newAddress(), emails: [{ value: newAddress() }] });
    await world.person({ email: String(person.userName) });
    expect((await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: false })).status).toBe(
      200,
    );
    expect(
      (await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "New" })).status,
    ).toBe(200);
  });

  test("of parallel creations one wins, and the others hear 409", async () => {
    for (const attributes of [
      (n: number) => ({ userName: n % 2 ? "race@harbour.example" : "RACE@harbour.example" }),
      () => ({ userName: newAddress(), externalId: "race" }),
      () => ({ userName: newAddress(), emails: [{ value: "race2@harbour.example", primary: true }] }),
    ]) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => world.scim("POST", "/Users", attributes(n))),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) expectTaken(answer);
    }
  });

  test("of parallel changes to the same externalId one wins too", async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.makeUser()));
    const answers = await Promise.all(
      people.map(({ id, userName }, n) =>
        n % 2
          ? world.patch(`/Users/${id}`, { op: "add", path: "externalId", value: "contested" })
          : world.scim("PUT", `/Users/${id}`, { userName, externalId: "contested" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("parallel PATCHes of one person lose nothing of each other", async () => {
    const { id } = await world.makeUser();
    const changes = [
      { path: "displayName", value: "D" },
      { path: "name.givenName", value: "G" },
      { path: "name.familyName", value: "F" },
      { path: "externalId", value: "parallel" },
      { path: "active", value: false },
    ];
    const answers = await Promise.all(
      changes.map((change) => world.patch(`/Users/${id}`, { op: "replace", ...change })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await get(id)).toMatchObject({
      displayName: "D",
      name: { givenName: "G", familyName: "F" },
      externalId: "parallel",
      active: false,
    });
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

describe("switching off", () => {
  test("DELETE keeps the person and everything of theirs: 204, again 204, then GET 200 with active false", async () => {
    const person = await world.makeUser({ externalId: "off" });
    for (let time = 0; time < 2; time++) {
      const { status, body } = await world.scim("DELETE", `/Users/${person.id}`);
      expect([status, body]).toEqual([204, ""]);
    }
    expect(await get(person.id)).toMatchObject({ id: person.id, externalId: "off", active: false });
    expect((await world.find("Users", `userName eq "${String(person.userName)}"`)).totalResults).toBe(1);
    const back = await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: true });
    expect(back.body).toMatchObject({ id: person.id, active: true });
    expect((await world.scim<Failure>("DELETE", "/Users/nobody")).body.status).toBe("404");
  });

  test.each([
    ["DELETE", (id: string) => world.scim("DELETE", `/Users/${id}`)],
    ["PATCH", (id: string) => world.patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" })],
    [
      "PUT",
      async (id: string) => world.scim("PUT", `/Users/${id}`, { userName: (await get(id)).userName, active: false }),
    ],
  ])("by %s cuts sessions at once and closes what is open", async (_verb, off) => {
    const person = await world.person();
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(200);
    expect([200, 204]).toContain((await off(person.id)).status);
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
    expect(world.live.revoked).toContainEqual({ userId: person.id, reason: "account_inactive" });
    expect(world.live.rechecked).toContain(person.id);
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: true });
    // What was signed in has ended for good.
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
  });

  test("who is off already is not closed again, and a change of somebody who is off wakes nobody", async () => {
    const person = await world.makeUser({ active: false });
    const before = world.live.revoked.length;
    await world.scim("DELETE", `/Users/${person.id}`);
    await world.patch(`/Users/${person.id}`, { op: "replace", path: "displayName", value: "Off" });
    expect(world.live.revoked).toHaveLength(before);
  });

  test("activation does not approve who waits; waiting people are active", async () => {
    const waiting = await world.person({ role: "pending" });
    expect((await get(waiting.id)).active).toBe(true);
    await world.scim("DELETE", `/Users/${waiting.id}`);
    await world.patch(`/Users/${waiting.id}`, { op: "replace", path: "active", value: true });
    const { rows } = await world.client.execute({
      sql: "SELECT role, active FROM users WHERE id = ?",
      args: [waiting.id],
    });
    expect(rows[0]).toMatchObject({ role: "pending", active: 1 });
  });

  test("the last active administrator stays, by whatever verb, also when two are switched off at once", async () => {
    const small = await createScimWorld();
    const admin = await small.admin();
    const off = [
      () => small.scim<Failure>("DELETE", `/Users/${admin.id}`),
      () => small.patch<Failure>(`/Users/${admin.id}`, { op: "replace", path: "active", value: false }),
      () => small.patch<Failure>(`/Users/${admin.id}`, { op: "replace", value: { active: "False", displayName: "X" } }),
      () => small.scim<Failure>("PUT", `/Users/${admin.id}`, { userName: admin.email, active: false }),
    ];
    for (const attempt of off) {
      const { status, body } = await attempt();
      expect([status, body.status]).toEqual([409, "409"]);
      expect(body.detail).toContain("last active administrator");
      expect(body).not.toHaveProperty("scimType");
    }
    expect((await small.scim("GET", `/Users/${admin.id}`)).body).toMatchObject({ active: true, displayName: "Grace" });
    expect((await small.call("/api/v1/auths/", { as: admin })).status).toBe(200);
    const second = await small.person({ role: "admin" });
    const both = await Promise.all([admin, second].map(({ id }) => small.scim("DELETE", `/Users/${id}`)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
    await small.close();
  });
});

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

describe("without SCIM_AUTH_PROVIDER", () => {
  let bare: ScimWorld;
  beforeAll(async () => {
    bare = await createScimWorld({ environment: { SCIM_AUTH_PROVIDER: "" } });
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
});

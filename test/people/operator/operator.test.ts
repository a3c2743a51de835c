import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signOperatorToken } from "../../../src/people/operator/operator-token.ts";
import type { ImportedPerson, ImportResult } from "../../../src/people/operator/schema.ts";
import { createWorld, type World } from "../../world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = await signOperatorToken(world.services.tokens, world.services.now());
});
afterAll(() => world.close());

const ask = <T = Record<string, unknown>>(route: string, json: object, as = token) =>
  world.call<T>(`/api/v1/operator/${route}`, { json, as });

async function importPeople(...people: Partial<ImportedPerson>[]): Promise<ImportResult[]> {
  const { status, body } = await ask<{ people: ImportResult[] }>("people", { people });
  expect(status).toBe(200);
  return body.people;
}

const signIn = (email: string, password: string) =>
  world.call<{ role: string }>("/api/v1/auths/signin", { json: { email, password } });

async function auditOf(email: string) {
  const { rows } = await world.client.execute({
    sql: "SELECT action, actor_kind, actor_id FROM audit_events WHERE target_id = (SELECT id FROM users WHERE email = ?) AND action NOT LIKE 'auth.%' ORDER BY id",
    args: [email],
  });
  return rows.map(({ action, actor_kind: kind, actor_id: id }) => ({ action, kind, id }));
}

describe("who may", () => {
  test("nobody but the holder of the keys, an administrator neither", async () => {
    const admin = await world.admin();
    expect((await ask("people/administrator", { email: admin.email }, admin.token)).status).toBe(401);
    expect((await ask("people/administrator", { email: admin.email }, "sk-guess")).status).toBe(401);
  });

  test("a token is good for a minute, and opens nothing else", async () => {
    const old = await signOperatorToken(world.services.tokens, Math.floor(Date.now() / 1000) - 61);
    expect((await ask("people/administrator", { email: "ada@harbour.example" }, old)).status).toBe(401);
    expect((await world.call("/api/v1/users/", { as: token })).status).toBe(401);
    expect((await world.call("/api/v1/auths/", { as: token })).status).toBe(401);
  });
});

describe("the first administrator", () => {
  test("is created in a service that has none, and only then", async () => {
    const fresh = await createWorld();
    const own = await signOperatorToken(fresh.services.tokens, fresh.services.now());
    const send = (email: string) =>
      fresh.call("/api/v1/operator/first-administrator", {
        json: { email, name: "Ada", password: "lighthouse" },
        as: own,
      });
    const results = await Promise.all([send("ada@harbour.example"), send("bob@harbour.example")]);
    expect(results.map(({ body }) => body["created"]).toSorted()).toEqual([false, true]);
    const { rows } = await fresh.client.execute("SELECT role FROM users");
    expect(rows).toMatchObject([{ role: "admin" }]);
    expect((await send("ada@harbour.example")).body).toEqual({ created: false });
    await fresh.close();
  });

  test("is the person who has the address already, with the password of before", async () => {
    const fresh = await createWorld();
    const own = await signOperatorToken(fresh.services.tokens, fresh.services.now());
    const person = await fresh.person({ password: "their own" });
    const json = { email: person.email, name: "Ada", password: "lighthouse" };
    const { body } = await fresh.call("/api/v1/operator/first-administrator", { json, as: own });
    expect(body).toEqual({ created: false });
    const signedIn = await fresh.call("/api/v1/auths/signin", { json: { email: person.email, password: "their own" } });
    expect(signedIn.body).toMatchObject({ role: "admin" });
    await fresh.close();
  });
});

describe("people from a list", () => {
  test("can sign in with the password that was made, and it is then stored at the usual cost", async () => {
    const [person] = await importPeople({ email: "Cleo@Harbour.example", name: "Cleo" });
    expect(person).toMatchObject({ email: "cleo@harbour.example", status: "created" });
    expect(person!.password).toMatch(/^[a-z2-9]{6}(-[a-z2-9]{6}){2}-[a-z2-9]{4}$/);
    expect((await signIn("cleo@harbour.example", person!.password!)).body).toMatchObject({ role: "user" });
    expect(await auditOf("cleo@harbour.example")).toMatchObject([
      { action: "user.created", kind: "operator", id: null },
    ]);
  });

  test("keep what they have when the list comes again", async () => {
    const first = await importPeople({ email: "dan@harbour.example", name: "Dan", password: "first password" });
    expect(first).toEqual([{ email: "dan@harbour.example", status: "created" }]);
    expect(await importPeople({ email: "dan@harbour.example", name: "Other", password: "second" })).toEqual([
      { email: "dan@harbour.example", status: "exists" },
    ]);
    expect((await signIn("dan@harbour.example", "first password")).status).toBe(200);
  });

  test("one that is wrong keeps no other from being created", async () => {
    const results = await importPeople(
      { email: "no address", name: "X" },
      { email: "eve@harbour.example", name: "Eve", groups: ["Divers"] },
      { email: "finn@harbour.example", name: "Finn", organization: "Nowhere" },
      { email: "gus@harbour.example", name: "Gus", without_password: true },
    );
    expect(results).toEqual([
      {
        email: "no address",
        status: "failed",
        reason: expect.stringContaining("Not a valid e-mail address") as string,
      },
      { email: "eve@harbour.example", status: "failed", reason: 'There is no group "Divers" in this organization' },
      { email: "finn@harbour.example", status: "failed", reason: 'There is no active organization "Nowhere"' },
      { email: "gus@harbour.example", status: "created" },
    ]);
    const { rows } = await world.client.execute(
      "SELECT count(*) AS n FROM passwords WHERE user_id = (SELECT id FROM users WHERE email = 'gus@harbour.example')",
    );
    expect(rows).toMatchObject([{ n: 0 }]);
  });

  test("land in their organization and its groups", async () => {
    const admin = await world.admin();
    const organization = await world.call<{ id: string }>("/api/v1/organizations/", {
      json: { name: "Pier" },
      as: admin,
    });
    const group = await world.call<{ id: string }>("/api/v1/groups/create", {
      json: { name: "Pilots", description: "", organization_id: organization.body.id },
      as: admin,
    });
    const person = { email: "hal@harbour.example", name: "Hal", organization: "Pier", groups: ["Pilots"] };
    expect(await importPeople(person)).toMatchObject([{ status: "created" }]);
    const { rows } = await world.client.execute(
      "SELECT u.organization_id AS home, m.group_id AS pilots FROM users u JOIN group_members m ON m.user_id = u.id WHERE u.email = 'hal@harbour.example'",
    );
    expect(rows).toMatchObject([{ home: organization.body.id, pilots: group.body.id }]);
  });

  test("are refused as a whole when there are too many or none", async () => {
    expect((await ask("people", { people: [] })).status).toBe(422);
    const many = Array.from({ length: 101 }, (_, n) => ({ email: `p${n}@harbour.example`, name: "P" }));
    expect((await ask("people", { people: many })).status).toBe(422);
  });
});

describe("an account", () => {
  test("gets a new password, and its sessions end", async () => {
    const person = await world.person({ password: "old password" });
    const { body } = await ask<{ password: string }>("people/password", { email: person.email.toUpperCase() });
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(401);
    expect((await signIn(person.email, "old password")).status).toBe(400);
    expect((await signIn(person.email, body.password)).status).toBe(200);
    expect(await auditOf(person.email)).toMatchObject([{ action: "user.password_reset", kind: "operator" }]);
    await ask("people/password", { email: person.email, password: "chosen password" });
    expect((await signIn(person.email, "chosen password")).status).toBe(200);
    expect((await ask("people/password", { email: person.email, password: "" })).status).toBe(400);
  });

  test("becomes an administrator's, also one that is off", async () => {
    const person = await world.person({ active: false });
    expect((await ask("people/administrator", { email: person.email })).body).toEqual({
      email: person.email,
      role: "admin",
    });
    expect((await world.call("/api/v1/users/", { as: person })).status).toBe(200);
    expect((await auditOf(person.email)).map(({ action }) => action)).toEqual(["user.role_updated", "user.activated"]);
    // A second time nothing changes.
    await ask("people/administrator", { email: person.email });
    expect(await auditOf(person.email)).toHaveLength(2);
  });

  test("that there is not is 404", async () => {
    expect((await ask("people/administrator", { email: "nobody@harbour.example" })).status).toBe(404);
    expect((await ask("people/password", { email: "nobody@harbour.example" })).status).toBe(404);
  });
});

test("what a stop would interrupt is told", async () => {
  const { body } = await world.call("/api/v1/operator/work", { as: token });
  expect(body).toEqual({ model_calls: 0 });
});

test("a service account gets no password, and becomes no administrator", async () => {
  const service = await world.person({ email: "service-1@service.invalid", name: "Probe" });
  await world.client.execute({ sql: "UPDATE users SET kind = 'service' WHERE id = ?", args: [service.id] });
  for (const route of ["people/password", "people/administrator"])
    expect((await ask(route, { email: service.email })).status).toBe(409);
  expect(
    (await world.client.execute({ sql: "SELECT 1 FROM passwords WHERE user_id = ?", args: [service.id] })).rows,
  ).toEqual([]);
});

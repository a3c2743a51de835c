import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

interface Body {
  id: string;
  code: string;
  detail: string;
  role: string;
  users: { id: string; organization_id: string; organization_role: string; active: boolean }[];
  total: number;
  user_ids: string[];
  permissions: Record<string, Record<string, boolean>>;
}

let world: World;
let admin: Person;
/** Administers Quay. */
let chief: Person;
let colleague: Person;
let foreigner: Person;
/** A system administrator at home in Quay. */
let boss: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  await world.client.batch([
    "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES ('quay', 'Quay', 1, 0, NULL, '{}', 0, 0)",
    "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES ('pier', 'Pier', 1, 0, NULL, '{}', 0, 0)",
  ]);
  [chief, colleague, foreigner, boss] = [
    await chiefOf("quay"),
    await world.person({ name: "Colleague", organizationId: "quay" }),
    await world.person({ name: "Foreigner", organizationId: "pier" }),
    await world.person({ name: "Boss", organizationId: "quay", role: "admin" }),
  ];
});
afterEach(() => world.close());

const chiefOf = async (organizationId: string) => {
  const person = await world.person({ name: "Chief", organizationId });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [person.id] });
  return person;
};
const call = (path: string, json?: unknown, as: Person = chief, method?: string) =>
  world.call<Body>(path, {
    as,
    ...(json === undefined ? {} : { json }),
    ...(method === undefined ? {} : { method }),
  });
const update = (person: Person | string, json: unknown, as: Person = chief) =>
  call(`/api/v1/users/${typeof person === "string" ? person : person.id}/update`, json, as);
const row = async (person: Person) =>
  (await world.client.execute({ sql: "SELECT * FROM users WHERE id = ?", args: [person.id] })).rows[0]!;
const group = async (values: Record<string, unknown> = {}, as: Person = admin) =>
  (await call("/api/v1/groups/create", { name: "Crew", organization_id: "quay", ...values }, as)).body.id;

describe("administrators of an organization", () => {
  test.each(["/api/v1/users/", "/api/v1/users/all"])("find its people only at %s", async (path) => {
    const { status, body } = await call(path);
    expect(status).toBe(200);
    expect(new Set(body.users.map((user) => user.id))).toEqual(new Set([chief.id, colleague.id, boss.id]));
    expect(body.total).toBe(3);
    expect(body.users.find((user) => user.id === chief.id)).toMatchObject({
      organization_id: "quay",
      organization_role: "admin",
      active: true,
    });
    expect((await call(path, undefined, admin)).body.total).toBe(5);
    expect((await call(path, undefined, colleague)).status).toBe(403);
  });

  test("open the accounts of its people; others do not exist for them", async () => {
    for (const path of ["", "/groups"]) {
      expect((await call(`/api/v1/users/${colleague.id}${path}`)).status).toBe(200);
      expect((await call(`/api/v1/users/${foreigner.id}${path}`)).status).toBe(404);
      expect((await call(`/api/v1/users/${admin.id}${path}`)).status).toBe(404);
      expect((await call(`/api/v1/users/${colleague.id}${path}`, undefined, colleague)).status).toBe(403);
    }
  });

  test("change names, whether an account is on, the role up to user, and who else administers", async () => {
    const { status, body } = await update(colleague, {
      name: "Cleo",
      role: "pending",
      active: false,
      organization_role: "admin",
      // Forms send these along.
      email: colleague.email.toUpperCase(),
      password: "",
    });
    expect([status, body]).toMatchObject([
      200,
      { name: "Cleo", role: "pending", active: false, organization_role: "admin" },
    ]);
    expect((await update(colleague, { role: "user", active: true })).body).toMatchObject({
      role: "user",
      active: true,
    });
    const { rows } = await world.client.execute("SELECT action, organization_id FROM audit_events ORDER BY id");
    expect(rows.map((event) => event.action)).toEqual([
      "user.role_updated",
      "user.deactivated",
      "user.organization_role_updated",
      "user.name_updated",
      "user.role_updated",
      "user.activated",
    ]);
    expect(new Set(rows.map((event) => event.organization_id))).toEqual(new Set(["quay"]));
    expect(world.live.rechecked).toEqual([colleague.id, colleague.id]);
  });

  test.each([
    [{ role: "admin" }, "system administrator"],
    [{ password: "new one" }, "password"],
    [{ email: "other@harbour.example" }, "e-mail"],
    [{ name: "X", email: "grace@harbour.example" }, "e-mail"],
  ])("cannot give %j, to others or themselves", async (change, word) => {
    for (const person of [colleague, chief]) {
      const before = await row(person);
      expect(await update(person, change)).toMatchObject({
        status: 403,
        body: { code: "forbidden", detail: expect.stringContaining(word) },
      });
      expect(await row(person)).toEqual(before);
    }
    expect((await world.client.execute("SELECT 1 FROM audit_events")).rows).toEqual([]);
  });

  test.each([{ name: "X" }, { active: false }, { role: "user" }, { role: "pending" }, { organization_role: "member" }])(
    "cannot change a system administrator of their organization, not by %j",
    async (change) => {
      expect(await update(boss, change)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("system administrator") },
      });
      expect(await row(boss)).toMatchObject({ name: "Boss", role: "admin", active: 1 });
    },
  );

  test("find nobody of another organization to change, whoever it is", async () => {
    for (const person of [foreigner, admin, "nobody"])
      expect(await update(person, { name: "X" })).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await row(foreigner)).toMatchObject({ name: "Foreigner" });
  });

  test("delete nobody and move nobody", async () => {
    expect((await call(`/api/v1/users/${colleague.id}`, undefined, chief, "DELETE")).status).toBe(403);
    expect((await call("/api/v1/organizations/quay/members", { user_ids: [foreigner.id] })).status).toBe(403);
    expect((await update(colleague, { organization_id: "pier" })).status).toBe(200);
    expect(await row(colleague)).toMatchObject({ organization_id: "quay" });
  });

  test("lose all of it with the right, their role, their home or its activity, from the next request on", async () => {
    const seen = async () => (await call("/api/v1/users/")).status;
    await update(chief, { organization_role: "member" }, admin);
    expect(await seen()).toBe(403);
    await update(chief, { organization_role: "admin" }, admin);
    expect(await seen()).toBe(200);
    await call("/api/v1/organizations/pier/members", { user_ids: [chief.id] }, admin);
    expect(await seen()).toBe(403);
    expect(await row(chief)).toMatchObject({ organization_id: "pier", organization_role: "member" });
  });

  test("who wait for approval administer nothing", async () => {
    const waiting = await world.person({ organizationId: "quay", role: "pending" });
    await world.client.execute({
      sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?",
      args: [waiting.id],
    });
    expect((await call("/api/v1/users/", undefined, waiting)).status).toBe(403);
  });

  test("who take the right from each other at the same moment leave one at least", async () => {
    const second = await chiefOf("quay");
    const answers = await Promise.all([
      update(second, { organization_role: "member" }, chief),
      update(chief, { organization_role: "member" }, second),
    ]);
    // Only who acts first still may.
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 403]);
  });

  test("a system administrator sets the right anywhere, and nobody else sets the first one's", async () => {
    expect((await update(foreigner, { organization_role: "admin" }, admin)).body).toMatchObject({
      organization_role: "admin",
    });
    expect((await update(admin, { organization_role: "admin" }, boss)).status).toBe(403);
    expect((await update(foreigner, { organization_role: "owner" }, admin)).status).toBe(422);
  });

  test("need two round trips", async () => {
    const id = await group();
    const calls: [path: string, json?: unknown, method?: string][] = [
      ["/api/v1/users/"],
      ["/api/v1/users/all"],
      [`/api/v1/users/${colleague.id}`],
      [`/api/v1/users/${colleague.id}/update`, { name: "Cleo" }],
      ["/api/v1/auths/add", { name: "New", email: "new@harbour.example", password: "correct horse" }],
      ["/api/v1/groups/create", { name: "Deck" }],
      [`/api/v1/groups/id/${id}/users/add`, { user_ids: [colleague.id] }],
      [`/api/v1/groups/id/${id}/users/remove`, { user_ids: [colleague.id] }],
      [`/api/v1/groups/id/${id}/update`, { name: "Deck" }],
      [`/api/v1/groups/id/${id}/delete`, undefined, "DELETE"],
    ];
    for (const [path, json, method] of calls) {
      world.roundTrips.reset();
      expect([path, (await call(path, json, chief, method)).status, world.roundTrips.count]).toEqual([path, 200, 2]);
    }
  });
});

describe("accounts that an organization's administrators make", () => {
  const add = (json: Record<string, unknown> = {}, as: Person = chief) =>
    call("/api/v1/auths/add", { name: "New", email: "new@harbour.example", password: "correct horse", ...json }, as);

  test("belong to the organization, whatever the landing rules say", async () => {
    await world.client.execute(
      "INSERT INTO landing_rules VALUES ('1', 0, 'email_domain', '', 'harbour.example', 'pier', 0)",
    );
    const { status, body } = await add({ role: "user", organization_id: "pier" });
    expect(status).toBe(200);
    const made = await call(`/api/v1/users/${body.id}`);
    expect(made.body).toMatchObject({ organization_id: "quay", organization_role: "member", role: "user" });
    const { rows } = await world.client.execute("SELECT organization_id FROM audit_events");
    expect(rows).toMatchObject([{ organization_id: "quay" }]);
    expect((await add({ email: "by-admin@harbour.example" }, admin)).status).toBe(200);
    expect((await call("/api/v1/users/?query=by-admin", undefined, admin)).body.users).toMatchObject([
      { organization_id: "pier" },
    ]);
  });

  test("are never system administrators, and made by nobody else", async () => {
    expect((await add({ role: "admin" })).status).toBe(403);
    expect((await add({ role: "owner" })).status).toBe(422);
    expect((await add({}, colleague)).status).toBe(403);
    expect((await world.client.execute("SELECT 1 FROM users WHERE email = 'new@harbour.example'")).rows).toEqual([]);
  });
});

describe("groups of an organization", () => {
  test("are made for it by its administrators, for any by system administrators", async () => {
    const own = await call("/api/v1/groups/create", { name: "Deck" });
    expect(own.body).toMatchObject({ organization_id: "quay", external_id: null });
    expect((await call("/api/v1/groups/create", { name: "Deck" }, admin)).body).toMatchObject({
      organization_id: defaultOrganizationId,
    });
    // The default one too where the administrator belongs elsewhere.
    expect((await call("/api/v1/groups/create", { name: "Deck" }, boss)).body).toMatchObject({
      organization_id: defaultOrganizationId,
    });
    for (const [as, organization_id] of [
      [chief, "pier"],
      [chief, defaultOrganizationId],
      [chief, "nothing"],
      [admin, "nothing"],
    ] as const)
      expect(await call("/api/v1/groups/create", { name: "Deck", organization_id }, as)).toMatchObject({
        status: 422,
        body: { code: "validation_failed", issues: [{ path: "organization_id" }] },
      });
    expect((await call("/api/v1/groups/create", { name: "Deck" }, colleague)).status).toBe(403);
  });

  test("are listed to its administrators whole, and no others", async () => {
    await group({ name: "Quay's" });
    await group({ name: "Pier's", organization_id: "pier" });
    const general = await group({ name: "General", organization_id: defaultOrganizationId });
    await call(`/api/v1/groups/id/${general}/users/add`, { user_ids: [chief.id, colleague.id] }, admin);
    const names = async (as: Person, query = "") =>
      (await world.call<{ name: string }[]>(`/api/v1/groups/${query}`, { as })).body.map((entry) => entry.name);
    expect(await names(chief)).toEqual(["Quay's"]);
    expect(await names(chief, "?share=true")).toEqual(["Quay's"]);
    // What holds for a person is theirs, wherever it belongs; sharing ends at the border.
    expect(await names(colleague)).toEqual(["General"]);
    expect(await names(colleague, "?share=true")).toEqual([]);
    expect((await call(`/api/v1/groups/id/${general}/info`, undefined, colleague)).status).toBe(200);
    expect((await call(`/api/v1/groups/id/${general}/info`, undefined, foreigner)).status).toBe(404);
  });

  test("are 404 to administrators of another organization, in every call", async () => {
    const id = await group({ organization_id: "pier" });
    await call(`/api/v1/groups/id/${id}/users/add`, { user_ids: [foreigner.id] }, admin);
    const calls: [method: string, path: string, json?: unknown][] = [
      ["GET", ""],
      ["GET", "/export"],
      ["POST", "/users"],
      ["POST", "/update", { name: "Mine", permissions: {} }],
      ["POST", "/users/add", { user_ids: [colleague.id] }],
      ["POST", "/users/remove", { user_ids: [foreigner.id] }],
      ["DELETE", "/delete"],
    ];
    for (const [method, path, json] of calls)
      expect([path, (await call(`/api/v1/groups/id/${id}${path}`, json, chief, method)).status]).toEqual([path, 404]);
    expect((await call(`/api/v1/groups/id/${id}`, undefined, admin)).body).toMatchObject({
      name: "Crew",
      user_ids: [foreigner.id],
    });
    expect((await world.client.execute("SELECT action FROM audit_events")).rows.map((event) => event.action)).toEqual([
      "group.created",
      "group.members_added",
    ]);
  });

  test("take its people only; those of the default organization take anyone", async () => {
    const [own, general] = [await group(), await group({ organization_id: defaultOrganizationId })];
    const add = (id: string, person: Person, as: Person) =>
      call(`/api/v1/groups/id/${id}/users/add`, { user_ids: [person.id] }, as);
    expect((await add(own, foreigner, admin)).status).toBe(422);
    expect((await add(own, foreigner, chief)).status).toBe(422);
    expect((await add(own, admin, chief)).status).toBe(422);
    expect((await add(own, colleague, chief)).body.user_ids).toEqual([colleague.id]);
    expect((await add(general, foreigner, admin)).status).toBe(200);
    expect((await add(general, colleague, admin)).status).toBe(200);
  });

  test("of the default organization show and take from its administrators only their own people", async () => {
    const general = await group({ organization_id: defaultOrganizationId });
    const [harbourChief, ada] = [await chiefOf(defaultOrganizationId), await world.person({ name: "Ada" })];
    await call(`/api/v1/groups/id/${general}/users/add`, { user_ids: [foreigner.id, ada.id] }, admin);
    const shown = await call(`/api/v1/groups/id/${general}`, undefined, harbourChief);
    expect(shown.body.user_ids).toEqual([ada.id]);
    expect((await call(`/api/v1/groups/id/${general}/users`, undefined, harbourChief, "POST")).body).toMatchObject([
      { id: ada.id, organization_id: defaultOrganizationId, organization_role: "member", active: true },
    ]);
    // What it is and grants concerns others too.
    for (const [method, path, json] of [
      ["POST", "update", { name: "Mine", permissions: {} }],
      ["DELETE", "delete"],
    ] as const)
      expect(await call(`/api/v1/groups/id/${general}/${path}`, json, harbourChief, method)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining("other organizations") },
      });
    await call(`/api/v1/groups/id/${general}/users/remove`, { user_ids: [foreigner.id, ada.id] }, harbourChief);
    expect((await call(`/api/v1/groups/id/${general}`, undefined, admin)).body.user_ids).toEqual([foreigner.id]);
    expect(
      (await call(`/api/v1/groups/id/${general}/users/add`, { user_ids: [foreigner.id] }, harbourChief)).status,
    ).toBe(422);
    await call(`/api/v1/groups/id/${general}/users/remove`, { user_ids: [foreigner.id] }, admin);
    expect((await call(`/api/v1/groups/id/${general}/update`, { name: "Ours" }, harbourChief)).status).toBe(200);
  });

  test("grant nothing that the administrator does not have: not when made, changed or joined", async () => {
    const keys = { features: { api_keys: true } };
    const naming = { status: 403, body: { code: "forbidden", detail: expect.stringContaining("features.api_keys") } };
    expect(await call("/api/v1/groups/create", { name: "Keys", permissions: keys })).toMatchObject(naming);
    const plain = await group();
    expect(await call(`/api/v1/groups/id/${plain}/update`, { name: "Keys", permissions: keys })).toMatchObject(naming);
    const strong = await group({ permissions: keys });
    for (const person of [chief, colleague])
      expect(await call(`/api/v1/groups/id/${strong}/users/add`, { user_ids: [person.id] })).toMatchObject(naming);
    expect((await call(`/api/v1/groups/id/${strong}`, undefined, admin)).body.user_ids).toEqual([]);
    // What a system administrator has granted may stay as it is, and be taken away.
    const renamed = await call(`/api/v1/groups/id/${strong}/update`, { name: "Renamed", permissions: keys });
    expect([renamed.status, renamed.body.permissions]).toEqual([200, keys]);
    expect((await call(`/api/v1/groups/id/${strong}/update`, { name: "Weak", permissions: {} })).status).toBe(200);
    expect(await call(`/api/v1/groups/id/${strong}/update`, { name: "Back", permissions: keys })).toMatchObject(naming);
    // Once they have it themselves, they may.
    await call(`/api/v1/groups/id/${strong}/update`, { name: "Strong", permissions: keys }, admin);
    await call(`/api/v1/groups/id/${strong}/users/add`, { user_ids: [chief.id] }, admin);
    expect((await call(`/api/v1/groups/id/${strong}/users/add`, { user_ids: [colleague.id] })).status).toBe(200);
    expect((await call(`/api/v1/groups/id/${plain}/update`, { name: "Keys", permissions: keys })).status).toBe(200);
  });

  test("give nobody what the organization has switched off, nor let its administrators pass it on", async () => {
    await world.client.execute(`UPDATE organizations SET features = '{"api_keys": false}' WHERE id = 'quay'`);
    const strong = await group({ permissions: { features: { api_keys: true } } });
    await call(`/api/v1/groups/id/${strong}/users/add`, { user_ids: [chief.id] }, admin);
    expect((await call("/api/v1/users/permissions")).body).toMatchObject({ features: { api_keys: false } });
    expect((await call(`/api/v1/groups/id/${strong}/users/add`, { user_ids: [colleague.id] })).status).toBe(403);
  });

  test("tell the open connections of whom they concern", async () => {
    const id = await group();
    const rechecked = async () => {
      await world.settled();
      return world.live.rechecked.splice(0);
    };
    await call(`/api/v1/groups/id/${id}/users/add`, { user_ids: [colleague.id, boss.id] });
    expect((await rechecked()).sort()).toEqual([colleague.id, boss.id].sort());
    await call(`/api/v1/groups/id/${id}/update`, { name: "Only the name" });
    expect(await rechecked()).toEqual([]);
    await call(`/api/v1/groups/id/${id}/users/remove`, { user_ids: [boss.id, foreigner.id] });
    expect(await rechecked()).toEqual([boss.id]);
    await call(`/api/v1/groups/id/${id}/update`, { name: "Crew", permissions: {} });
    expect(await rechecked()).toEqual([colleague.id]);
    await call(`/api/v1/groups/id/${id}/delete`, undefined, chief, "DELETE");
    expect(await rechecked()).toEqual([colleague.id]);
  });
});

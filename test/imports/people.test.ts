import { hashSync } from "bcryptjs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeService } from "../people/service-accounts/service-world.ts";
import { ada, bo, createImportWorld, type ImportWorld } from "./import-world.ts";

let world: ImportWorld;
beforeEach(async () => {
  world = await createImportWorld({ ENABLE_API_KEYS: "true", USER_PERMISSIONS_FEATURES_API_KEYS: "true" });
});
afterEach(() => world.close());

const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a person", () => {
  test("arrives with everything that is kept of people", async () => {
    const [result] = await world.send([
      {
        ...ada,
        picture,
        password: hashSync("correct horse", 4),
        bio: "Counts",
        gender: "female",
        date_of_birth: "1815-12-10",
        timezone: "Europe/London",
        settings: { ui: { system: "Be short" } },
        info: { location: "London" },
        oauth: { google: { sub: "g-1" } },
        scim: { okta: { external_id: "o-1" } },
        created_at: 1_600_000_000,
        updated_at: 1_600_000_001,
        last_active_at: 1_600_000_002,
      },
    ]);
    expect(result).toEqual({
      kind: "person",
      id: ada.id,
      state: "created",
      earlier: false,
      target_id: ada.id,
      notes: [],
    });
    expect(await world.rows("SELECT * FROM users WHERE id = ?", ada.id)).toMatchObject([
      {
        email: "ada@harbour.example",
        name: "Ada Lovelace",
        role: "user",
        active: 1,
        bio: "Counts",
        gender: "female",
        date_of_birth: "1815-12-10",
        timezone: "Europe/London",
        settings: JSON.stringify({ ui: { system: "Be short" } }),
        info: JSON.stringify({ location: "London" }),
        created_at: 1_600_000_000,
        updated_at: 1_600_000_001,
        last_active_at: 1_600_000_002,
      },
    ]);
    expect(await world.rows("SELECT source, provider, external_id FROM identities ORDER BY source")).toEqual([
      { source: "oauth", provider: "google", external_id: "g-1" },
      { source: "scim", provider: "okta", external_id: "o-1" },
    ]);
    expect(await world.rows("SELECT url FROM profile_images")).toEqual([{ url: picture }]);
    expect(await world.rows("SELECT action FROM audit_events WHERE target_id = ?", ada.id)).toEqual([
      { action: "user.created" },
    ]);
    const signedIn = await world.call("/api/v1/auths/signin", {
      json: { email: ada.email, password: "correct horse" },
    });
    expect(signedIn).toMatchObject({ status: 200, body: { id: ada.id, role: "user" } });
  });

  test("brings providers of their own with sealed keys; those that cannot be called are left out and said", async () => {
    const of = (urls: string[]) => ({ OPENAI_API_BASE_URLS: urls, OPENAI_API_KEYS: ["sk-private-key"] });
    const settings = { ui: { system: "x", directConnections: of(["https://loose.example"]) } };
    const [kept, refused] = await world.send([
      { ...ada, settings, direct_connections: of(["https://p.example/v1", "https://q.example"]) },
      { ...bo, direct_connections: of(["http://10.0.0.1/v1"]) },
    ]);
    expect(kept!.notes).toEqual([
      "Their own connections to providers work once direct connections are switched on here",
    ]);
    expect(refused!.notes).toEqual([expect.stringMatching(/weren't kept: .*not a public address/)]);
    const rows = await world.rows("SELECT user_id, base_url, sealed_key FROM direct_connections ORDER BY base_url");
    expect(rows).toMatchObject([
      { user_id: ada.id, base_url: "https://p.example/v1" },
      { user_id: ada.id, base_url: "https://q.example", sealed_key: null },
    ]);
    const stored = JSON.stringify([
      rows,
      await world.rows("SELECT settings FROM users"),
      await world.rows("SELECT * FROM import_items"),
    ]);
    expect(stored).not.toMatch(/sk-private-key|loose/);
  });

  test("is not brought twice", async () => {
    await world.send([ada]);
    expect(await world.send([ada])).toMatchObject([{ state: "created", earlier: true, target_id: ada.id }]);
    expect(await world.rows("SELECT count(*) AS n FROM users")).toEqual([{ n: 2 }]);
  });

  test("waits, is switched off or administers here as there", async () => {
    const results = await world.send([
      { ...ada, role: "pending" },
      { ...bo, active: false },
      { ...bo, id: "third", email: "cy@harbour.example", role: "admin" },
    ]);
    expect(results.map(({ notes }) => notes)).toEqual([
      [],
      ["Is switched off here too"],
      ["Is an administrator here too"],
    ]);
    expect(
      await world.rows("SELECT role, active FROM users WHERE id <> ? ORDER BY email", world.administrator.id),
    ).toEqual([
      { role: "pending", active: 1 },
      { role: "user", active: 0 },
      { role: "admin", active: 1 },
    ]);
  });

  test("whose address is here is left out, or matched where that was asked for", async () => {
    const { email, id } = world.administrator;
    expect(await world.send([{ ...ada, email }])).toMatchObject([{ state: "left_out", target_id: null }]);
    expect(await world.send([{ ...ada, email }], { merge_by_email: true })).toMatchObject([
      { state: "matched", target_id: id },
    ]);
    expect(await world.rows("SELECT name FROM users")).toEqual([{ name: "Grace" }]);
  });

  test("is never matched with a service account", async () => {
    const { email } = await makeService(world, world.administrator);
    const records = [{ ...ada, email }];
    expect(await world.send(records, { merge_by_email: true })).toMatchObject([{ state: "left_out", target_id: null }]);
  });

  test("gets another id where theirs is taken, or could be something else", async () => {
    const results = await world.send([
      { ...ada, id: world.administrator.id },
      { ...bo, id: "*" },
      { ...bo, id: "../groups", email: "cy@harbour.example" },
    ]);
    for (const { state, target_id: target, notes } of results) {
      expect([state, notes[0]]).toEqual(["changed", `Its id was taken or isn't allowed: it is ${String(target)} here`]);
      expect(target).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("comes without what cannot be kept, and the report says so", async () => {
    await world.send([{ ...bo, oauth: { google: { sub: "g-1" } } }]);
    const [result] = await world.send([
      {
        ...ada,
        name: "Ada\nLovelace",
        password: "$2b$31$nonsense",
        picture: "data:image/svg+xml;base64,PHN2Zy8+",
        bio: { of: "another kind" },
        date_of_birth: "10 December",
        timezone: "<b>Nowhere</b>",
        settings: "x",
        oauth: { google: { sub: "g-1" } },
        left: ["the status"],
      },
    ]);
    expect(result).toMatchObject({ state: "changed" });
    expect(result!.notes).toEqual([
      "The bio wasn't kept",
      "The date of birth wasn't kept",
      "The time zone wasn't kept",
      "The settings wasn't kept",
      "The name was changed",
      "The picture wasn't kept: it isn't a PNG, JPEG, WebP or GIF of at most 300 KB",
      "The account at google belongs to somebody else here",
      "The password can't be checked here: an administrator has to set a new one",
      "Left out: the status",
    ]);
    expect(await world.rows("SELECT name, bio FROM users WHERE id = ?", ada.id)).toEqual([
      { name: "Ada Lovelace", bio: null },
    ]);
    expect(await world.rows("SELECT 1 FROM passwords WHERE user_id = ?", ada.id)).toEqual([]);
  });

  test("gets their home from the landing rules", async () => {
    const north = await world.call<{ id: string }>("/api/v1/organizations", {
      as: world.administrator,
      json: { name: "North" },
    });
    await world.call("/api/v1/landing-rules", {
      as: world.administrator,
      method: "PUT",
      json: { rules: [{ kind: "email_domain", value: "north.example", organization_id: north.body.id }] },
    });
    await world.send([{ ...ada, email: "ada@north.example" }]);
    expect(await world.rows("SELECT organization_id AS home FROM users WHERE id = ?", ada.id)).toEqual([
      { home: north.body.id },
    ]);
  });

  test("leaves no trace in a dry run", async () => {
    expect(await world.send([ada], { dry_run: true })).toMatchObject([{ state: "created" }]);
    expect(await world.rows("SELECT count(*) AS n FROM users")).toEqual([{ n: 1 }]);
    expect(await world.rows("SELECT count(*) AS n FROM import_items")).toEqual([{ n: 0 }]);
  });
});

describe("a group", () => {
  const crew = { kind: "group", id: "crew", name: "Crew" };

  test("arrives with its members and the permissions that there are", async () => {
    const [, , result] = await world.send([
      ada,
      bo,
      {
        ...crew,
        description: "All hands",
        permissions: { workspace: { models: true, skills: true }, chat: { delete: false }, features: { notes: false } },
        person_id: ada.id,
        members: [ada.id, bo.id, bo.id, "somebody"],
        share: "everyone",
        created_at: 1_600_000_000,
        notes: ["Groups below it: 1. Their members are members of this one here"],
      },
    ]);
    expect(result).toMatchObject({
      state: "changed",
      notes: [
        "1 of its members weren't imported",
        "Permissions that don't exist here: workspace.skills",
        "Groups below it: 1. Their members are members of this one here",
      ],
    });
    const { body } = await world.call(`/api/v1/groups/id/crew`, { as: world.administrator });
    expect(body).toMatchObject({
      name: "Crew",
      description: "All hands",
      user_id: ada.id,
      permissions: { workspace: { models: true }, chat: { delete: false } },
      data: { config: { share: true } },
      created_at: 1_600_000_000,
      user_ids: [ada.id, bo.id],
    });
    expect(await world.rows("SELECT action FROM audit_events WHERE target_id = 'crew'")).toEqual([
      { action: "group.created" },
    ]);
  });

  test("is not brought twice, and takes nobody else's id", async () => {
    await world.send([crew]);
    expect(await world.send([crew])).toMatchObject([{ earlier: true }]);
    expect(await world.rows("SELECT count(*) AS n FROM groups")).toEqual([{ n: 1 }]);
  });

  test("is no way to permissions by the names of objects", async () => {
    const permissions = JSON.parse(
      '{"__proto__":{"models":true},"constructor":{"name":true},"workspace":{"toString":true}}',
    );
    const [result] = await world.send([{ ...crew, permissions }]);
    expect(result!.state).not.toBe("failed");
    expect(await world.rows("SELECT permissions FROM groups")).toEqual([{ permissions: "{}" }]);
  });
});

describe("an API key", () => {
  const secret = "sk-0123456789abcdef0123456789abcdef";
  const key = { kind: "api_key", id: "key-1", person_id: ada.id, secret };

  test("goes on working, and only its hash is stored", async () => {
    const results = await world.send([ada, { ...key, name: "Backup", created_at: 1_600_000_000 }]);
    expect(results[1]).toMatchObject({ state: "created", target_id: "key-1" });
    expect(await world.call("/api/v1/auths/", { as: secret })).toMatchObject({ status: 200, body: { id: ada.id } });
    const tables = ["api_keys", "import_items", "audit_events"];
    for (const table of tables)
      expect(JSON.stringify(await world.rows(`SELECT * FROM ${table}`))).not.toContain(secret);
    const { body } = await world.call("/api/v1/auths/api_keys", { as: secret });
    expect(body).toMatchObject({
      api_keys: [{ id: "key-1", name: "Backup", hint: "cdef", created_at: 1_600_000_000, expires_at: null }],
    });
  });

  test("stops working at its end, which the lists tell", async () => {
    const end = world.services.now() + 100;
    await world.send([ada, { ...key, expires_at: end }]);
    const own = await world.call("/api/v1/auths/api_keys", { as: secret });
    const all = await world.call("/api/v1/auths/admin/api_keys", { as: world.administrator });
    for (const { body } of [own, all]) expect(body).toMatchObject({ api_keys: [{ id: "key-1", expires_at: end }] });
    await world.client.execute({ sql: "UPDATE api_keys SET expires_at = ?", args: [world.services.now()] });
    expect((await world.call("/api/v1/auths/", { as: secret })).status).toBe(401);
  });

  test.each([
    [{ person_id: "somebody" }, "Its owner wasn't imported"],
    [{ secret: "0123456789abcdef0123456789abcdef" }, "Keys start with sk- here: create a new one"],
    [{ secret: "sk-1234" }, "It's too short to be safe: create a new one"],
    [{ expires_at: 1_600_000_000 }, "It has expired"],
  ])("with %j is left out", async (change, reason) => {
    const results = await world.send([ada, { ...key, ...change }]);
    expect(results[1]).toMatchObject({ state: "left_out", target_id: null, notes: [reason] });
    expect(await world.rows("SELECT 1 FROM api_keys")).toEqual([]);
  });

  test("that is somebody else's stays theirs", async () => {
    await world.send([ada, bo, key]);
    expect(await world.send([{ ...key, id: "key-2" }])).toMatchObject([{ state: "matched", target_id: "key-1" }]);
    expect(await world.send([{ ...key, id: "key-3", person_id: bo.id }])).toMatchObject([
      { state: "left_out", notes: ["It is somebody else's key here"] },
    ]);
  });
});

import { createCipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { groupsReader } from "../../../src/shared/moving-in/open-webui/groups.ts";
import { keysReader } from "../../../src/shared/moving-in/open-webui/keys.ts";
import { peopleReader } from "../../../src/shared/moving-in/open-webui/people.ts";
import { toolsReader } from "../../../src/shared/moving-in/open-webui/plugins.ts";
import { translate } from "./rows-source.ts";

const json = JSON.stringify;
const hash = `$2b$12$${"a".repeat(53)}`;
const readByAll = { principal_type: "user", principal_id: "*", permission: "read" };

/** Seals as Open WebUI does. */
function seal(value: unknown, secret: string): string {
  const key = secret.length === 44 ? Buffer.from(secret, "base64url") : createHash("sha256").update(secret).digest();
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-128-cbc", key.subarray(16), iv);
  const head = Buffer.concat([Buffer.from([0x80]), Buffer.alloc(8, 1), iv, cipher.update(json(value)), cipher.final()]);
  const mac = createHmac("sha256", key.subarray(0, 16)).update(head).digest();
  return Buffer.concat([head, mac]).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

describe("people", () => {
  test("of version 0.12", async () => {
    const user = {
      id: "u1",
      email: "ada@harbour.example",
      username: null,
      role: "admin",
      name: "Ada",
      profile_image_url: "/api/v1/users/u1/profile/image",
      profile_banner_image_url: null,
      bio: "Counts",
      gender: "female",
      date_of_birth: "1815-12-10",
      timezone: "Europe/London",
      status_message: "At sea",
      info: json({ location: "London" }),
      variables: json({ a: 1 }),
      settings: json({
        ui: {
          system: "x",
          directConnections: { OPENAI_API_BASE_URLS: ["https://p.example"], OPENAI_API_KEYS: ["sk-1"] },
        },
        tools: { valves: { t: { key: "secret" } } },
      }),
      oauth: json({ google: { sub: "g-1" }, broken: 3 }),
      scim: json({ okta: { external_id: "o-1" } }),
      last_active_at: 1_600_000_002,
      updated_at: 1_600_000_001,
      created_at: 1_600_000_000,
    };
    const auth = { id: "u1", email: user.email, password: hash, active: 0, mfa: json({ secret: "otp-secret" }) };
    const { records, leftOut } = await translate(peopleReader, { user: [user], auth: [auth] });
    expect(leftOut).toEqual([]);
    expect(records).toEqual([
      {
        kind: "person",
        id: "u1",
        name: "Ada",
        email: "ada@harbour.example",
        role: "admin",
        active: false,
        password: hash,
        picture: "/api/v1/users/u1/profile/image",
        bio: "Counts",
        gender: "female",
        date_of_birth: "1815-12-10",
        timezone: "Europe/London",
        status_message: "At sea",
        settings: { ui: { system: "x" } },
        direct_connections: { OPENAI_API_BASE_URLS: ["https://p.example"], OPENAI_API_KEYS: ["sk-1"] },
        info: { location: "London" },
        oauth: { google: { sub: "g-1" } },
        scim: { okta: { external_id: "o-1" } },
        last_active_at: 1_600_000_002,
        updated_at: 1_600_000_001,
        created_at: 1_600_000_000,
        left: ["the variables for prompts", "sign-in with a second factor"],
      },
    ]);
    expect(json(records)).not.toMatch(/secret/);
  });

  test("of version 0.6, with one provider, and of nobody who could sign in", async () => {
    const user = {
      id: "u1",
      email: "ada@harbour.example",
      role: "odd",
      name: "Ada",
      oauth_sub: "google@g@1",
      settings: "{",
    };
    const { records, leftOut } = await translate(peopleReader, { user: [user, { id: "u2" }, { id: 7 }] });
    expect(records).toMatchObject([
      { role: "pending", active: true, oauth: { google: { sub: "g@1" } }, scim: {}, left: [] },
    ]);
    expect(leftOut).toMatchObject([{ id: "" }, { id: "u2", reason: "It has no address" }]);
  });
});

describe("groups", () => {
  const group = (id: string, parent: string | null = null) => ({
    id,
    user_id: "u1",
    name: id.toUpperCase(),
    description: "x",
    parent_group_id: parent,
    permissions: json({ workspace: { models: true } }),
    data: json({ config: { share: true } }),
    created_at: 1_600_000_000,
    updated_at: 1_600_000_000,
  });

  test("within groups are made flat, in circles too", async () => {
    const member = (id: string, group_id: string) => ({ id, group_id, user_id: id });
    const { records } = await translate(groupsReader, {
      group: [group("fleet"), group("ship", "fleet"), group("crew", "ship"), group("x", "y"), group("y", "x")],
      group_member: [member("u1", "crew"), member("u2", "ship"), member("u3", "fleet"), member("u4", "x")],
    });
    const members = Object.fromEntries(records.map((each) => [each.id, (each["members"] as string[]).toSorted()]));
    expect(members).toEqual({ fleet: ["u1", "u2", "u3"], ship: ["u1", "u2"], crew: ["u1"], x: ["u4"], y: ["u4"] });
    expect(records.find(({ id }) => id === "fleet")).toMatchObject({
      name: "FLEET",
      share: "everyone",
      person_id: "u1",
      permissions: { workspace: { models: true } },
      notes: ["Groups below it: 2. Their members are members of this one here"],
    });
  });

  test("of older versions have their members in a column", async () => {
    const { parent_group_id: _, ...old } = group("crew");
    const { records } = await translate(groupsReader, { group: [{ ...old, data: null, user_ids: json(["u1", 3]) }] });
    expect(records).toMatchObject([{ members: ["u1"], share: "members", notes: [] }]);
  });
});

test("keys are read from their table, and from the column of older versions", async () => {
  const row = { id: "k1", user_id: "u1", key: "sk-new", expires_at: 1_900_000_000, created_at: 1_600_000_000 };
  const now = await translate(keysReader, { api_key: [row, { ...row, id: "k2", key: null }], user: [{ id: "u1" }] });
  expect(now.records).toEqual([
    {
      kind: "api_key",
      id: "k1",
      person_id: "u1",
      secret: "sk-new",
      name: "Open WebUI",
      created_at: 1_600_000_000,
      expires_at: 1_900_000_000,
    },
  ]);
  expect(now.leftOut).toHaveLength(1);
  const before = await translate(keysReader, {
    user: [
      { id: "u1", api_key: "sk-old" },
      { id: "u2", api_key: null },
    ],
  });
  expect(before.records).toMatchObject([{ id: "u1", person_id: "u1", secret: "sk-old" }]);
});

describe("plugins", () => {
  const base = {
    user_id: "u1",
    name: "N",
    content: "class Tools: pass",
    meta: json({ description: "d" }),
    created_at: 1,
    updated_at: 2,
  };
  const filter = { ...base, id: "f", type: "filter", valves: json({ priority: 2 }), is_active: 1, is_global: 0 };
  const tool = { ...base, id: "t", specs: "[]", valves: null };
  const grant = { id: "g", resource_type: "tool", resource_id: "t", ...readByAll };

  test("arrive with valves, switches and grants", async () => {
    const { records } = await translate(toolsReader, {
      function: [filter],
      tool: [tool],
      access_grant: [grant, { ...grant, id: "h", resource_type: "prompt" }],
      user: [{ id: "u1", settings: json({ functions: { valves: { f: { tone: "dry" }, g: {} } } }) }],
    });
    expect(records).toMatchObject([
      {
        kind: "function",
        id: "f",
        person_id: "u1",
        type: "filter",
        valves: { priority: 2 },
        is_active: true,
        is_global: false,
      },
      { kind: "tool", id: "t", valves: {}, access_grants: [readByAll], left: [] },
      { kind: "user_valves", person_id: "u1", family: "function", plugin: "f", values: { tone: "dry" } },
    ]);
    expect(records).toHaveLength(3);
  });

  test.each(["a secret", Buffer.alloc(32, 7).toString("base64url") + "="])(
    "have sealed valves opened by %s",
    async (secret) => {
      const sealed = seal({ key: "v" }, secret);
      for (const valves of [json(sealed), sealed]) {
        const opened = await translate(toolsReader, { function: [{ ...filter, valves }] }, secret);
        expect(opened.records).toMatchObject([{ valves: { key: "v" }, left: [] }]);
      }
      for (const wrong of [undefined, "another secret"]) {
        const shut = await translate(toolsReader, { function: [{ ...filter, valves: json(sealed) }] }, wrong);
        expect(shut.records).toMatchObject([
          { valves: {}, left: ["its valves: they are sealed, and the secret that opens them was not given"] },
        ]);
      }
    },
  );

  test("of older versions are shared by a column", async () => {
    const shared = json({ read: { group_ids: ["crew"], user_ids: [] }, write: { user_ids: ["u2"] } });
    const { records } = await translate(toolsReader, {
      tool: [
        { ...tool, id: "a", access_control: null },
        { ...tool, id: "b", access_control: "{}" },
        { ...tool, id: "c", access_control: shared },
        { ...tool, id: "d", access_control: "[broken" },
      ],
    });
    expect(records.map((each) => each["access_grants"])).toEqual([
      [readByAll],
      [],
      [
        { principal_type: "group", principal_id: "crew", permission: "read" },
        { principal_type: "user", principal_id: "u2", permission: "write" },
      ],
      [],
    ]);
  });
});

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../src/compose/parse-environment.ts";
import { definitions, settingNames } from "../../src/compose/settings.ts";
import { parseDuration } from "../../src/lib/duration.ts";
import { createWorld, type Person, type World } from "../world.ts";

const path = "/api/v1/auths/admin/config";

let world: World;
let admin: Person;
beforeEach(async () => {
  world = await createWorld({
    environment: {
      WEBUI_NAME: "Harbour",
      OPENAI_API_KEYS: "sk-secret",
      OPENAI_API_BASE_URLS: "https://models.example/v1",
    },
  });
  admin = await world.admin();
});
afterEach(() => world.close());

const isSecret = (name: (typeof settingNames)[number]) => "secret" in definitions[name];
const read = async () => (await world.call<Record<string, unknown>>(path, { as: admin })).body;
const change = (json: unknown, as: Person = admin) =>
  world.call<{ code: string; detail: string; issues: { path: string; message: string }[] }>(path, { json, as });

describe("settings", () => {
  test("are the changeable ones with what is in force, without secrets", async () => {
    const values = await read();
    expect(values).toMatchObject({
      WEBUI_NAME: "Harbour",
      ENABLE_SIGNUP: true,
      DEFAULT_USER_ROLE: "pending",
      JWT_EXPIRES_IN: "4w",
    });
    expect(Object.keys(values).sort()).toEqual(
      settingNames.filter((name) => definitions[name].where === "anywhere" && !isSecret(name)).sort(),
    );
  });

  test("change one by one: what is not named stays, and a change holds from the next request on", async () => {
    const answer = await change({ ENABLE_SIGNUP: false });
    expect(answer).toMatchObject({ status: 200, body: { ENABLE_SIGNUP: false, DEFAULT_USER_ROLE: "pending" } });
    await change({ DEFAULT_USER_ROLE: "user" });
    expect(await read()).toMatchObject({ ENABLE_SIGNUP: false, DEFAULT_USER_ROLE: "user" });
    const stranger = await world.call("/api/v1/auths/signup", {
      json: { name: "Bob", email: "bob@harbour.example", password: "x" },
    });
    expect(stranger).toMatchObject({ status: 403, body: { code: "signup_disabled" } });
  });

  test("changed at the same moment lose nothing", async () => {
    await Promise.all([
      change({ ENABLE_SIGNUP: false }),
      change({ ADMIN_EMAIL: "a@harbour.example" }),
      change({ TASK_MODEL: "small" }),
    ]);
    expect(await read()).toMatchObject({ ENABLE_SIGNUP: false, ADMIN_EMAIL: "a@harbour.example", TASK_MODEL: "small" });
  });

  test("go back to their default with null", async () => {
    await change({ JWT_EXPIRES_IN: "1h" });
    expect((await change({ JWT_EXPIRES_IN: null })).body).toMatchObject({ JWT_EXPIRES_IN: "4w" });
    expect((await world.client.execute("SELECT * FROM settings")).rows).toEqual([]);
  });

  test("leave a note of who changed what, in the same batch", async () => {
    await change({ ENABLE_SIGNUP: false, UPSTREAM_TIMEOUT: 60 });
    const { rows } = await world.client.execute("SELECT actor_id, actor_kind, action, detail FROM audit_events");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ actor_id: admin.id, actor_kind: "session", action: "settings.updated" });
    expect(JSON.parse(rows[0]!.detail as string)).toEqual({
      ENABLE_SIGNUP: { from: true, to: false },
      UPSTREAM_TIMEOUT: { from: 300, to: 60 },
    });
  });

  test("sent back whole change nothing and leave no note", async () => {
    expect((await change(await read())).status).toBe(200);
    expect((await world.client.execute("SELECT * FROM audit_events")).rows).toEqual([]);
    expect((await world.client.execute("SELECT * FROM settings")).rows).toEqual([]);
  });

  test.each([
    [{ NO_SUCH: 1 }, "NO_SUCH", "no such setting"],
    [{ "permissions.default": {} }, "permissions.default", "no such setting"],
    [{ __proto__x: 1, constructor: 1 }, "__proto__x", "no such setting"],
    [{ ENABLE_SIGNUP: "no" }, "ENABLE_SIGNUP", "expected true or false"],
    [{ DEFAULT_USER_ROLE: "admin" }, "DEFAULT_USER_ROLE", "expected one of pending, user"],
    [{ UPSTREAM_TIMEOUT: 1.5 }, "UPSTREAM_TIMEOUT", "expected a whole number"],
    [{ JWT_EXPIRES_IN: "soon" }, "JWT_EXPIRES_IN", "such as"],
    [{ WEBUI_URL: "javascript:alert(1)" }, "WEBUI_URL", "expected"],
  ])("refuse %j with 422 that names %s and says what is expected", async (json, name, message) => {
    const { status, body } = await change({ TASK_MODEL: "small", ...json });
    expect(status).toBe(422);
    expect(body.issues[0]).toMatchObject({ path: name, message: expect.stringContaining(message) as string });
    expect(await read()).toMatchObject({ TASK_MODEL: "" });
  });

  test.each([[{ WEBUI_NAME: "Other" }], [{ WEBUI_NAME: null }], [{ ENV: "dev" }], [{ OPENAI_API_KEYS: ["sk-other"] }]])(
    "set by the environment are locked: %j",
    async (json) => {
      const { status, body } = await change({ TASK_MODEL: "small", ...json });
      expect([status, body.code]).toEqual([403, "setting_locked"]);
      expect(body.detail).toContain(Object.keys(json)[0]);
      expect(JSON.stringify(body)).not.toContain("sk-secret");
      expect(await read()).toMatchObject({ WEBUI_NAME: "Harbour", TASK_MODEL: "" });
    },
  );

  test.each([[[1]], ["text"], [null]])("refuse the body %j with 422", async (json) => {
    expect((await change(json)).status).toBe(422);
  });

  test("that no longer fit count as not stored", async () => {
    await world.client.execute(`INSERT INTO settings VALUES ('UPSTREAM_TIMEOUT', '"soon"', 0)`);
    expect(await read()).toMatchObject({ UPSTREAM_TIMEOUT: 300 });
  });

  test("are for administrators", async () => {
    const ada = await world.person();
    expect((await change({ ENABLE_SIGNUP: false }, ada)).status).toBe(403);
    for (const where of [path, `${path}/schema`]) expect((await world.request(where, { as: ada })).status).toBe(403);
  });

  test("take one round trip to read and two to change", async () => {
    world.roundTrips.reset();
    await read();
    expect(world.roundTrips.count).toBe(1);
    world.roundTrips.reset();
    await change({ ENABLE_SIGNUP: false });
    expect(world.roundTrips.count).toBe(2);
  });

  test("are described for the page that shows them, secrets without their values", async () => {
    const { body } = await world.call<{ settings: { name: string }[] }>(`${path}/schema`, { as: admin });
    const of = (name: string) => body.settings.find((setting) => setting.name === name);
    expect(body.settings.map((setting) => setting.name)).toEqual(settingNames);
    expect(of("WEBUI_NAME")).toMatchObject({
      value: "Harbour",
      default: "Parley",
      locked: true,
      editable: true,
      secret: false,
    });
    expect(of("DEFAULT_USER_ROLE")).toMatchObject({
      type: "choice",
      options: ["pending", "user"],
      locked: false,
      editable: true,
    });
    expect(of("ENV")).toMatchObject({ locked: true, editable: false });
    expect(of("OPENAI_API_KEYS")).toMatchObject({ secret: true, value: null, default: null });
    expect(JSON.stringify(body)).not.toContain("sk-secret");
  });
});

describe("variables of the environment", () => {
  test.each([
    [{ ENABLE_SIGNUP: "FALSE" }, { ENABLE_SIGNUP: false }],
    [{ ENABLE_SIGNUP: "on" }, { ENABLE_SIGNUP: true }],
    [{ ENABLE_SIGNUP: "" }, {}],
    [{ UPSTREAM_TIMEOUT: " 60 " }, { UPSTREAM_TIMEOUT: 60 }],
    [{ AIOHTTP_CLIENT_TIMEOUT: "61" }, { UPSTREAM_TIMEOUT: 61 }],
    [{ UPSTREAM_TIMEOUT: "60", AIOHTTP_CLIENT_TIMEOUT: "61" }, { UPSTREAM_TIMEOUT: 60 }],
    [{ OLLAMA_BASE_URL: "http://127.0.0.1:11434" }, { LOCALMODEL_BASE_URLS: ["http://127.0.0.1:11434"] }],
    [{ OPENAI_API_KEYS: "a;;c" }, { OPENAI_API_KEYS: ["a", "", "c"] }],
    [
      { OUTBOUND_ALLOWED_PRIVATE_HOSTS: "nas:8080, 10.0.0.1" },
      { OUTBOUND_ALLOWED_PRIVATE_HOSTS: ["nas:8080", "10.0.0.1"] },
    ],
    [{ PATH: "/bin" }, {}],
  ])("%j mean %j", (variables, expected) => {
    expect(parseEnvironment(variables)).toEqual(expected);
  });

  test.each([
    [{ ENABLE_SIGNUP: "maybe" }, /ENABLE_SIGNUP is "maybe", expected true or false/],
    [{ DEFAULT_USER_ROLE: "owner" }, /DEFAULT_USER_ROLE is "owner", expected one of pending, user/],
    [{ OLLAMA_BASE_URL: "localhost" }, /OLLAMA_BASE_URL is "localhost", expected a list/],
    [{ UPSTREAM_TIMEOUT: "long" }, /UPSTREAM_TIMEOUT is "long", expected a whole number/],
  ])("%j stop the start and say why", (variables, message) => {
    expect(() => parseEnvironment(variables)).toThrow(message);
  });

  test("that are wrong are all named at once, secrets without their values", () => {
    const keys = Array.from({ length: 51 }, () => "sk-hidden").join(";");
    expect(() => parseEnvironment({ ENV: "x", ENABLE_SIGNUP: "x", OPENAI_API_KEYS: keys })).toThrow(
      /ENV is[^]*ENABLE_SIGNUP is[^]*OPENAI_API_KEYS is not valid/,
    );
    let message = "";
    try {
      parseEnvironment({ OPENAI_API_KEYS: keys });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain("OPENAI_API_KEYS");
    expect(message).not.toContain("sk-hidden");
  });
});

describe("durations", () => {
  test.each([
    ["4w", 2_419_200],
    ["90m", 5400],
    ["1.5h", 5400],
    ["30s", 30],
    ["1500ms", 1],
    ["-1", null],
    ["0", null],
  ])("%s is %s", (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  test.each(["", "4", "w", "4 w", "-4w", "0s", "1ms", "1e3s", "4W", "Infinityw", "4w2d"])("%j is none", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test("are whole positive seconds for any text that is one", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.constantFrom("ms", "s", "m", "h", "d", "w"), (amount, unit) => {
        const seconds = parseDuration(`${amount}${unit}`);
        const isLessThanOne = amount < (unit === "ms" ? 1000 : 1);
        expect(seconds === undefined).toBe(isLessThanOne);
        expect(seconds === undefined || (seconds !== null && Number.isInteger(seconds) && seconds > 0)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = parseDuration(text);
        expect(seconds === undefined || seconds === null || (Number.isInteger(seconds) && seconds > 0)).toBe(true);
      }),
    );
  });
});

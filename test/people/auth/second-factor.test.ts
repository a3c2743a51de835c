import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OwnFactor } from "../../../src/people/auth/second-factor/schema.ts";
import { totpCode } from "../../../src/people/auth/second-factor/totp.ts";
import { createWorld, type Person, type World } from "../../world.ts";

const email = "ada@harbour.example";
const password = "correct horse";

let world: World;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  world = await createWorld();
  admin = await world.admin();
  ada = await world.person({ email, password });
});
afterEach(() => world.close());

interface Refused {
  code: string;
  detail: string;
  second_factor?: { token: string; expires_at: number };
}

const own = async (as: Person = ada) => (await world.call<OwnFactor>("/api/v1/auths/second_factor", { as })).body;
const post = <T = Record<string, unknown>>(path: string, json: unknown, as: Person = ada) =>
  world.call<T & Refused>(`/api/v1/auths/second_factor/${path}`, { json, as });
const signIn = () => world.call<{ token: string } & Refused>("/api/v1/auths/signin", { json: { email, password } });
const finish = (token: string, code: string) =>
  world.call<{ token: string; id: string } & Refused>("/api/v1/auths/signin/second_factor", { json: { token, code } });
const now = () => world.services.now();
/** The code of the next step: one that was not used yet. */
function nextCode(secret: string): string {
  world.advance(30);
  return totpCode(secret, now());
}
async function setUp(as: Person = ada): Promise<{ secret: string; codes: string[] }> {
  const { body: started } = await post<{ secret: string; address: string }>("start", { password }, as);
  const { status, body } = await post<{ recovery_codes: string[] }>(
    "confirm",
    { code: totpCode(started.secret, now()) },
    as,
  );
  expect([status, body.recovery_codes]).toEqual([200, expect.any(Array)]);
  return { secret: started.secret, codes: body.recovery_codes };
}
const step = async () => (await signIn()).body.second_factor!.token;
const actions = async () =>
  (await world.client.execute("SELECT action FROM audit_events WHERE action LIKE 'user.%' ORDER BY id")).rows.map(
    (row) => row["action"],
  );

describe("setting up", () => {
  test("takes the password and a code of the app, and gives ten recovery codes", async () => {
    expect(await own()).toEqual({
      is_on: false,
      since: null,
      passkeys: [],
      passkeys_on: true,
      recovery_codes_left: 0,
      is_required: false,
      has_password: true,
    });
    expect(await post("start", { password: "wrong" })).toMatchObject({
      status: 400,
      body: { code: "incorrect_password" },
    });
    const { body } = await post<{ secret: string; address: string }>("start", { password });
    expect(body.address).toMatch(/^otpauth:\/\/totp\/Parley:ada%40harbour\.example\?.*secret=/);
    expect((await signIn()).status).toBe(200);
    expect(await post("confirm", { code: "000000" })).toMatchObject({
      status: 400,
      body: { code: "invalid_credentials" },
    });
    const { body: confirmed } = await post<{ recovery_codes: string[] }>("confirm", {
      code: totpCode(body.secret, now()),
    });
    expect(new Set(confirmed.recovery_codes).size).toBe(10);
    expect(await own()).toMatchObject({ is_on: true, recovery_codes_left: 10 });
    expect((await post("start", { password })).status).toBe(409);
    expect((await post("confirm", { code: totpCode(body.secret, now()) })).status).toBe(409);
    const stored = JSON.stringify([
      (await world.client.execute("SELECT * FROM totp_secrets")).rows,
      (await world.client.execute("SELECT * FROM recovery_codes")).rows,
      (await world.client.execute("SELECT * FROM audit_events")).rows,
    ]);
    for (const secret of [body.secret, ...confirmed.recovery_codes]) expect(stored).not.toContain(secret);
    expect(await actions()).toEqual(["user.second_factor_added"]);
  });

  test("is not for accounts without a password, nor for keys", async () => {
    const bo = await world.person();
    expect((await post("start", { password: "" }, bo)).status).toBe(400);
    expect(await own(bo)).toMatchObject({ has_password: false });
  });
});

describe("signing in", () => {
  test("with a second factor takes two calls; without one it is as ever", async () => {
    expect((await signIn()).status).toBe(200);
    const { secret } = await setUp();
    const first = await signIn();
    expect(first).toMatchObject({ status: 401, body: { code: "second_factor_required" } });
    expect(first.body.token).toBeUndefined();
    expect(first.headers.get("set-cookie")).toBeNull();
    const { status, body } = await finish(first.body.second_factor!.token, nextCode(secret));
    expect([status, body.id]).toEqual([200, ada.id]);
    expect((await world.request("/api/v1/auths/", { as: body })).status).toBe(200);
    expect((await finish(first.body.second_factor!.token, nextCode(secret))).status).toBe(401);
  });

  test("takes each code once, also of two at the same moment", async () => {
    const { secret } = await setUp();
    const [one, two] = [await step(), await step()];
    const code = nextCode(secret);
    const answers = await Promise.all([finish(one, code), finish(two, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await finish(await step(), code)).status).toBe(400);
  });

  test("takes each recovery code once, however it is typed", async () => {
    const { codes } = await setUp();
    expect((await finish(await step(), ` ${codes[0]!.toUpperCase().replaceAll("-", " ")} `)).status).toBe(200);
    expect((await finish(await step(), codes[0]!)).status).toBe(400);
    const [one, two] = [await step(), await step()];
    const answers = await Promise.all([finish(one, codes[1]!), finish(two, codes[1]!)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await own()).recovery_codes_left).toBe(8);
  });

  test("limits guesses, however many come at once, and forgives with time", async () => {
    const { secret } = await setUp();
    const token = await step();
    const answers = await Promise.all(Array.from({ length: 15 }, (_, at) => finish(token, String(100_000 + at))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    expect((await finish(token, nextCode(secret))).status).toBe(429);
    world.advance(120);
    expect((await finish(token, nextCode(secret))).status).toBe(200);
  });

  test("has to be finished in ten minutes, and with a code", async () => {
    const { secret } = await setUp();
    const token = await step();
    world.advance(601);
    expect(await finish(token, nextCode(secret))).toMatchObject({ status: 401, body: { code: "session_ended" } });
    for (const bad of ["", "x".repeat(200)]) expect((await finish(await step(), bad)).status).toBe(422);
    for (const bad of ["\ud800", "١٢٣٤٥٦", "-00001"])
      expect([400, 422]).toContain((await finish(await step(), bad)).status);
    expect((await finish("unknown", "000000")).status).toBe(401);
  });

  test("ends when the account is switched off in between", async () => {
    const { secret } = await setUp();
    const token = await step();
    await world.client.execute({ sql: "UPDATE users SET active = 0 WHERE id = ?", args: [ada.id] });
    expect((await finish(token, nextCode(secret))).status).toBe(401);
  });
});

describe("changes", () => {
  test("of codes and the app itself take a code", async () => {
    const { secret, codes } = await setUp();
    expect((await post("recovery_codes", { code: "000000" })).status).toBe(400);
    const renewed = await post<{ recovery_codes: string[] }>("recovery_codes", { code: nextCode(secret) });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect((await post("remove", { code: codes[0]! })).status).toBe(400);
    expect((await post("remove", { code: renewed.body.recovery_codes[0]! })).status).toBe(200);
    expect(await own()).toMatchObject({ is_on: false, recovery_codes_left: 0 });
    expect((await signIn()).status).toBe(200);
    expect(await actions()).toEqual([
      "user.second_factor_added",
      "user.recovery_codes_renewed",
      "user.second_factor_removed",
    ]);
  });

  test("by an administrator help who has lost everything", async () => {
    await setUp();
    const details = async () =>
      (await world.call<{ has_second_factor: boolean }>(`/api/v1/users/${ada.id}`, { as: admin })).body
        .has_second_factor;
    expect(await details()).toBe(true);
    const reset = (as: Person, id = ada.id) =>
      world.call(`/api/v1/users/${id}/second_factor`, { method: "DELETE", as });
    expect((await reset(ada)).status).toBe(403);
    expect((await reset(await world.person({ role: "admin" }), admin.id)).status).toBe(403);
    expect((await reset(admin, "nobody")).status).toBe(404);
    expect((await reset(admin)).status).toBe(200);
    expect(await details()).toBe(false);
    expect((await signIn()).status).toBe(200);
    expect(await actions()).toEqual(["user.second_factor_added", "user.second_factor_reset"]);
  });
});

describe("where it is required", () => {
  const demand = (who: string) => world.call("/api/v1/auths/admin/config", { json: { SECOND_FACTOR: who }, as: admin });

  test("people set it up before anything else, and go on in the same session", async () => {
    await setUp(await adminWithPassword());
    expect((await demand("everyone")).status).toBe(200);
    const { body } = await signIn();
    expect(body).toMatchObject({ lacks_second_factor: true });
    const session = { ...ada, token: body.token };
    expect(await world.call("/api/v1/chats/", { as: session })).toMatchObject({
      status: 403,
      body: { code: "second_factor_missing" },
    });
    expect((await world.call<object>("/api/v1/auths/", { as: session })).body).toMatchObject({
      lacks_second_factor: true,
    });
    const { secret } = await setUp(session);
    expect((await world.request("/api/v1/chats/", { as: session })).status).toBe(200);
    expect(await post("remove", { code: nextCode(secret) }, session)).toMatchObject({ status: 403 });
  });

  test("of administrators, members are free; sessions of a provider and keys are exempt", async () => {
    await setUp(await adminWithPassword());
    await demand("administrators");
    expect((await world.request("/api/v1/chats/", { as: ada })).status).toBe(200);
    await demand("everyone");
    expect((await world.request("/api/v1/chats/", { as: ada })).status).toBe(403);
    await world.client.execute({ sql: "UPDATE sessions SET provider = 'oidc' WHERE user_id = ?", args: [ada.id] });
    expect((await world.request("/api/v1/chats/", { as: ada })).status).toBe(200);
  });

  /** The administrator of the world signs in by password, and so needs a factor too. */
  async function adminWithPassword(): Promise<Person> {
    await world.call(`/api/v1/users/${admin.id}/update`, { json: { password }, as: admin });
    return admin;
  }
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { totpCode } from "../../../../src/people/auth/second-factor/totp.ts";
import { sweepIdentity } from "../../../../src/people/sweep-identity.ts";
import { createPasskeyWorld, password, type PasskeyWorld } from "./passkey-world.ts";

let world: PasskeyWorld;
beforeEach(async () => {
  world = await createPasskeyWorld();
});
afterEach(() => world.close());

const refused = { status: 400, body: { code: "invalid_credentials" } };
const sql = async (statement: string) => (await world.client.execute(statement)).rows;

describe("without a password", () => {
  test("a passkey signs its person in, and a second factor is not asked for", async () => {
    const passkey = await world.add();
    const options = await world.options();
    expect(options).toMatchObject({ rpId: "parley.test", allowCredentials: [], userVerification: "required" });
    const { status, headers, body } = await world.signIn(await passkey.sign(options));
    expect([status, body.id]).toEqual([200, world.ada.id]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.getSetCookie().join()).toContain("token=");
    expect((await world.request("/api/v1/chats/", { as: body })).status).toBe(200);
    const { passkeys } = await world.own();
    expect(passkeys).toMatchObject([
      { name: "Laptop", last_used_at: expect.closeTo(world.services.now(), -1), is_synced: false },
    ]);
    const rows = await sql("SELECT detail FROM audit_events WHERE action = 'auth.signed_in'");
    expect(JSON.parse(String(rows.at(-1)!["detail"]))).toMatchObject({ method: "passkey" });
  });

  test("asking for a challenge writes nothing, and a sign-in takes four round trips", async () => {
    const passkey = await world.add();
    world.roundTrips.reset();
    const options = await world.options();
    expect(world.roundTrips.count).toBe(1);
    const shown = await passkey.sign(options);
    world.roundTrips.reset();
    expect((await world.signIn(shown)).status).toBe(200);
    expect(world.roundTrips.count).toBe(4);
    // That of the new passkey, and that of the sign-in.
    expect(await sql("SELECT * FROM used_challenges")).toHaveLength(2);
    world.advance(301);
    await sweepIdentity(world.services);
    expect(await sql("SELECT * FROM used_challenges")).toEqual([]);
  });

  test("an answer is taken once, also of two tabs at the same moment", async () => {
    const passkey = await world.add();
    const shown = await passkey.sign(await world.options());
    const both = await Promise.all([world.signIn(shown), world.signIn(shown)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await world.signIn(shown)).toMatchObject(refused);
    expect(await sql(`SELECT 1 FROM sessions WHERE user_id = '${world.ada.id}'`)).toHaveLength(2);
  });

  test("an answer of a synced passkey, which does not count, is taken once too; two challenges are two sign-ins", async () => {
    const passkey = await world.add(world.ada, { synced: true });
    const said = { synced: true, counter: 0 };
    const shown = await passkey.sign(await world.options(), said);
    expect((await world.signIn(shown)).status).toBe(200);
    expect(await world.signIn(shown)).toMatchObject(refused);
    const two = [await passkey.sign(await world.options(), said), await passkey.sign(await world.options(), said)];
    expect((await Promise.all(two.map((each) => world.signIn(each)))).map(({ status }) => status)).toEqual([200, 200]);
    expect((await world.own()).passkeys).toMatchObject([{ is_synced: true }]);
  });

  test("a counter that does not grow is a copy, and is refused and noted", async () => {
    const passkey = await world.add();
    expect((await world.signIn(await passkey.sign(await world.options(), { counter: 7 }))).status).toBe(200);
    for (const counter of [7, 6, 0])
      expect(await world.signIn(await passkey.sign(await world.options(), { counter }))).toMatchObject(refused);
    const [row] = await sql("SELECT detail FROM audit_events WHERE action = 'auth.sign_in_failed'");
    expect(JSON.parse(String(row!["detail"]))).toMatchObject({ error: "passkey_used_before", method: "passkey" });
    expect((await world.signIn(await passkey.sign(await world.options(), { counter: 8 }))).status).toBe(200);
  });

  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["another origin at the same host", { origin: "http://parley.test:8081" }],
    ["another host's key", { rpId: "evil.example" }],
    ["no finger and no PIN", { userVerified: false }],
    ["an answer of another kind", { type: "webauthn.create" }],
    ["another person's name on it", { userHandle: "c29tZWJvZHk" }],
    ["a challenge that nobody made", { challenge: "aGVsbG8" }],
    ["an empty challenge", { challenge: "" }],
  ])("%s is refused", async (_, saying) => {
    const passkey = await world.add();
    expect(await world.signIn(await passkey.sign(await world.options(), saying))).toMatchObject(refused);
    expect((await world.signIn(await passkey.sign(await world.options()))).status).toBe(200);
  });

  test("a challenge ends, and its seal holds its end", async () => {
    const passkey = await world.add();
    const options = await world.options();
    const [random, end, seal] = atob(options.challenge.replaceAll("-", "+").replaceAll("_", "/")).split(".");
    world.advance(301);
    expect(await world.signIn(await passkey.sign(options))).toMatchObject(refused);
    const longer = btoa(`${random}.${Number(end) + 1000}.${seal}`)
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/=+$/, "");
    expect(await world.signIn(await passkey.sign({ ...options, challenge: longer }))).toMatchObject(refused);
  });

  test("the challenge of a second step, or of a new passkey, signs nobody in", async () => {
    const passkey = await world.add();
    const step = (await world.withPassword()).body.second_factor!.passkey!;
    expect(await world.signIn(await passkey.sign(step))).toMatchObject(refused);
    const { challenge } = await world.start();
    expect(await world.signIn(await passkey.sign({ ...step, challenge }))).toMatchObject(refused);
  });

  test("another person's passkey signs in only its own person, and a signature by another key nobody", async () => {
    const bo = await world.person({ password });
    const [mine, theirs] = [await world.add(), await world.add(bo)];
    expect((await world.signIn(await theirs.sign(await world.options()))).body.id).toBe(bo.id);
    const shown = await theirs.sign(await world.options());
    const swapped = { ...shown, id: mine.credential.id, rawId: mine.credential.id };
    expect(await world.signIn(swapped)).toMatchObject(refused);
    swapped.response = { ...shown.response, userHandle: null };
    expect(await world.signIn(swapped)).toMatchObject(refused);
  });

  test("a removed passkey, a reset, and a deleted person sign in no more", async () => {
    const passkey = await world.add();
    const remove = (as = world.ada) =>
      world.call(`/api/v1/auths/passkeys/${passkey.passkey.id}/remove`, { json: { password }, as });
    const ready = await passkey.sign(await world.options());
    expect((await remove()).status).toBe(200);
    expect(await world.signIn(ready)).toMatchObject(refused);
    const other = await world.add();
    const reset = { method: "DELETE", as: world.boss };
    expect((await world.call(`/api/v1/users/${world.ada.id}/second_factor`, reset)).status).toBe(200);
    expect(await world.signIn(await other.sign(await world.options()))).toMatchObject(refused);
    const third = await world.add();
    expect((await world.call(`/api/v1/users/${world.ada.id}`, { method: "DELETE", as: world.boss })).status).toBe(200);
    expect(await sql("SELECT * FROM passkeys")).toEqual([]);
    expect(await world.signIn(await third.sign(await world.options()))).toMatchObject(refused);
  });

  test("accounts that are switched off are refused, and waiting ones wait", async () => {
    const passkey = await world.add();
    const set = (change: string) => world.client.execute(`UPDATE users SET ${change} WHERE id = '${world.ada.id}'`);
    await set("active = 0");
    expect(await world.signIn(await passkey.sign(await world.options()))).toMatchObject({
      status: 401,
      body: { code: "account_inactive" },
    });
    await set("active = 1, role = 'pending'");
    const { status, body } = await world.signIn(await passkey.sign(await world.options()));
    expect([status, body.role]).toEqual([200, "pending"]);
    expect((await world.request("/api/v1/chats/", { as: body })).status).toBe(403);
    await set("role = 'user'");
    await world.client.execute("UPDATE organizations SET active = 0");
    expect(await world.signIn(await passkey.sign(await world.options()))).toMatchObject({
      status: 403,
      body: { code: "organization_inactive" },
    });
  });

  test("wrong ones count with the wrong passwords of the address, and wait as they do", async () => {
    const passkey = await world.add();
    const options = await world.options();
    const bad = () => passkey.sign(options, { challenge: "x" });
    const statuses: number[] = [];
    for (let count = 0; count < 101; count++) statuses.push((await world.signIn(await bad())).status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(100);
    expect(statuses.at(-1)).toBe(429);
    expect((await world.withPassword()).status).toBe(429);
    world.advance(120);
    expect((await world.signIn(await passkey.sign(await world.options()))).status).toBe(200);
  });

  test.each([
    ["nothing", undefined],
    ["a text", "passkey"],
    ["broken base64", { id: "%%%", rawId: "%%%", type: "public-key", response: {} }],
    ["half a character", { id: "\ud800", rawId: "\ud800", type: "public-key", response: {} }],
    ["wrong types", { id: 1, rawId: [], type: "password", response: null }],
  ])("%s in place of a passkey is refused as such", async (_, credential) => {
    expect((await world.signIn(credential)).status).toBe(422);
  });

  test("a huge one is refused, and an empty one is wrong", async () => {
    const empty = { clientDataJSON: "", authenticatorData: "", signature: "" };
    const shown = { id: "YQ", rawId: "YQ", type: "public-key", response: empty };
    expect(await world.signIn(shown)).toMatchObject(refused);
    const huge = { ...shown, response: { ...empty, clientDataJSON: "a".repeat(8001) } };
    expect((await world.signIn(huge)).status).toBe(422);
    const passkey = await world.add();
    expect(await world.signIn({ ...shown, id: passkey.credential.id, rawId: passkey.credential.id })).toMatchObject(
      refused,
    );
  });
});

describe("beside the password", () => {
  test("a passkey is asked for, and finishes the sign-in", async () => {
    const passkey = await world.add();
    const { status, body } = await world.withPassword();
    expect([status, body.code]).toEqual([401, "second_factor_required"]);
    const { token, methods, passkey: options } = body.second_factor!;
    expect(methods).toEqual(["passkey", "recovery"]);
    expect(options).toMatchObject({
      userVerification: "preferred",
      allowCredentials: [{ id: passkey.credential.id, transports: ["internal"] }],
    });
    const shown = await passkey.sign(options!, { userVerified: false });
    const finished = await world.finish(token, { passkey: shown });
    expect([finished.status, finished.body.id]).toEqual([200, world.ada.id]);
    expect((await world.finish(token, { passkey: shown })).status).toBe(401);
    const rows = await sql("SELECT detail FROM audit_events WHERE action = 'auth.signed_in'");
    expect(JSON.parse(String(rows.at(-1)!["detail"]))).toMatchObject({ method: "password", second_factor: "passkey" });
  });

  test("one answer finishes one sign-in, of two tabs at once too", async () => {
    const passkey = await world.add();
    const [one, two] = [
      (await world.withPassword()).body.second_factor!,
      (await world.withPassword()).body.second_factor!,
    ];
    const shown = await passkey.sign(one.passkey!);
    expect(await world.finish(two.token, { passkey: shown })).toMatchObject(refused);
    const both = await Promise.all([1, 2].map(() => world.finish(one.token, { passkey: shown })));
    expect(both.map(({ status }) => status === 200)).toContain(true);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await world.finish(two.token, { passkey: await passkey.sign(two.passkey!) })).status).toBe(200);
  });

  test("a passkey of somebody else is none, and tries are limited with those of codes", async () => {
    const bo = await world.person({ password });
    const [mine, theirs] = [await world.add(), await world.add(bo)];
    const step = (await world.withPassword()).body.second_factor!;
    const stranger = await theirs.sign(step.passkey!);
    expect(await world.finish(step.token, { passkey: stranger })).toMatchObject(refused);
    const statuses: number[] = [];
    for (let at = 0; at < 10; at++) statuses.push((await world.finish(step.token, { passkey: stranger })).status);
    expect(statuses).toEqual([...Array<number>(9).fill(400), 429]);
    expect((await world.finish(step.token, { passkey: await mine.sign(step.passkey!) })).status).toBe(429);
    world.advance(120);
    expect((await world.finish(step.token, { passkey: await mine.sign(step.passkey!) })).status).toBe(200);
  });

  test("recovery codes come with the first passkey, and sign in once each", async () => {
    const { recovery_codes: codes } = await world.add();
    expect(codes).toHaveLength(10);
    expect((await world.add(world.ada, {}, "Phone")).recovery_codes).toBeUndefined();
    const step = async () => (await world.withPassword()).body.second_factor!.token;
    expect((await world.finish(await step(), { code: codes![0]! })).status).toBe(200);
    expect(await world.finish(await step(), { code: codes![0]! })).toMatchObject(refused);
    expect(await world.finish(await step(), { code: "123456" })).toMatchObject(refused);
    expect((await world.own()).recovery_codes_left).toBe(9);
  });

  test("an app works beside it, and either is enough", async () => {
    const passkey = await world.add();
    const post = <T>(path: string, json: unknown) =>
      world.call<T>(`/api/v1/auths/second_factor/${path}`, { json, as: world.ada });
    const { secret } = (await post<{ secret: string }>("start", { password })).body;
    expect((await post("confirm", { code: totpCode(secret, world.services.now()) })).status).toBe(200);
    const step = (await world.withPassword()).body.second_factor!;
    expect(step.methods).toEqual(["totp", "passkey", "recovery"]);
    world.advance(30);
    expect((await world.finish(step.token, { code: totpCode(secret, world.services.now()) })).status).toBe(200);
    const again = (await world.withPassword()).body.second_factor!;
    expect((await world.finish(again.token, { passkey: await passkey.sign(again.passkey!) })).status).toBe(200);
  });

  test("switched off, passkeys neither sign in nor are asked for", async () => {
    const passkey = await world.add();
    const ready = await passkey.sign(await world.options());
    const set = (json: object) => world.call("/api/v1/auths/admin/config", { json, as: world.boss });
    expect((await set({ ENABLE_PASSKEYS: false })).status).toBe(200);
    expect((await world.signIn(ready)).status).toBe(403);
    expect((await world.withPassword()).status).toBe(200);
    for (const path of ["passkeys/start", "signin/passkey/start"])
      expect((await world.call(`/api/v1/auths/${path}`, { json: { password }, as: world.ada })).status).toBe(403);
    expect(await world.own()).toMatchObject({ passkeys_on: false, passkeys: [{ name: "Laptop" }] });
    const { body } = await world.call<{ features: Record<string, boolean> }>("/api/config");
    expect(body.features["enable_passkeys"]).toBe(false);
    const gone = await world.call(`/api/v1/auths/passkeys/${passkey.passkey.id}/remove`, {
      json: { password },
      as: world.ada,
    });
    expect(gone.status).toBe(200);
  });
});

test("behind a proxy and below a path, host and origin are those of the public address", async () => {
  const other = await createPasskeyWorld({ WEBUI_URL: "https://chat.harbour.example/parley", BASE_PATH: "/parley" });
  const options = await other.start();
  expect(options.rp).toEqual({ id: "chat.harbour.example", name: "Parley" });
  await expect(other.add()).rejects.toThrow("invalid_credentials");
  const passkey = await other.add(other.ada, { origin: "https://chat.harbour.example" });
  const said = { origin: "https://chat.harbour.example" };
  expect((await other.signIn(await passkey.sign(await other.options(), said))).status).toBe(200);
  expect((await other.signIn(await passkey.sign(await other.options()))).status).toBe(400);
  await other.close();
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { CreationOptions, Passkey } from "../../../../src/people/auth/passkeys/schema.ts";
import { totpCode } from "../../../../src/people/auth/second-factor/totp.ts";
import type { UserDetails } from "../../../../src/people/users/schema.ts";
import { makePasskey, type Saying } from "../../../fixtures/software-authenticator.ts";
import { origin, type Person } from "../../../world.ts";
import { createPasskeyWorld, email, password, type PasskeyWorld, type Refused } from "./passkey-world.ts";

let world: PasskeyWorld;
beforeEach(async () => {
  world = await createPasskeyWorld();
});
afterEach(() => world.close());

const wrong = { status: 400, body: { code: "invalid_credentials" } };
const post = <T = Refused>(path: string, json: unknown, as: Person = world.ada) =>
  world.call<T>(`/api/v1/auths/${path}`, { json, as });
const add = (credential: unknown, as?: Person, name = "Laptop") => post("passkeys", { name, credential }, as);
const remove = (id: string, as?: Person, typed = password) => post(`passkeys/${id}/remove`, { password: typed }, as);
const actions = async () =>
  (await world.client.execute("SELECT action FROM audit_events WHERE action LIKE 'user.%' ORDER BY rowid")).rows.map(
    ({ action }) => action,
  );

describe("adding", () => {
  test("takes the password, and what the browser made for it", async () => {
    expect(await post("passkeys/start", { password: "wrong" })).toMatchObject({
      status: 400,
      body: { code: "incorrect_password" },
    });
    const { status, headers, body } = await post<CreationOptions>("passkeys/start", { password });
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toMatchObject({ rp: { id: "parley.test" }, user: { name: email }, excludeCredentials: [] });
    expect(body.user.id).not.toContain("ada");
    const made = await makePasskey(body, origin, { synced: true });
    const added = await post<{ passkey: Passkey; recovery_codes: string[] }>("passkeys", {
      name: "  Laptop ",
      credential: made.credential,
    });
    expect(added.body).toMatchObject({ passkey: { name: "Laptop", is_synced: true, last_used_at: null } });
    expect((await world.own()).passkeys).toEqual([added.body.passkey]);
    const next = await post<CreationOptions>("passkeys/start", { password });
    expect(next.body.excludeCredentials).toMatchObject([{ id: made.credential.id }]);
    expect(await actions()).toEqual(["user.passkey_added"]);
    const stored = JSON.stringify([
      (await world.client.execute("SELECT * FROM recovery_codes")).rows,
      (await world.client.execute("SELECT * FROM audit_events")).rows,
    ]);
    for (const code of added.body.recovery_codes) expect(stored).not.toContain(code);
  });

  test("what was made once is taken once, also of two tabs at the same moment", async () => {
    const made = await makePasskey(await world.start(), origin);
    const both = await Promise.all([add(made.credential), add(made.credential)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const other = await makePasskey(await world.start(), origin);
    const two = await Promise.all([add(other.credential), world.add(world.ada, {}, "Phone")]);
    expect(two[0].status).toBe(200);
    expect((await world.own()).passkeys).toHaveLength(3);
    expect((await world.own()).recovery_codes_left).toBe(10);
  });

  test("a passkey that somebody has is not taken from anybody else, nor twice", async () => {
    const made = await world.add();
    const bo = await world.person({ password });
    const options = await world.start(bo);
    // An authenticator that lies: the same credential, made for another start.
    const { credential } = await makePasskey(options, origin);
    await world.client.execute({ sql: "UPDATE passkeys SET credential_id = ?", args: [credential.id] });
    expect(await add(credential, bo)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await world.own()).passkeys).toHaveLength(1);
    expect(made.passkey.name).toBe("Laptop");
  });

  test("belongs to the session that began it, and ends", async () => {
    const bo = await world.person({ password });
    const options = await world.start();
    const { credential } = await makePasskey(options, origin);
    expect(await add(credential, bo)).toMatchObject(wrong);
    const step = (await world.withPassword()).body;
    expect(await add(credential, { ...world.ada, token: step.token })).toMatchObject(wrong);
    world.advance(301);
    expect(await add(credential)).toMatchObject(wrong);
  });

  test.each<[string, Saying]>([
    ["another origin", { origin: "https://evil.example" }],
    ["another host", { rpId: "evil.example" }],
    ["the challenge of somebody else", { challenge: "aGVsbG8" }],
    ["an answer of another kind", { type: "webauthn.get" }],
    ["an unknown statement", { attestation: { fmt: "made-up", attStmt: new Map() } }],
  ])("%s is refused", async (_, saying) => {
    expect(await add((await makePasskey(await world.start(), origin, saying)).credential)).toMatchObject(wrong);
    expect((await world.own()).passkeys).toEqual([]);
  });

  test("certificates of authenticators are not looked at: nothing is fetched that they name", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    for (const fmt of ["packed", "apple", "android-key", "tpm", "fido-u2f", "android-safetynet"]) {
      const attStmt = new Map<string, unknown>([
        ["alg", -7],
        ["sig", new Uint8Array(64)],
        ["x5c", [new Uint8Array(200)]],
      ]);
      const { credential } = await makePasskey(await world.start(), origin, { attestation: { fmt, attStmt } });
      expect(await add(credential)).toMatchObject(wrong);
    }
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  test("is not for accounts without a password, for keys, and for more than twenty", async () => {
    const bo = await world.person();
    expect(await post("passkeys/start", { password: "" }, bo)).toMatchObject({ status: 400 });
    await world.call("/api/v1/auths/admin/config", { json: { ENABLE_API_KEYS: true }, as: world.boss });
    const { body: key } = await world.call<{ api_key: string }>("/api/v1/auths/api_key", {
      method: "POST",
      as: world.boss,
    });
    expect((await world.call("/api/v1/auths/passkeys/start", { json: { password }, as: key.api_key })).status).toBe(
      403,
    );
    for (let count = 0; count < 19; count++) await world.add();
    const last = await makePasskey(await world.start(), origin);
    const beyond = await makePasskey(await world.start(), origin);
    expect((await add(last.credential)).status).toBe(200);
    expect(await add(beyond.credential)).toMatchObject({ status: 409, body: { code: "limit_reached" } });
    expect(await post("passkeys/start", { password })).toMatchObject({ status: 409 });
  });

  test.each(["", " ", "x".repeat(101), 7, null])("the name %j is refused", async (name) => {
    const { credential } = await makePasskey(await world.start(), origin);
    expect((await post("passkeys", { name, credential })).status).toBe(422);
  });
});

describe("changing", () => {
  test("names are one's own to change", async () => {
    const { passkey } = await world.add();
    const rename = (id: string, name: unknown, as = world.ada) =>
      world.call<Passkey>(`/api/v1/auths/passkeys/${id}`, { method: "PATCH", json: { name }, as });
    expect((await rename(passkey.id, "Phone")).body).toEqual({ ...passkey, name: "Phone" });
    expect((await rename(passkey.id, "Phone")).status).toBe(200);
    expect((await rename(passkey.id, "Mine", world.boss)).status).toBe(404);
    expect((await rename("nothing", "Mine")).status).toBe(404);
    expect((await rename(passkey.id, "")).status).toBe(422);
    expect((await world.own()).passkeys).toMatchObject([{ name: "Phone" }]);
    expect(await actions()).toEqual(["user.passkey_added", "user.passkey_renamed"]);
  });

  test("removing takes the password; the recovery codes go with the last factor", async () => {
    const [one, two] = [await world.add(), await world.add(world.ada, {}, "Phone")];
    expect(await remove(one.passkey.id, world.ada, "wrong")).toMatchObject({ body: { code: "incorrect_password" } });
    const bo = await world.person({ password });
    expect((await remove(one.passkey.id, bo)).status).toBe(404);
    expect((await remove("nothing")).status).toBe(404);
    expect((await world.own()).passkeys).toHaveLength(2);
    expect((await remove(one.passkey.id)).status).toBe(200);
    expect(await world.own()).toMatchObject({ passkeys: [{ name: "Phone" }], recovery_codes_left: 10 });
    const both = await Promise.all([remove(two.passkey.id), remove(two.passkey.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await world.own()).toMatchObject({ passkeys: [], recovery_codes_left: 0 });
    expect((await world.client.execute("SELECT * FROM recovery_codes")).rows).toEqual([]);
    expect((await world.withPassword()).status).toBe(200);
    expect((await actions()).filter((action) => action === "user.passkey_removed")).toHaveLength(2);
  });

  test("new recovery codes take the password of those who have passkeys only, and a code of the others", async () => {
    expect((await post("second_factor/recovery_codes", { password })).status).toBe(403);
    await world.add();
    expect((await post("second_factor/recovery_codes", { password: "wrong" })).status).toBe(400);
    const { body } = await post<{ recovery_codes: string[] }>("second_factor/recovery_codes", { password });
    expect(body.recovery_codes).toHaveLength(10);
    const { secret } = (await post<{ secret: string }>("second_factor/start", { password })).body;
    await post("second_factor/confirm", { code: totpCode(secret, world.services.now()) });
    expect((await post("second_factor/recovery_codes", { password })).status).toBe(403);
    world.advance(30);
    expect((await post("second_factor/recovery_codes", { code: totpCode(secret, world.services.now()) })).status).toBe(
      200,
    );
  });
});

describe("administrators", () => {
  test("see how many passkeys somebody has, and who has a second factor, and reset all of it", async () => {
    const details = async () =>
      (await world.call<UserDetails>(`/api/v1/users/${world.ada.id}`, { as: world.boss })).body;
    expect(await details()).toMatchObject({ has_second_factor: false, has_authenticator_app: false, passkey_count: 0 });
    await world.add();
    await world.add();
    expect(await details()).toMatchObject({ has_second_factor: true, has_authenticator_app: false, passkey_count: 2 });
    const list = async (filter: string) => {
      world.roundTrips.reset();
      const { body } = await world.call<{ users: UserDetails[]; total: number }>(
        `/api/v1/users/?second_factor=${filter}`,
        { as: world.boss },
      );
      return [world.roundTrips.count, body.total, body.users.map((user) => [user.id, user.has_second_factor])];
    };
    expect(await list("true")).toEqual([2, 1, [[world.ada.id, true]]]);
    expect(await list("false")).toEqual([2, 1, [[world.boss.id, false]]]);
    expect((await world.call("/api/v1/users/?second_factor=maybe", { as: world.boss })).status).toBe(422);
    const reset = await world.call(`/api/v1/users/${world.ada.id}/second_factor`, { method: "DELETE", as: world.boss });
    expect(reset.status).toBe(200);
    expect(await details()).toMatchObject({ has_second_factor: false, passkey_count: 0 });
    const { rows } = await world.client.execute(
      "SELECT detail FROM audit_events WHERE action = 'user.second_factor_reset'",
    );
    expect(rows.map(({ detail }) => JSON.parse(String(detail)) as unknown)).toEqual([{ passkeys: 2 }]);
    expect((await world.withPassword()).status).toBe(200);
  });
});

describe("where a second factor is required", () => {
  const organization = "00000000-0000-7000-8000-000000000001";
  const demand = (requires: boolean, as = world.boss, id = organization) =>
    world.call(`/api/v1/organizations/${id}`, { method: "PATCH", json: { requires_second_factor: requires }, as });
  const chats = async (as: { token: string }) => (await world.request("/api/v1/chats/", { as })).status;

  test("a passkey is one: it is added before anything else, in the same session, and the last one stays", async () => {
    await world.client.execute(
      "UPDATE sessions SET provider = 'oidc' WHERE user_id <> (SELECT id FROM users WHERE email = 'ada@harbour.example')",
    );
    await world.call("/api/v1/auths/admin/config", { json: { SECOND_FACTOR: "everyone" }, as: world.boss });
    expect((await world.withPassword()).body.lacks_second_factor).toBe(true);
    expect(await chats(world.ada)).toBe(403);
    const { passkey } = await world.add();
    expect(await chats(world.ada)).toBe(200);
    expect(await remove(passkey.id)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    const { passkey: other } = await world.add();
    expect((await remove(other.id)).status).toBe(200);
    await world.call("/api/v1/auths/admin/config", { json: { ENABLE_PASSKEYS: false }, as: world.boss });
    expect(await chats(world.ada)).toBe(403);
  });

  test("an app may go while a passkey stays, and the other way round", async () => {
    const { passkey } = await world.add();
    const { secret } = (await post<{ secret: string }>("second_factor/start", { password })).body;
    await post("second_factor/confirm", { code: totpCode(secret, world.services.now()) });
    await demand(true);
    world.advance(30);
    expect((await post("second_factor/remove", { code: totpCode(secret, world.services.now()) })).status).toBe(200);
    expect(await world.own()).toMatchObject({ is_on: false, is_required: true, recovery_codes_left: 10 });
    expect((await remove(passkey.id)).status).toBe(403);
  });

  test("an organization requires it of its people, wherever they are now", async () => {
    const { body: pier } = await world.call<{ id: string; requires_second_factor: boolean }>("/api/v1/organizations", {
      json: { name: "Pier", requires_second_factor: true },
      as: world.boss,
    });
    expect(pier.requires_second_factor).toBe(true);
    expect((await world.withPassword()).body.lacks_second_factor).toBeUndefined();
    const move = (id: string) =>
      world.call(`/api/v1/organizations/${id}/members`, { json: { user_ids: [world.ada.id] }, as: world.boss });
    await move(pier.id);
    expect((await world.withPassword()).body.lacks_second_factor).toBe(true);
    expect(await chats(world.ada)).toBe(403);
    expect((await world.own()).is_required).toBe(true);
    await move(organization);
    expect(await chats(world.ada)).toBe(200);
    expect((await world.own()).is_required).toBe(false);
    await demand(true);
    expect(await chats(world.ada)).toBe(403);
    // Keys and sign-ins through an identity provider are exempt.
    await world.client.execute("UPDATE sessions SET provider = 'oidc'");
    expect(await chats(world.ada)).toBe(200);
  });

  test("only system administrators say so, and it is audited", async () => {
    const manager = await world.person();
    await world.client.execute({
      sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?",
      args: [manager.id],
    });
    expect((await demand(true, manager)).status).toBe(403);
    expect((await demand(true, world.boss, "nothing")).status).toBe(404);
    expect((await demand("yes" as unknown as boolean)).status).toBe(422);
    await world.client.execute("UPDATE sessions SET provider = 'oidc'");
    expect((await demand(true)).body).toMatchObject({ requires_second_factor: true });
    await demand(true);
    const { rows } = await world.client.execute(
      "SELECT detail FROM audit_events WHERE action = 'organization.second_factor_updated'",
    );
    expect(rows.map(({ detail }) => JSON.parse(String(detail)) as unknown)).toMatchObject([{ from: false, to: true }]);
    const members = `/api/v1/organizations/${organization}/members`;
    expect((await world.call(`${members}?second_factor=false`, { as: manager })).body).toMatchObject({ total: 3 });
    expect((await world.call(`${members}?second_factor=true`, { as: manager })).body).toMatchObject({ total: 0 });
  });
});

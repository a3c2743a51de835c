import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { World } from "../../../world.ts";
import { audited, createFakeProvider, createSsoWorld, type FakeProvider, signInBySso, whoIs } from "./fake-provider.ts";

let provider: FakeProvider;
let world: World;
beforeEach(async () => {
  provider = await createFakeProvider();
  world = await createSsoWorld(provider);
  await world.admin();
});
afterEach(() => world.close());

const event = "http://schemas.openid.net/event/backchannel-logout";
const ada = { sub: "ada-1", email: "ada@harbour.example", email_verified: true };
const now = () => world.services.now();
const order = () => ({
  iss: provider.issuer,
  aud: provider.clientId,
  iat: now(),
  exp: now() + 120,
  jti: crypto.randomUUID(),
  events: { [event]: {} },
  sub: "ada-1",
});
const sign = (claims: Record<string, unknown>, header: Record<string, unknown> = { typ: "logout+jwt" }) =>
  provider.sign(JSON.parse(JSON.stringify(claims)) as Record<string, unknown>, header);
const send = (token: string) =>
  world.call("/oauth/backchannel-logout", { method: "POST", body: new URLSearchParams({ logout_token: token }) });
/** A sign-in with its own session at the provider. */
const signIn = async (sid: string | undefined, claims: Record<string, unknown> = ada) => {
  provider.scene.idToken = { sid };
  return (await signInBySso(world, provider, claims)).token;
};
const isSignedIn = async (token: string | undefined) => (await whoIs(world, token)).status === 200;

describe("back-channel logout", () => {
  test("by subject ends every session of the person, also one by password", async () => {
    const tokens = [await signIn("s1"), await signIn("s2")];
    const { id } = await whoIs(world, tokens[0]);
    const other = await signIn("s3", { sub: "bob", email: "bob@harbour.example" });
    await world.client.execute({
      sql: "UPDATE sessions SET provider = NULL, provider_session = NULL, provider_subject = NULL WHERE provider_session = 's2'",
      args: [],
    });
    const answer = await send(await sign(order()));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    for (const token of tokens) expect((await whoIs(world, token)).status).toBe(401);
    expect(await isSignedIn(other)).toBe(true);
    expect(world.live.revoked.map(({ userId, reason }) => [userId, reason])).toEqual([
      [id, "session_ended"],
      [id, "session_ended"],
    ]);
    expect(await audited(world, "sso.signed_out")).toEqual([{ provider: "oidc", sessions: 2 }]);
  });

  test("by session ends what began with it, and what the provider gave no name", async () => {
    const [one, two, unnamed] = [await signIn("s1"), await signIn("s2"), await signIn(undefined)];
    const other = await signIn(undefined, { sub: "bob", email: "bob@harbour.example" });
    expect((await send(await sign({ ...order(), sid: "s1" }))).status).toBe(200);
    expect([await isSignedIn(one), await isSignedIn(two), await isSignedIn(unnamed), await isSignedIn(other)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    // Without a subject, only what has that name.
    expect((await send(await sign({ ...order(), sub: undefined, sid: "s2" }))).status).toBe(200);
    expect([await isSignedIn(two), await isSignedIn(other)]).toEqual([false, true]);
  });

  test("of a session of somebody else ends nothing", async () => {
    const token = await signIn("s1");
    expect((await send(await sign({ ...order(), sub: "bob", sid: "s1" }))).status).toBe(200);
    expect(await isSignedIn(token)).toBe(true);
  });

  test("by subject finds people whom another claim names here", async () => {
    await world.close();
    world = await createSsoWorld(provider, { OAUTH_SUB_CLAIM: "oid" });
    const token = await signIn(undefined, { ...ada, oid: "object-7" });
    await send(await sign(order()));
    expect(await isSignedIn(token)).toBe(false);
  });

  test("is fine for somebody who is not signed in, or not known", async () => {
    expect((await send(await sign(order()))).status).toBe(200);
    expect(await audited(world, "sso.signed_out")).toEqual([]);
  });

  test("that is sent again ends nothing that began after it", async () => {
    const first = await signIn("s1");
    const token = await sign({ ...order(), exp: now() + 3600 });
    await send(token);
    expect(await isSignedIn(first)).toBe(false);
    world.advance(400);
    const second = await signIn("s1");
    expect((await send(token)).status).toBe(200);
    expect(await isSignedIn(second)).toBe(true);
  });

  test.each<[string, () => Record<string, unknown>]>([
    ["another issuer", () => ({ iss: "https://evil.example" })],
    ["another audience", () => ({ aud: "somebody-else" })],
    ["no audience", () => ({ aud: undefined })],
    ["no time", () => ({ iat: undefined })],
    ["a time to come", () => ({ iat: now() + 600 })],
    ["an end that is over", () => ({ iat: now() - 300, exp: now() - 200 })],
    ["an end that is no time", () => ({ exp: "never" })],
    ["no end, from long ago", () => ({ exp: undefined, iat: now() - 3600 })],
    ["no events", () => ({ events: undefined })],
    ["another event", () => ({ events: { other: {} } })],
    ["an event that is no object", () => ({ events: { [event]: true } })],
    ["a nonce", () => ({ nonce: "n" })],
    ["no jti", () => ({ jti: undefined })],
    ["neither subject nor session", () => ({ sub: undefined })],
    ["an empty subject", () => ({ sub: "" })],
    ["a subject that is no text", () => ({ sub: ["ada-1"] })],
    ["a session that is no text", () => ({ sid: 7 })],
  ])("is refused with %s", async (_, claims) => {
    const token = await signIn("s1");
    const answer = await send(await sign({ ...order(), ...claims() }));
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
    expect(typeof answer.body["error_description"]).toBe("string");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await isSignedIn(token)).toBe(true);
  });

  test("is refused when somebody else has signed it, nobody, or for another purpose", async () => {
    const token = await signIn("s1");
    provider.scene.forged = true;
    expect((await send(await sign(order()))).status).toBe(400);
    provider.scene.forged = false;
    expect((await send(await sign(order(), { typ: "at+jwt" }))).status).toBe(400);
    provider.scene.alg = "none";
    expect((await send(await sign(order()))).status).toBe(400);
    expect(await isSignedIn(token)).toBe(true);
    provider.scene.alg = "RS256";
    // Older providers name no type.
    expect((await send(await sign(order(), {}))).status).toBe(200);
    expect(await isSignedIn(token)).toBe(false);
  });

  test("is refused for what is no such request", async () => {
    const body = new URLSearchParams({ logout_token: "x" });
    for (const init of [
      { body },
      { body: new URLSearchParams({}) },
      { body: new URLSearchParams({ logout_token: "x".repeat(30_000) }) },
      { body: "{}", headers: { "content-type": "application/json" } },
      {},
    ]) {
      const answer = await world.call("/oauth/backchannel-logout", { method: "POST", ...init });
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_request" } });
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
    expect((await world.request("/oauth/backchannel-logout")).status).toBe(404);
  });

  test("asks nobody about tokens that are for nobody here", async () => {
    const before = provider.requests.length;
    await send(await sign({ ...order(), aud: "x" }));
    await send("a.b.c");
    expect(provider.requests).toHaveLength(before);
  });

  test("can be switched off", async () => {
    await world.close();
    world = await createSsoWorld(provider, { ENABLE_OAUTH_BACKCHANNEL_LOGOUT: "false" });
    const token = await signIn("s1");
    expect(await send(await sign(order()))).toMatchObject({ status: 400 });
    expect(await isSignedIn(token)).toBe(true);
  });
});

describe("signing out", () => {
  const signOut = async (token: string | undefined) =>
    (
      await world.call<{ status: boolean; redirect_url?: string }>("/api/v1/auths/signout", {
        method: "POST",
        as: token!,
      })
    ).body;

  test("goes on at the provider, which is told who it is", async () => {
    const token = await signIn("s1");
    const { rows } = await world.client.execute("SELECT sealed_id_token FROM sessions WHERE provider = 'oidc'");
    const { status, redirect_url } = await signOut(token);
    expect(status).toBe(true);
    const address = new URL(redirect_url!);
    expect(address.origin + address.pathname).toBe(`${provider.issuer}/logout`);
    expect(address.searchParams.get("client_id")).toBe(provider.clientId);
    const hint = address.searchParams.get("id_token_hint")!;
    expect(JSON.parse(atob(hint.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")))).toMatchObject({
      sub: "ada-1",
    });
    expect(String(rows[0]!["sealed_id_token"])).not.toContain(hint);
    expect(address.searchParams.has("post_logout_redirect_uri")).toBe(false);
    expect(await isSignedIn(token)).toBe(false);
    // The second time there is nothing to end.
    expect(await signOut(token)).toEqual({ status: true });
  });

  test("comes back to the configured page, from another address where that is set", async () => {
    await world.close();
    world = await createSsoWorld(provider, {
      WEBUI_AUTH_SIGNOUT_REDIRECT_URL: "https://chat.example/bye",
      OPENID_END_SESSION_ENDPOINT: "https://op.example/end?x=1",
    });
    const address = new URL((await signOut(await signIn("s1"))).redirect_url!);
    expect(address.origin + address.pathname).toBe("https://op.example/end");
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      x: "1",
      post_logout_redirect_uri: "https://chat.example/bye",
    });
    const byPassword = await world.signUp();
    expect(await signOut(byPassword.token)).toEqual({ status: true, redirect_url: "https://chat.example/bye" });
  });

  test("goes on at a provider on this machine, which may do without https", async () => {
    const local = await createFakeProvider("http://127.0.0.1:9");
    const other = await createSsoWorld(local);
    const { token } = await signInBySso(other, local);
    const { body } = await other.call("/api/v1/auths/signout", { method: "POST", as: token! });
    expect(body["redirect_url"]).toMatch(/^http:\/\/127\.0\.0\.1:9\/logout\?/);
    await other.close();
  });

  test("ends here when the provider has no such page, cannot be asked, or the person came by password", async () => {
    const byPassword = await world.signUp();
    expect(await signOut(byPassword.token)).toEqual({ status: true });
    const one = await createFakeProvider();
    one.scene.discovery = { end_session_endpoint: undefined };
    const other = await createSsoWorld(one);
    const { token } = await signInBySso(other, one);
    const answer = await other.call("/api/v1/auths/signout", { method: "POST", as: token! });
    expect(answer).toMatchObject({ status: 200, body: { status: true } });
    expect(answer.body).not.toHaveProperty("redirect_url");
    await other.close();
    const down = await createFakeProvider();
    const third = await createSsoWorld(down, { OPENID_PROVIDER_URL: `${down.issuer}/elsewhere` });
    const person = await third.person();
    await third.client.execute({ sql: "UPDATE sessions SET provider = 'oidc' WHERE id = ?", args: [person.sessionId] });
    expect((await third.call("/api/v1/auths/signout", { method: "POST", as: person })).body).toEqual({ status: true });
    expect((await third.call("/api/v1/auths/", { as: person })).status).toBe(401);
    await third.close();
  });

  test("keeps no ID token that is too long for an address", async () => {
    const token = await signIn("s1", {
      ...ada,
      groups: Array.from({ length: 500 }, (_, at) => `a long group name ${at}`),
    });
    const address = new URL((await signOut(token)).redirect_url!);
    expect(address.searchParams.has("id_token_hint")).toBe(false);
    expect(address.searchParams.get("client_id")).toBe(provider.clientId);
  });
});

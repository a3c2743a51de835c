import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { World } from "../../../world.ts";
import { audited, createFakeProvider, createSsoWorld, type FakeProvider, signInBySso, visit } from "./fake-provider.ts";

let provider: FakeProvider;
let world: World;
beforeEach(async () => {
  provider = await createFakeProvider();
  world = await createSsoWorld(provider);
  await world.admin();
});
afterEach(() => world.close());

const start = async (jar = new Map<string, string>(), query = "") =>
  new URL((await visit(world, `/oauth/oidc/login${query}`, jar)).headers.get("location")!);

describe("what does not fit", () => {
  const fails = async (address: string, jar: Map<string, string>) => {
    const response = await visit(world, address, jar);
    expect(response.status).toBe(302);
    expect(jar.has("token")).toBe(false);
    return response.headers.get("location");
  };

  test("an answer without, with a changed, or with somebody else's state", async () => {
    const jar = new Map<string, string>();
    const back = provider.approve((await start(jar)).href);
    const state = back.searchParams.get("state")!;
    const code = back.searchParams.get("code")!;
    for (const other of [
      "",
      `${state}x`,
      state.slice(0, -1),
      "x.y",
      "__proto__",
      "%0d%0a",
      (await start()).searchParams.get("state")!,
    ])
      expect(await fails(`/oauth/oidc/login/callback?code=${code}&state=${other}`, jar)).toBe(
        "/sign-in?error=sso_expired",
      );
    expect(await fails(`/oauth/oidc/login/callback?code=${code}`, jar)).toBe("/sign-in?error=sso_expired");
    // Another browser.
    expect(await fails(back.pathname + back.search, new Map())).toBe("/sign-in?error=sso_expired");
    expect(provider.requests).not.toContain("POST /token");
  });

  test("a cookie that was changed, or that seals something else", async () => {
    const jar = new Map<string, string>();
    const back = provider.approve((await start(jar)).href);
    const [[name, value]] = [...jar] as [[string, string]];
    const sealed = await world.services.vault.seal(JSON.stringify({ device: "x", people: [] }));
    for (const other of [`${value.slice(0, -4)}AAAA`, "v1.k1.x.y", sealed])
      expect(await fails(back.pathname + back.search, new Map([[name, other]]))).toBe("/sign-in?error=sso_expired");
  });

  test("an answer after more than ten minutes, or a second time", async () => {
    const jar = new Map<string, string>();
    const late = provider.approve((await start(jar)).href);
    const kept = new Map(jar);
    world.advance(601);
    expect(await fails(late.pathname + late.search, jar)).toBe("/sign-in?error=sso_expired");
    world.advance(-601);
    expect((await visit(world, late.pathname + late.search, kept)).headers.get("location")).toBe("/");
    kept.delete("token");
    expect(await fails(late.pathname + late.search, kept)).toBe("/sign-in?error=sso_expired");
  });

  test("a code that is used again by a browser that kept its cookie", async () => {
    const jar = new Map<string, string>();
    const back = provider.approve((await start(jar)).href);
    const kept = new Map(jar);
    await visit(world, back.pathname + back.search, jar);
    expect(await fails(back.pathname + back.search, kept)).toBe("/sign-in?error=sso_provider_failed");
    expect(await audited(world, "sso.sign_in_failed")).toMatchObject([
      { error: "invalid_grant", error_description: "the code is not one" },
    ]);
  });

  test("somebody who says no at the provider, and a provider that says why not", async () => {
    const jar = new Map<string, string>();
    const state = (await start(jar, "?next=/chats/1")).searchParams.get("state")!;
    expect(await fails(`/oauth/oidc/login/callback?error=access_denied&state=${state}`, jar)).toBe(
      "/sign-in?error=sso_denied&next=%2Fchats%2F1",
    );
    const other = (await start(jar)).searchParams.get("state")!;
    expect(
      await fails(`/oauth/oidc/login/callback?error=server_error&error_description=no%0Aluck&state=${other}`, jar),
    ).toBe("/sign-in?error=sso_provider_failed");
    expect(await audited(world, "sso.sign_in_failed")).toMatchObject([
      { provider: "oidc", code: "sso_provider_failed", error: "server_error", error_description: "no luck" },
      { provider: "oidc", code: "sso_denied", error: "access_denied" },
    ]);
  });

  test("nobody fills the audit log with failures", async () => {
    for (let round = 0; round < 70; round++) await world.request("/oauth/oidc/login/callback?error=x");
    expect(await audited(world, "sso.sign_in_failed")).toHaveLength(60);
    expect(world.logged.filter(({ message }) => message === "single sign-on failed")).toHaveLength(70);
  });
});

describe("what the provider says and does not hold", () => {
  const now = () => Math.floor(Date.now() / 1000);
  /** What the audit log says about the sign-in, after which nobody is signed in. */
  const reason = async () => {
    const { location, token } = await signInBySso(world, provider);
    expect(location).toBe("/sign-in?error=sso_provider_failed");
    expect(token).toBeUndefined();
    const [detail] = await audited(world, "sso.sign_in_failed");
    expect((await world.client.execute("SELECT 1 FROM sessions WHERE provider IS NOT NULL")).rows).toEqual([]);
    return String(detail!["error_description"]);
  };

  test.each<[string, () => Record<string, unknown>, RegExp]>([
    ["nonce of another attempt", () => ({ nonce: "another" }), /claim/],
    ["no nonce", () => ({ nonce: undefined }), /nonce|claim/],
    ["another issuer", () => ({ iss: "https://evil.example" }), /claim/],
    ["another audience", () => ({ aud: "somebody-else" }), /claim/],
    ["several audiences, meant for another", () => ({ aud: ["parley", "x"], azp: "x" }), /claim/],
    ["an end that is over", () => ({ exp: now() - 120 }), /timestamp/],
    ["no end", () => ({ exp: undefined }), /exp|claim/],
    ["no subject", () => ({ sub: undefined }), /sub|claim/],
    ["a subject that is no text", () => ({ sub: { a: 1 } }), /sub|claim/],
  ])("an ID token with %s", async (_, idToken, said) => {
    provider.scene.idToken = idToken();
    expect(await reason()).toMatch(said);
  });

  test("an ID token that somebody else has signed", async () => {
    provider.scene.forged = true;
    expect(await reason()).toMatch(/signature of the token is invalid/);
  });

  test.each(["none", "HS256"])("an ID token of the kind %s, which was not announced", async (alg) => {
    provider.scene.alg = alg;
    provider.scene.discovery = { id_token_signing_alg_values_supported: ["RS256"] };
    expect(await reason()).toMatch(/./);
  });

  test("an ID token without a signature, whatever was announced", async () => {
    provider.scene.alg = "none";
    provider.scene.discovery = { id_token_signing_alg_values_supported: ["RS256", "none"] };
    expect(await reason()).toMatch(/./);
  });

  test("userinfo of somebody else", async () => {
    provider.scene.userinfo = { sub: "eve" };
    expect(await reason()).toMatch(/./);
  });

  test.each<[string, string, () => Response | Promise<Response>, RegExp]>([
    [
      "an error page for tokens",
      "/token",
      () => new Response("<h1>Oops</h1>", { status: 502, headers: { "content-type": "text/html" } }),
      /./,
    ],
    ["no JSON for tokens", "/token", () => new Response("{", { headers: { "content-type": "application/json" } }), /./],
    ["no ID token", "/token", () => Response.json({ access_token: "access", token_type: "Bearer" }), /./],
    [
      "a refusal of the client",
      "/token",
      () => Response.json({ error: "invalid_client", error_description: "unknown client" }, { status: 401 }),
      /unknown client/,
    ],
    [
      "a redirect for tokens",
      "/token",
      () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }),
      /./,
    ],
    [
      "too much",
      "/token",
      () => new Response("x".repeat(1_100_000), { headers: { "content-type": "application/json" } }),
      /more than 1000000 bytes/,
    ],
    ["no keys", "/keys", () => Response.json({ keys: [] }), /signature/],
    ["broken keys", "/keys", () => Response.json({ keys: "none" }), /holds no keys/],
    ["no userinfo", "/me", () => new Response(null, { status: 500 }), /./],
    ["nothing at all", "/token", () => Promise.reject(new TypeError("connect ECONNREFUSED")), /cannot be reached/],
  ])("%s", async (_, path, answer, said) => {
    provider.scene.instead[path] = answer;
    expect(await reason()).toMatch(said);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["another issuer", { issuer: "https://evil.example" }, /unexpected issuer/],
    ["no issuer", { issuer: undefined }, /no issuer/],
    [
      "a token endpoint over plain http",
      { token_endpoint: "http://op.example/token" },
      /token_endpoint that is not https/,
    ],
    [
      "a token endpoint on this machine",
      { token_endpoint: "http://127.0.0.1:1/token" },
      /token_endpoint that is not https/,
    ],
    [
      "an authorization endpoint that is a script",
      { authorization_endpoint: "javascript:alert(1)" },
      /authorization_endpoint/,
    ],
    ["no keys", { jwks_uri: undefined }, /names no jwks_uri/],
  ])("a discovery document with %s", async (_, discovery, said) => {
    provider.scene.discovery = discovery;
    expect(await reason()).toMatch(said);
    expect(provider.requests).not.toContain("POST /token");
  });

  test("no secret and no token stands in any log", async () => {
    const seen: string[] = [];
    provider.scene.instead["/token"] = () => {
      seen.push("asked");
      return Response.json({ access_token: "hidden-access", token_type: "Bearer", id_token: "hidden-token" });
    };
    await signInBySso(world, provider);
    expect(seen).toHaveLength(1);
    const { rows } = await world.client.execute("SELECT detail FROM audit_events");
    const written = JSON.stringify([rows, world.logged]);
    expect(written).toContain("sso_provider_failed");
    for (const secret of ["hidden", provider.clientSecret]) expect(written).not.toContain(secret);
  });

  test("a new key is asked for when its name is unknown, but not all the time", async () => {
    const asked = () => provider.requests.filter((name) => name === "GET /keys").length;
    await signInBySso(world, provider);
    await provider.rotate();
    expect((await signInBySso(world, provider)).location).toBe("/sign-in?error=sso_provider_failed");
    expect(asked()).toBe(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    try {
      expect((await signInBySso(world, provider)).location).toBe("/");
      expect(asked()).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a provider that does not answer", () => {
  test("at the start, ends on the sign-in page and says so in the log", async () => {
    provider.scene.instead["/.well-known/openid-configuration"] = () =>
      Promise.reject(new TypeError("connect ECONNREFUSED"));
    const response = await world.request("/oauth/oidc/login?next=/chats/1");
    expect(response.headers.get("location")).toBe("/sign-in?error=sso_provider_failed&next=%2Fchats%2F1");
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await audited(world, "sso.sign_in_failed")).toMatchObject([
      { code: "sso_provider_failed", error_description: `${provider.issuer} cannot be reached` },
    ]);
  });

  test("is not waited for longer than OAUTH_TIMEOUT", async () => {
    const one = await createFakeProvider();
    const other = await createSsoWorld(one, { OAUTH_TIMEOUT: "1" });
    const hanging: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => init!.signal!.addEventListener("abort", () => reject(new Error("aborted"))));
    other.services.outbound.trusted = hanging;
    expect((await other.request("/oauth/oidc/login")).headers.get("location")).toBe(
      "/sign-in?error=sso_provider_failed",
    );
    expect(await audited(other, "sso.sign_in_failed")).toMatchObject([
      { error_description: expect.stringMatching(/within 1 seconds/) },
    ]);
    await other.close();
  });
});

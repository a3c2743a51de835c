import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { World } from "../../world.ts";
import {
  audited,
  callback,
  createFakeProvider,
  createSsoWorld,
  type FakeProvider,
  signInBySso,
  visit,
  whoIs,
} from "./fake-provider.ts";

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

describe("the way to the provider", () => {
  test("asks for a code with state, nonce and proof, for our callback address", async () => {
    const address = await start();
    expect(address.origin + address.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: "parley",
      response_type: "code",
      scope: "openid email profile",
      redirect_uri: callback(),
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(address.searchParams.get(name)!.length).toBeGreaterThanOrEqual(43);
  });

  test("is different every time", async () => {
    const [one, other] = [await start(), await start()];
    for (const name of ["state", "nonce", "code_challenge"])
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name));
  });

  test("keeps what it needs in a sealed cookie that pages cannot read and that ends after ten minutes", async () => {
    const response = await world.request("/oauth/oidc/login");
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^sso\.[\w-]+=v1\./);
    expect(cookie).toContain("; HttpOnly");
    expect(cookie).toContain("; SameSite=Lax");
    expect(cookie).toContain("; Path=/oauth");
    const lives = Date.parse(/Expires=([^;]+)/.exec(cookie!)![1]!) / 1000 - world.services.now();
    expect(Math.abs(lives - 600)).toBeLessThanOrEqual(2);
    const state = new URL(response.headers.get("location")!).searchParams.get("state")!;
    expect(cookie).not.toContain(state);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("is 404 for a provider that is not configured", async () => {
    for (const id of ["github", "google", "nobody", "__proto__"]) {
      expect(await world.call(`/oauth/${id}/login`)).toMatchObject({
        status: 404,
        body: { code: "sso_unknown_provider" },
      });
      expect((await world.call(`/oauth/${id}/login/callback?code=x`)).status).toBe(404);
    }
  });
});

describe("the way back", () => {
  test("signs a new person in and sets the session cookie that sign-in sets", async () => {
    const { location, token, jar } = await signInBySso(world, provider);
    expect(location).toBe("/");
    expect([...jar.keys()]).toEqual(["token"]);
    expect(await whoIs(world, token)).toMatchObject({
      status: 200,
      email: "ada@harbour.example",
      name: "Ada Lovelace",
      role: "pending",
    });
    expect(await audited(world, "sso.signed_in")).toMatchObject([{ provider: "oidc", how: "new", role: "pending" }]);
    expect(await audited(world, "user.signed_up_by_sso")).toHaveLength(1);
  });

  test("answers at the older address too", async () => {
    const jar = new Map<string, string>();
    const back = provider.approve((await start(jar)).href);
    const response = await visit(world, `/oauth/oidc/callback${back.search}`, jar);
    expect(response.headers.get("location")).toBe("/");
    expect(jar.has("token")).toBe(true);
  });

  test("finds the same person again, and ends nothing of the first sign-in", async () => {
    const one = await whoIs(world, (await signInBySso(world, provider)).token);
    const again = await signInBySso(world, provider, { sub: "ada-1", email: "other@harbour.example" });
    expect(await whoIs(world, again.token)).toMatchObject({ id: one.id, email: "ada@harbour.example" });
    const { rows } = await world.client.execute(
      "SELECT provider, provider_session, provider_subject FROM sessions WHERE provider IS NOT NULL",
    );
    expect(rows.map((row) => ({ ...row }))).toEqual(
      Array.from({ length: 2 }, () => ({ provider: "oidc", provider_session: "sid-1", provider_subject: "ada-1" })),
    );
  });

  test("keeps the session when the provider's tokens have ended", async () => {
    const { token } = await signInBySso(world, provider);
    world.advance(7200);
    expect((await whoIs(world, token)).status).toBe(200);
  });

  test("goes on to the page that was asked for", async () => {
    expect((await signInBySso(world, provider, undefined, { next: "/chats/1?a=b#c" })).location).toBe("/chats/1?a=b#c");
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/api/v1/auths/signout",
    "/oauth/oidc/login",
    "evil",
  ])("goes to the start page for %j", async (next) => {
    expect((await signInBySso(world, provider, undefined, { next })).location).toBe("/");
  });

  test("two tabs do not break each other", async () => {
    const jar = new Map<string, string>();
    const [one, other] = [await start(jar, "?next=/one"), await start(jar, "?next=/other")];
    for (const [tab, next] of [
      [other, "/other"],
      [one, "/one"],
    ] as const) {
      const back = provider.approve(tab.href);
      expect((await visit(world, back.pathname + back.search, jar)).headers.get("location")).toBe(next);
    }
  });

  test("nobody can fill a browser with cookies", async () => {
    const jar = new Map<string, string>();
    for (let tab = 0; tab < 20; tab++) {
      world.advance(1);
      await start(jar);
    }
    expect(jar.size).toBe(6);
    const back = provider.approve((await start(jar)).href);
    expect((await visit(world, back.pathname + back.search, jar)).headers.get("location")).toBe("/");
  });

  test("asks for discovery and keys once, not at every sign-in", async () => {
    await signInBySso(world, provider);
    await signInBySso(world, provider);
    expect(provider.requests.filter((name) => name === "GET /.well-known/openid-configuration")).toHaveLength(1);
    expect(provider.requests.filter((name) => name === "GET /keys")).toHaveLength(1);
    expect(provider.requests.filter((name) => name === "POST /token")).toHaveLength(2);
  });

  test("does not take the person who was signed in before for the one who acts", async () => {
    const jar = new Map([["token", (await world.admin()).token]]);
    const { token } = await signInBySso(world, provider, undefined, { jar });
    expect((await whoIs(world, token)).email).toBe("ada@harbour.example");
    const { rows } = await world.client.execute(
      "SELECT actor_id, actor_kind FROM audit_events WHERE action = 'sso.signed_in'",
    );
    expect(rows.map((row) => ({ ...row }))).toEqual([{ actor_id: null, actor_kind: "anonymous" }]);
  });
});

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
  const failsWith = async (reason: RegExp) => {
    const { location, token } = await signInBySso(world, provider);
    expect(location).toBe("/sign-in?error=sso_provider_failed");
    expect(token).toBeUndefined();
    const [detail] = await audited(world, "sso.sign_in_failed");
    expect(String(detail!["error_description"])).toMatch(reason);
    expect((await world.client.execute("SELECT 1 FROM sessions WHERE provider IS NOT NULL")).rows).toEqual([]);
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
  ])("an ID token with %s", async (_, idToken, reason) => {
    provider.scene.idToken = idToken();
    await failsWith(reason);
  });

  test("an ID token that somebody else has signed", async () => {
    provider.scene.forged = true;
    await failsWith(/signature of the token does not hold/);
  });

  test("an ID token without a signature, or with one that was not announced", async () => {
    const unsigned = (claims: object) =>
      [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".") + ".";
    for (const supported of [["RS256"], ["RS256", "none"]]) {
      provider.scene.discovery = { id_token_signing_alg_values_supported: supported };
      provider.scene.instead["/token"] = () =>
        Response.json({
          access_token: "access",
          token_type: "Bearer",
          id_token: unsigned({
            iss: provider.issuer,
            aud: "parley",
            sub: "ada-1",
            iat: now(),
            exp: now() + 60,
            nonce: "n",
          }),
        });
      await failsWith(/./);
    }
    provider.scene.instead = {};
    provider.scene.alg = "HS256";
    provider.scene.discovery = { id_token_signing_alg_values_supported: ["RS256"] };
    const other = await createFakeProvider();
    Object.assign(other.scene, provider.scene);
    const quiet = await createSsoWorld(other);
    expect((await signInBySso(quiet, other)).location).toBe("/sign-in?error=sso_provider_failed");
    await quiet.close();
  });

  test("userinfo of somebody else", async () => {
    provider.scene.userinfo = { sub: "eve" };
    await failsWith(/./);
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
  ])("%s", async (_, path, answer, reason) => {
    provider.scene.instead[path] = answer;
    await failsWith(reason);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["another issuer", { issuer: "https://evil.example" }, /another issuer/],
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
  ])("a discovery document with %s", async (_, discovery, reason) => {
    provider.scene.discovery = discovery;
    await failsWith(reason);
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
    await signInBySso(world, provider);
    await provider.rotate();
    const asked = () => provider.requests.filter((name) => name === "GET /keys").length;
    expect(asked()).toBe(1);
    // Within the pause after the first look.
    expect((await signInBySso(world, provider)).location).toBe("/sign-in?error=sso_provider_failed");
    expect(asked()).toBe(1);
  });
});

describe("what providers do differently", () => {
  test("client authentication by what the provider announces, or by what is set", async () => {
    const methods: string[] = [];
    const note = (one: FakeProvider) => {
      one.scene.instead["/token"] = async (request) => {
        const form = new URLSearchParams(await request.clone().text());
        methods.push(request.headers.has("authorization") ? "basic" : form.has("client_secret") ? "post" : "none");
        return Response.json({ error: "invalid_grant" }, { status: 400 });
      };
    };
    const cases: [Record<string, unknown>, Record<string, string>][] = [
      [{}, {}],
      [{ token_endpoint_auth_methods_supported: ["client_secret_post"] }, {}],
      [{ token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"] }, {}],
      [{}, { OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: "client_secret_post" }],
      [{}, { OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: "none" }],
      [{}, { OAUTH_CLIENT_SECRET: "" }],
    ];
    for (const [discovery, environment] of cases) {
      const one = await createFakeProvider();
      one.scene.discovery = discovery;
      note(one);
      const other = await createSsoWorld(one, environment);
      await signInBySso(other, one);
      await other.close();
    }
    expect(methods).toEqual(["basic", "post", "basic", "post", "none", "none"]);
  });

  test("ID tokens signed with the client secret", async () => {
    provider.scene.alg = "HS256";
    expect((await signInBySso(world, provider)).location).toBe("/");
  });

  test("the address of the discovery document instead of the issuer, and an issuer with a path and a slash", async () => {
    const one = await createFakeProvider("https://sso.example/application/o/parley/");
    one.scene.discovery = {
      authorization_endpoint: "https://sso.example/authorize",
      token_endpoint: "https://sso.example/application/o/parley/token",
      jwks_uri: "https://sso.example/application/o/parley/keys",
      userinfo_endpoint: undefined,
    };
    const other = await createSsoWorld(one, {
      OPENID_PROVIDER_URL: "https://sso.example/application/o/parley/.well-known/openid-configuration",
    });
    expect((await signInBySso(other, one)).location).toBe("/");
    await other.close();
  });

  test("an own callback address, scopes and a name", async () => {
    const other = await createSsoWorld(provider, {
      OPENID_REDIRECT_URI: "https://chat.example/oauth/oidc/callback",
      OAUTH_SCOPES: "openid email groups",
      OAUTH_PROVIDER_NAME: "Harbour ID",
    });
    const jar = new Map<string, string>();
    const address = new URL((await visit(other, "/oauth/oidc/login", jar)).headers.get("location")!);
    expect(address.searchParams.get("redirect_uri")).toBe("https://chat.example/oauth/oidc/callback");
    expect(address.searchParams.get("scope")).toBe("openid email groups");
    const back = provider.approve(address.href);
    expect((await visit(other, back.pathname + back.search, jar)).headers.get("location")).toBe("/");
    expect((await other.call("/api/config")).body["oauth"]).toEqual({
      providers: { oidc: "Harbour ID" },
      auto_redirect: false,
    });
    await other.close();
  });

  test("cookies are sent over https only where the service is reached so", async () => {
    const other = await createSsoWorld(provider, { WEBUI_URL: "https://chat.example" });
    const jar = new Map<string, string>();
    const started = await visit(other, "/oauth/oidc/login", jar);
    expect(started.headers.getSetCookie()[0]).toContain("; Secure");
    const back = provider.approve(started.headers.get("location")!);
    expect(back.origin).toBe("https://chat.example");
    const finished = await visit(other, back.pathname + back.search, jar);
    expect(finished.headers.getSetCookie().find((line) => line.startsWith("token="))).toContain("; Secure");
    await other.close();
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

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { World } from "../../../world.ts";
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

import { afterEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../../../src/compose/parse-environment.ts";
import { ownPath } from "../../../../src/people/auth/oidc/return-path.ts";
import { listProviders } from "../../../../src/people/auth/oidc/providers.ts";
import { createWorld, type World } from "../../../world.ts";
import { createFakeProvider, createSsoWorld, signInBySso, whoIs } from "./fake-provider.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const complete = {
  OPENID_PROVIDER_URL: "https://op.example",
  OAUTH_CLIENT_ID: "parley",
  OAUTH_CLIENT_SECRET: "secret",
};

describe("the variables", () => {
  test.each([
    "https://op.example",
    "https://op.example/realms/a/.well-known/openid-configuration",
    "http://127.0.0.1:9000",
    "http://localhost:9000/realm",
    "http://[::1]:9000",
    "http://127.1.2.3",
  ])("accept a provider at %s", (url) => {
    expect(listProviders(parseEnvironment({ ...complete, OPENID_PROVIDER_URL: url }))).toHaveLength(1);
  });

  test.each([
    "http://op.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "https://user:password@op.example",
    "ftp://op.example",
    "op.example",
  ])("refuse a provider at %s: tokens go over https, or stay on this machine", (url) => {
    expect(() => parseEnvironment({ ...complete, OPENID_PROVIDER_URL: url })).toThrow(/OPENID_PROVIDER_URL/);
  });

  test.each<[Record<string, string>, RegExp]>([
    [{ OPENID_PROVIDER_URL: "https://op.example" }, /OPENID_PROVIDER_URL is set, so set OAUTH_CLIENT_ID too/],
    [{ OAUTH_CLIENT_ID: "x" }, /OAUTH_CLIENT_ID is set, so set OPENID_PROVIDER_URL too/],
    [{ OAUTH_CLIENT_SECRET: "hidden" }, /set OAUTH_CLIENT_ID and OPENID_PROVIDER_URL too/],
    [{ GOOGLE_CLIENT_ID: "x" }, /set GOOGLE_CLIENT_SECRET too/],
    [{ MICROSOFT_CLIENT_ID: "x", MICROSOFT_CLIENT_SECRET: "y" }, /set MICROSOFT_CLIENT_TENANT_ID too/],
    [
      { ...complete, OAUTH_CLIENT_SECRET: "", OAUTH_TOKEN_ENDPOINT_AUTH_METHOD: "client_secret_post" },
      /set OAUTH_CLIENT_SECRET too/,
    ],
    [{ ENABLE_PASSWORD_AUTH: "false" }, /nobody could sign in/],
    [{ ENABLE_LOGIN_FORM: "false" }, /nobody could sign in/],
    [{ MICROSOFT_CLIENT_TENANT_ID: "common" }, /one tenant/],
    [{ ...complete, OAUTH_SCOPES: "email profile" }, /openid/],
    [{ ...complete, OAUTH_CODE_CHALLENGE_METHOD: "plain" }, /one of S256/],
    [{ ...complete, OPENID_REDIRECT_URI: "https://chat.example/callback?x=1" }, /OPENID_REDIRECT_URI/],
    [{ ...complete, OAUTH_TIMEOUT: "0" }, /OAUTH_TIMEOUT/],
  ])("%j keep the service from starting, with the reason", (variables, reason) => {
    expect(() => parseEnvironment(variables)).toThrow(reason);
  });

  test("never show a secret in what is wrong with them", () => {
    const wrong = { ...complete, OAUTH_CLIENT_SECRET: "hidden".repeat(1000) };
    expect(() => parseEnvironment(wrong)).toThrow(/OAUTH_CLIENT_SECRET is not valid/);
    expect(() => parseEnvironment(wrong)).not.toThrow(/hidden/);
  });

  test("name Google and Microsoft beside one of one's own, each with what is known of it", () => {
    const environment = parseEnvironment({
      ...complete,
      GOOGLE_CLIENT_ID: "g",
      GOOGLE_CLIENT_SECRET: "gs",
      MICROSOFT_CLIENT_ID: "m",
      MICROSOFT_CLIENT_SECRET: "ms",
      MICROSOFT_CLIENT_TENANT_ID: "harbour.example",
    });
    expect(listProviders(environment).map(({ id, name, discovery }) => [id, name, discovery])).toEqual([
      ["oidc", "SSO", "https://op.example/.well-known/openid-configuration"],
      ["google", "Google", "https://accounts.google.com/.well-known/openid-configuration"],
      [
        "microsoft",
        "Microsoft",
        "https://login.microsoftonline.com/harbour.example/v2.0/.well-known/openid-configuration",
      ],
    ]);
  });
});

describe("Google and Microsoft", () => {
  test("sign in at their own paths, as people of their own", async () => {
    const google = await createFakeProvider("https://accounts.google.com");
    world = await createSsoWorld(google, {
      OPENID_PROVIDER_URL: "",
      OAUTH_CLIENT_ID: "",
      OAUTH_CLIENT_SECRET: "",
      GOOGLE_CLIENT_ID: google.clientId,
      GOOGLE_CLIENT_SECRET: google.clientSecret,
    });
    const { token } = await signInBySso(world, google, undefined, { id: "google" });
    expect((await whoIs(world, token)).email).toBe("ada@harbour.example");
    const { rows } = await world.client.execute("SELECT provider, external_id FROM identities");
    expect(rows.map((row) => ({ ...row }))).toEqual([{ provider: "google", external_id: "ada-1" }]);
    expect((await world.request("/oauth/oidc/login")).status).toBe(404);
  });

  const tenant = "11111111-2222-3333-4444-555555555555";
  const entra = async (issuer: string) => {
    const microsoft = await createFakeProvider("https://login.microsoftonline.com/harbour.example/v2.0");
    microsoft.scene.discovery = { issuer };
    microsoft.scene.idToken = { iss: issuer };
    world = await createSsoWorld(microsoft, {
      OPENID_PROVIDER_URL: "",
      OAUTH_CLIENT_ID: "",
      OAUTH_CLIENT_SECRET: "",
      MICROSOFT_CLIENT_ID: microsoft.clientId,
      MICROSOFT_CLIENT_SECRET: microsoft.clientSecret,
      MICROSOFT_CLIENT_TENANT_ID: "harbour.example",
      OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true",
    });
    return microsoft;
  };

  test("a tenant may be named by its domain, while its tokens name it by its id", async () => {
    const microsoft = await entra(`https://login.microsoftonline.com/${tenant}/v2.0`);
    await world!.person({ email: "ada@harbour.example" });
    const claims = { sub: "pairwise", email: "ada@harbour.example" };
    // Anybody can write any address into their own Entra account.
    expect((await signInBySso(world!, microsoft, claims, { id: "microsoft" })).location).toBe(
      "/sign-in?error=sso_email_unverified",
    );
    const proven = { ...claims, xms_edov: true };
    expect((await signInBySso(world!, microsoft, proven, { id: "microsoft" })).location).toBe("/");
  });
});

describe("what the page is told", () => {
  const config = async () =>
    (await world!.call<{ oauth: unknown; features: Record<string, boolean> }>("/api/config")).body;

  test("with a provider, without the form, and whether to go on at once", async () => {
    world = await createWorld({
      environment: { ...complete, OAUTH_AUTO_REDIRECT: "true", ENABLE_LOGIN_FORM: "false" },
    });
    expect(await config()).toMatchObject({
      oauth: { providers: { oidc: "SSO" }, auto_redirect: true },
      features: { enable_login_form: false, enable_password_auth: true, enable_signup: true },
    });
    const { body } = await world.call("/api/v1/auths/signup", {
      json: { name: "A", email: "a@b.example", password: "correct horse" },
    });
    expect(body).toHaveProperty("token");
  });

  test("with several providers nobody goes on at once", async () => {
    world = await createWorld({
      environment: { ...complete, GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "s", OAUTH_AUTO_REDIRECT: "true" },
    });
    expect((await config()).oauth).toEqual({ providers: { oidc: "SSO", google: "Google" }, auto_redirect: false });
  });

  test("without passwords, signing in and up with one is 403 and says so", async () => {
    world = await createWorld({ environment: { ...complete, ENABLE_PASSWORD_AUTH: "false" } });
    const person = await world.person({ password: "correct horse" });
    for (const [path, json] of [
      ["signin", { email: person.email, password: "correct horse" }],
      ["signup", { name: "A", email: "a@b.example", password: "correct horse" }],
    ] as const)
      expect(await world.call(`/api/v1/auths/${path}`, { json })).toMatchObject({
        status: 403,
        body: { code: "password_auth_disabled", detail: expect.stringContaining("identity provider") },
      });
    expect((await config()).features).toMatchObject({
      enable_login_form: false,
      enable_password_auth: false,
      enable_signup: false,
    });
    expect((await world.call("/api/v1/auths/", { as: person })).status).toBe(200);
  });
});

describe("what administrators are told", () => {
  test("is what to register, whether the provider answers, and what is hardly meant", async () => {
    const provider = await createFakeProvider();
    world = await createSsoWorld(provider, {
      SCIM_ENABLED: "true",
      SCIM_TOKEN: "a-token",
      SCIM_AUTH_PROVIDER: "okta",
      OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true",
    });
    const admin = await world.admin();
    const { status, body } = await world.call<Record<string, unknown> & { warnings: string[] }>(
      "/api/v1/auths/admin/sso",
      { as: admin },
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      providers: [
        {
          id: "oidc",
          callback_url: "http://parley.test/oauth/oidc/login/callback",
          backchannel_logout_url: "http://parley.test/oauth/backchannel-logout",
          reachable: true,
          problem: null,
          issuer: provider.issuer,
          signs_out: true,
        },
      ],
      last_signed_in_at: null,
      last_failed_at: null,
    });
    expect(body.warnings.join()).toMatch(/WEBUI_URL.*SCIM_AUTH_PROVIDER is okta.*OAUTH_MERGE/s);
    expect(JSON.stringify(body)).not.toContain(provider.clientSecret);
    await signInBySso(world, provider);
    provider.scene.discovery = { issuer: "https://evil.example" };
    const later = await world.call("/api/v1/auths/admin/sso", { as: admin });
    expect(later.body).toMatchObject({
      providers: [{ reachable: false, problem: expect.stringContaining("unexpected issuer") }],
    });
    expect(later.body["last_signed_in_at"]).toEqual(expect.any(Number));
  });

  test("is nobody else's matter", async () => {
    world = await createWorld({ environment: complete });
    await world.admin();
    expect((await world.call("/api/v1/auths/admin/sso", { as: await world.person() })).status).toBe(403);
  });
});

describe("pages to go on to", () => {
  test.each([
    ["/", "/"],
    ["/chats/1?a=b#c", "/chats/1?a=b#c"],
    ["/a/../b", "/b"],
    ["/%2F/evil.example", "/%2F/evil.example"],
    ["/apiary", "/apiary"],
    ["/?next=//evil.example", "/?next=//evil.example"],
  ])("%s leads to %s", (next, page) => {
    expect(ownPath(next)).toBe(page);
  });

  test.each([
    undefined,
    "",
    "x",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "/\n/evil.example",
    "/\u0000",
    "https://evil.example/",
    "javascript:alert(1)",
    "/api/v1/auths/signout",
    "/api",
    "/a/../oauth/oidc/login",
    `/${"x".repeat(3000)}`,
    `/${"ü".repeat(400)}`,
  ])("%j leads to the start page", (next) => {
    expect(ownPath(next)).toBe("/");
  });
});

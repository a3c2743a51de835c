import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OidcProvider, startOidcProvider } from "../fixtures/oidc/start-oidc-provider.ts";
import { createWalker, walkThrough, type Walker } from "../fixtures/oidc/walk.ts";
import { startParley, type Parley } from "./start-parley.ts";

/** Changed between tests; a restart reads it again. */
const env: Record<string, string> = {};
let provider: OidcProvider;
let parley: Parley;
let admin: string;

beforeAll(async () => {
  provider = await startOidcProvider();
  Object.assign(env, provider.variables, {
    ENABLE_OAUTH_SIGNUP: "true",
    ENABLE_OAUTH_GROUP_MANAGEMENT: "true",
    ENABLE_OAUTH_GROUP_CREATION: "true",
    ENABLE_OAUTH_ROLE_MANAGEMENT: "true",
    OAUTH_PROVIDER_NAME: "Harbour ID",
    SCIM_ENABLED: "true",
    SCIM_TOKEN: "token-for-the-stack-test",
    SCIM_AUTH_PROVIDER: "oidc",
  });
  parley = await startParley({ env });
  env["WEBUI_AUTH_SIGNOUT_REDIRECT_URL"] = `${parley.url}/sign-in?signed_out`;
  await parley.restart();
  provider.register(parley.url);
  const account = { name: "Grace", email: "grace@harbour.example", password: "correct horse" };
  admin = (await call<{ token: string }>("/api/v1/auths/signup", { json: account })).body.token;
});
afterAll(async () => {
  await parley?.stop();
  await provider?.close();
});

interface CallOptions {
  as?: string | undefined;
  json?: unknown;
  method?: string;
}

async function call<T = Record<string, unknown>>(path: string, { as, json, method }: CallOptions = {}) {
  const response = await fetch(parley.url + path, {
    method: method ?? (json === undefined ? "GET" : "POST"),
    headers: { ...(as ? { authorization: `Bearer ${as}` } : {}), "content-type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? undefined : JSON.parse(text)) as T };
}

const person = (login: string, claims: Record<string, unknown> = {}) =>
  provider.addAccount(login, {
    email: `${login}@harbour.example`,
    email_verified: true,
    name: login,
    roles: ["user"],
    groups: [],
    ...claims,
  });

/** The address of the callback, with the provider's answer, that the browser is about to go to. */
const walkToCallback = (walker: Walker, login: string, query = "") =>
  walkThrough(
    walker,
    `${parley.url}/oauth/oidc/login${query}`,
    login,
    (address) => address.origin === parley.url && address.pathname.endsWith("/callback"),
  );

const tokenOf = (walker: Walker) => walker.jar.get(new URL(parley.url).host)?.get("token");

async function signIn(login: string, { walker = createWalker(), query = "" } = {}) {
  const callback = await walkToCallback(walker, login, query);
  const finished = await walker.go(callback.href);
  return { location: finished.headers.get("location"), token: tokenOf(walker), walker };
}

const whoIs = async (token: string | undefined): Promise<Record<string, unknown>> => {
  const { status, body } = await call<Record<string, unknown>>("/api/v1/auths/", { as: token });
  return { status, ...body };
};

test("a new person signs in through the provider's own pages, and again as the same person", async () => {
  person("ada", { name: "Ada Lovelace", groups: ["Crew", "Deck Hands"] });
  const config = await call<{ oauth: unknown }>("/api/config");
  expect(config.body.oauth).toEqual({ providers: { oidc: "Harbour ID" }, auto_redirect: false });

  const first = await signIn("ada", { query: "?next=%2Fchats" });
  expect(first.location).toBe("/chats");
  const ada = await whoIs(first.token);
  expect(ada).toMatchObject({ status: 200, name: "Ada Lovelace", email: "ada@harbour.example", role: "user" });
  const groups = async (token: string | undefined) =>
    (await call<{ name: string }[]>("/api/v1/users/groups", { as: token })).body.map(({ name }) => name).sort();
  expect(await groups(first.token)).toEqual(["Crew", "Deck Hands"]);

  person("ada", { name: "Ada Lovelace", groups: ["Crew"], roles: ["admin"] });
  const second = await signIn("ada");
  expect(await whoIs(second.token)).toMatchObject({ id: ada["id"], role: "admin" });
  expect(await groups(second.token)).toEqual(["Crew"]);
  person("ada", { roles: ["nobody"] });
  expect((await signIn("ada")).location).toBe("/sign-in?error=sso_role_not_allowed");

  const events = await call<{ events: { action: string; detail: Record<string, unknown> }[] }>(
    "/api/v1/audit?action=sso.*",
    { as: admin },
  );
  expect(events.body.events.map(({ action, detail }) => [action, detail["how"] ?? detail["code"]])).toEqual([
    ["sso.sign_in_failed", "sso_role_not_allowed"],
    ["sso.signed_in", "known"],
    ["sso.signed_in", "new"],
  ]);
});

test("two at the same moment end in one account", async () => {
  person("twin");
  const walkers = [createWalker(), createWalker()];
  const callbacks = await Promise.all(walkers.map((walker) => walkToCallback(walker, "twin")));
  await Promise.all(walkers.map((walker, at) => walker.go(callbacks[at]!.href)));
  const [one, other] = await Promise.all(walkers.map((walker) => whoIs(tokenOf(walker))));
  expect(one).toMatchObject({ status: 200, id: other!["id"] });
});

test("a person whom SCIM has made signs in as that person, and lands nowhere else", async () => {
  const made = await fetch(`${parley.url}/api/v1/scim/v2/Users`, {
    method: "POST",
    headers: { authorization: `Bearer ${env["SCIM_TOKEN"]}`, "content-type": "application/scim+json" },
    body: JSON.stringify({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName: "joan@harbour.example",
      externalId: "joan",
      name: { givenName: "Joan", familyName: "Clarke" },
      active: true,
    }),
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  person("joan", { email: "another@elsewhere.example" });
  const { token } = await signIn("joan");
  expect(await whoIs(token)).toMatchObject({ id, email: "joan@harbour.example" });
});

test("a new person lands where a claim says", async () => {
  const { body: quay } = await call<{ id: string }>("/api/v1/organizations", { as: admin, json: { name: "Quay" } });
  const rules = [{ kind: "attribute", attribute: "department", value: "sailing", organization_id: quay.id }];
  expect((await call("/api/v1/landing-rules", { as: admin, json: { rules }, method: "PUT" })).status).toBe(200);
  person("sailor", { department: "sailing" });
  const { token } = await signIn("sailor");
  expect(await whoIs(token)).toMatchObject({ organization_id: quay.id });
});

test("an account with the same address is taken only where merging is on", async () => {
  person("grace");
  expect((await signIn("grace")).location).toBe("/sign-in?error=sso_email_taken");
  env["OAUTH_MERGE_ACCOUNTS_BY_EMAIL"] = "true";
  await parley.restart();
  person("grace", { email_verified: false });
  expect((await signIn("grace")).location).toBe("/sign-in?error=sso_email_unverified");
  person("grace");
  const { location, token } = await signIn("grace");
  expect(location).toBe("/");
  // Grace was the first, so the claim does not lower her; her sessions ended with the merge.
  expect(await whoIs(token)).toMatchObject({ email: "grace@harbour.example", role: "admin" });
  expect((await whoIs(admin)).status).toBe(401);
  admin = token!;
});

test("signing out goes on at the provider, which ends the other sessions here", async () => {
  person("bob");
  const walker = createWalker();
  const first = (await signIn("bob", { walker })).token;
  const second = (await signIn("bob", { walker })).token;
  const elsewhere = (await signIn("bob")).token;
  expect(second).not.toBe(first);

  const { body } = await call<{ redirect_url: string }>("/api/v1/auths/signout", { as: second, method: "POST" });
  expect(new URL(body.redirect_url).origin).toBe(provider.issuer);
  expect((await whoIs(first)).status).toBe(200);
  const end = await walkThrough(walker, body.redirect_url, "bob", (address) => address.origin === parley.url);
  expect(end.href).toBe(`${parley.url}/sign-in?signed_out`);
  expect(provider.logouts).toEqual(["success"]);
  expect((await whoIs(first)).status).toBe(401);
  // Another browser has a session of its own at the provider.
  expect((await whoIs(elsewhere)).status).toBe(200);
});

test("an answer that was changed signs nobody in", async () => {
  person("eve");
  for (const [name, value] of [
    ["state", "another"],
    ["iss", "http://127.0.0.1:1"],
    ["code", "another"],
  ] as const) {
    const walker = createWalker();
    const callback = await walkToCallback(walker, "eve");
    callback.searchParams.set(name, value);
    const location = (await walker.go(callback.href)).headers.get("location");
    expect(location).toBe(`/sign-in?error=${name === "state" ? "sso_expired" : "sso_provider_failed"}`);
    expect(tokenOf(walker)).toBeUndefined();
  }
  const callback = await walkToCallback(createWalker(), "eve");
  expect((await createWalker().go(callback.href)).headers.get("location")).toBe("/sign-in?error=sso_expired");
});

test("administrators see whether the provider answers; a provider that is down ends on the sign-in page", async () => {
  type Status = { providers: { reachable: boolean; problem: string | null; callback_url: string }[] };
  const status = async () => (await call<Status>("/api/v1/auths/admin/sso", { as: admin })).body.providers[0];
  expect(await status()).toMatchObject({ reachable: true, callback_url: `${parley.url}/oauth/oidc/login/callback` });
  const walker = createWalker();
  person("late");
  const callback = await walkToCallback(walker, "late");
  await provider.close();
  expect((await walker.go(callback.href)).headers.get("location")).toBe("/sign-in?error=sso_provider_failed");
  expect(await status()).toMatchObject({ reachable: false, problem: expect.stringContaining("cannot be reached") });
  await parley.restart();
  expect((await walker.go(`${parley.url}/oauth/oidc/login`)).headers.get("location")).toBe(
    "/sign-in?error=sso_provider_failed",
  );
});

test("a provider that is silent is not waited for", async () => {
  const silent = createServer(() => undefined);
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  env["OPENID_PROVIDER_URL"] = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  env["OAUTH_TIMEOUT"] = "1";
  await parley.restart();
  const response = await createWalker().go(`${parley.url}/oauth/oidc/login`);
  expect(response.headers.get("location")).toBe("/sign-in?error=sso_provider_failed");
  silent.close();
});

test("a configuration that cannot work keeps the service from starting, and says why", async () => {
  const failure = startParley({ env: { OAUTH_CLIENT_ID: "parley" } });
  await expect(failure).rejects.toThrow(/OAUTH_CLIENT_ID is set, so set OPENID_PROVIDER_URL too/);
});

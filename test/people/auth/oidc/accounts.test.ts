import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hashApiKey } from "../../../../src/people/auth/api-keys/hash-api-key.ts";
import { apiKeys } from "../../../../src/people/auth/api-keys/tables.ts";
import { passkeys } from "../../../../src/people/auth/passkeys/tables.ts";
import type { World } from "../../../world.ts";
import {
  audited,
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
});
afterEach(() => world.close());

const open = async (environment: Record<string, string> = {}) => {
  world = await createSsoWorld(provider, environment);
  await world.admin();
};
const scim = { SCIM_ENABLED: "true", SCIM_TOKEN: "a-token-for-scim", SCIM_AUTH_PROVIDER: "oidc" };
const ada = { sub: "ada-1", email: "ada@harbour.example", email_verified: true, name: "Ada Lovelace" };
const failed = (code: string) => `/sign-in?error=${code}`;
const location = async (claims?: Record<string, unknown>) => (await signInBySso(world, provider, claims)).location;
const oauthOf = async (id: string) => {
  const { rows } = await world.client.execute({ sql: "SELECT oauth FROM users WHERE id = ?", args: [id] });
  return JSON.parse(String(rows[0]!["oauth"])) as unknown;
};
const provision = async (externalId: string, source = "oidc") => {
  const person = await world.person({ email: "ada@harbour.example", name: "Ada" });
  await world.client.execute({
    sql: "UPDATE users SET scim = ? WHERE id = ?",
    args: [JSON.stringify({ [source]: { external_id: externalId } }), person.id],
  });
  return person;
};

describe("a person whom SCIM has made", () => {
  test("signs in as that person when the subject is their externalId", async () => {
    await open({ ...scim, ENABLE_OAUTH_SIGNUP: "false" });
    const person = await provision("ada-1");
    // The address at the provider does not matter.
    const { token } = await signInBySso(world, provider, { sub: "ada-1", email: "elsewhere@harbour.example" });
    expect(await whoIs(world, token)).toMatchObject({ id: person.id, email: "ada@harbour.example" });
    expect(await oauthOf(person.id)).toEqual({ oidc: { sub: "ada-1" } });
    expect(await audited(world, "sso.linked")).toEqual([{ provider: "oidc", how: "provisioned", subject: "ada-1" }]);
    // From then on by the subject itself.
    await world.client.execute("UPDATE users SET scim = NULL");
    expect(await location()).toBe("/");
    expect(await audited(world, "sso.signed_in")).toMatchObject([{ how: "known" }, { how: "provisioned" }]);
  });

  test("is found only while SCIM is on and its people belong to this provider", async () => {
    for (const environment of [{}, { ...scim, SCIM_AUTH_PROVIDER: "microsoft" }, { ...scim, SCIM_ENABLED: "false" }]) {
      await open({ ...environment, ENABLE_OAUTH_SIGNUP: "false" });
      await provision("ada-1", "oidc");
      expect(await location({ sub: "ada-1" })).toBe(failed("sso_no_account"));
      await world.close();
    }
    await open();
  });

  test("is named by the claim that is configured", async () => {
    await open({ ...scim, OAUTH_SUB_CLAIM: "oid" });
    const person = await provision("object-7");
    const { token } = await signInBySso(world, provider, { ...ada, oid: "object-7" });
    expect((await whoIs(world, token)).id).toBe(person.id);
    expect(await oauthOf(person.id)).toEqual({ oidc: { sub: "object-7" } });
  });

  test("who has been switched off does not get in", async () => {
    await open(scim);
    const person = await provision("ada-1");
    await world.client.execute({ sql: "UPDATE users SET active = 0 WHERE id = ?", args: [person.id] });
    expect(await location()).toBe(failed("sso_account_inactive"));
    expect(await oauthOf(person.id).catch(() => null)).toBeNull();
  });
});

describe("an account with the same address", () => {
  test("is nobody else's way in", async () => {
    await open();
    const person = await world.person({ email: ada.email, password: "correct horse" });
    expect(await location(ada)).toBe(failed("sso_email_taken"));
    expect(await location({ ...ada, email: "ADA@Harbour.example" })).toBe(failed("sso_email_taken"));
    expect(await oauthOf(person.id)).toBeNull();
    expect(await audited(world, "sso.sign_in_failed")).toMatchObject([
      { code: "sso_email_taken", subject: "ada-1", email: ada.email },
      { code: "sso_email_taken" },
    ]);
  });

  test("becomes theirs where that is configured and the provider vouches for the address", async () => {
    await open({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true", ENABLE_OAUTH_SIGNUP: "false" });
    const person = await world.person({ email: ada.email });
    for (const verified of [undefined, false, "false", 1, "yes", null])
      expect(await location({ ...ada, email_verified: verified })).toBe(failed("sso_email_unverified"));
    const { token } = await signInBySso(world, provider, ada);
    expect((await whoIs(world, token)).id).toBe(person.id);
    expect(await audited(world, "sso.linked")).toMatchObject([{ how: "merged" }]);
  });

  test("leaves whoever had made it under that address nothing to come in by", async () => {
    await open({
      OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true",
      DEFAULT_USER_ROLE: "user",
      ENABLE_API_KEYS: "true",
      USER_PERMISSIONS_FEATURES_API_KEYS: "true",
    });
    const squatter = await world.signUp({ email: ada.email, password: "correct horse" });
    const key = "sk-of-the-squatter";
    await world.db.insert(apiKeys).values({
      id: "key",
      userId: squatter.id,
      name: "left behind",
      hash: await hashApiKey(key),
      createdAt: 1,
    });
    expect((await whoIs(world, key)).id).toBe(squatter.id);
    await world.db.insert(passkeys).values({
      id: "passkey",
      userId: squatter.id,
      credentialId: "left-behind",
      publicKey: "",
      counter: 0,
      transports: [],
      name: "left behind",
      isSynced: false,
      createdAt: 1,
    });
    const { token } = await signInBySso(world, provider, ada);
    expect(await world.db.select().from(passkeys)).toEqual([]);
    expect((await whoIs(world, token)).id).toBe(squatter.id);
    expect((await whoIs(world, key)).status).toBe(401);
    expect(await audited(world, "api_key.deleted")).toEqual([{ name: "left behind", user_id: squatter.id }]);
    expect(world.live.rechecked).toContain(squatter.id);
    expect((await whoIs(world, squatter.token)).status).toBe(401);
    const again = await world.call("/api/v1/auths/signin", { json: { email: ada.email, password: "correct horse" } });
    expect(again).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
    expect(world.live.revoked).toContainEqual({
      userId: squatter.id,
      reason: "session_ended",
      sessionId: squatter.sessionId,
    });
  });

  test("keeps the password of an administrator, who has to get in without the provider too", async () => {
    await open({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true" });
    await world.person({ email: ada.email, role: "admin", password: "correct horse" });
    await signInBySso(world, provider, ada);
    const again = await world.call("/api/v1/auths/signin", { json: { email: ada.email, password: "correct horse" } });
    expect(again.status).toBe(200);
  });

  test("stays with the subject that has it, when the provider gives the address to somebody else", async () => {
    await open({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true" });
    await signInBySso(world, provider, ada);
    expect(await location({ ...ada, sub: "successor" })).toBe(failed("sso_email_taken"));
  });

  test("is not merged by an address that the provider does not vouch for, but another claim names", async () => {
    await open({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true", OAUTH_EMAIL_CLAIM: "preferred_username" });
    await world.person({ email: "grace.h@harbour.example" });
    const claims = { ...ada, preferred_username: "grace.h@harbour.example" };
    expect(await location(claims)).toBe(failed("sso_email_unverified"));
  });
});

describe("a new account", () => {
  test("is made only where that is on", async () => {
    await open({ ENABLE_OAUTH_SIGNUP: "false" });
    expect(await location(ada)).toBe(failed("sso_no_account"));
    expect((await world.client.execute("SELECT 1 FROM users")).rows).toHaveLength(1);
  });

  test("needs an address that is one, and not one that the provider says is unproven", async () => {
    await open();
    expect(await location({ sub: "a" })).toBe(failed("sso_email_missing"));
    expect(await location({ sub: "a", email: "nobody" })).toBe(failed("sso_email_missing"));
    expect(await location({ ...ada, email_verified: false })).toBe(failed("sso_email_unverified"));
    expect(await location({ sub: "a", email: "a@harbour.example" })).toBe("/");
  });

  test("is made for people of the allowed domains only; the same goes for who has one", async () => {
    await open({ OAUTH_ALLOWED_DOMAINS: "harbour.example, @Quay.example" });
    expect(await location(ada)).toBe("/");
    expect(await location({ sub: "b", email: "b@quay.example" })).toBe("/");
    for (const email of ["c@evil.example", "c@sub.harbour.example", "c@harbour.example.evil.example"])
      expect(await location({ sub: "c", email })).toBe(failed("sso_domain_not_allowed"));
    expect(await location({ sub: "c" })).toBe(failed("sso_email_missing"));
    expect(await location({ sub: "ada-1", email: "ada@evil.example" })).toBe(failed("sso_domain_not_allowed"));
    // Without an address in the claims, the account's own counts.
    expect(await location({ sub: "ada-1" })).toBe("/");
  });

  test("of the very first person is the administrator's", async () => {
    world = await createSsoWorld(provider);
    const first = await signInBySso(world, provider, ada);
    expect((await whoIs(world, first.token)).role).toBe("admin");
    const second = await signInBySso(world, provider, { sub: "b", email: "b@harbour.example" });
    expect((await whoIs(world, second.token)).role).toBe("pending");
  });

  test("gets the default role, the name and the picture of the claims", async () => {
    await open({ DEFAULT_USER_ROLE: "user" });
    const claims = { ...ada, name: " Ada\nLovelace ", picture: "https://harbour.example/ada.png" };
    const { token } = await signInBySso(world, provider, claims);
    const person = await whoIs(world, token);
    expect(person).toMatchObject({ name: "Ada Lovelace", role: "user" });
    const picture = await world.request(`/api/v1/users/${person.id}/profile/image`, { as: token! });
    expect(picture.headers.get("location")).toBe(
      `/api/v1/images/proxy?url=${encodeURIComponent("https://harbour.example/ada.png")}`,
    );
  });

  test.each<[Record<string, unknown>, string]>([
    [{ given_name: "Ada", family_name: "King" }, "Ada King"],
    [{ preferred_username: "ada.k" }, "ada.k"],
    [{}, "ada"],
    [{ name: { formatted: "x" }, nickname: "Countess" }, "Countess"],
    [{ name: "\u0000\u0001" }, "ada"],
    [{ name: "x".repeat(400) }, "x".repeat(200)],
  ])("is called what can be known of %j", async (claims, name) => {
    await open();
    const { token } = await signInBySso(world, provider, { sub: "a", email: "ada@harbour.example", ...claims });
    expect((await whoIs(world, token)).name).toBe(name);
  });

  test.each(["javascript:alert(1)", "data:image/svg+xml;base64,PHN2Zy8+", "//x", 7, ""])(
    "takes no picture from %j",
    async (picture) => {
      await open();
      expect(await location({ ...ada, picture })).toBe("/");
      expect((await world.client.execute("SELECT 1 FROM profile_images")).rows).toEqual([]);
    },
  );

  test("lands where the rules say, by claim, group and domain", async () => {
    await open();
    const admin = await world.admin();
    await world.client
      .executeMultiple(`INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at)
      VALUES ('quay', 'Quay', 1, 0, '{}', 0, 0), ('dock', 'Dock', 1, 0, '{}', 0, 0), ('off', 'Off', 0, 0, '{}', 0, 0)`);
    const rules = [
      { kind: "attribute", attribute: "department", value: "sailing", organization_id: "off" },
      { kind: "attribute", attribute: "department", value: "sailing", organization_id: "quay" },
      { kind: "group", value: "Crew", organization_id: "dock" },
      { kind: "email_domain", value: "quay.example", organization_id: "quay" },
    ];
    const stored = rules.map((rule, position) => ({ attribute: "", ...rule, id: `r${position}`, position }));
    for (const rule of stored)
      await world.client.execute({
        sql: "INSERT INTO landing_rules (id, position, kind, attribute, value, organization_id, created_at) VALUES (?, ?, ?, ?, ?, ?, 0)",
        args: [rule.id, rule.position, rule.kind, rule.attribute, rule.value, rule.organization_id],
      });
    const homeOf = async (claims: Record<string, unknown>) => {
      const { token } = await signInBySso(world, provider, claims);
      const { id } = await whoIs(world, token);
      const { rows } = await world.client.execute({
        sql: "SELECT organization_id FROM users WHERE id = ?",
        args: [id],
      });
      return rows[0]!["organization_id"];
    };
    expect(await homeOf({ sub: "1", email: "a@x.example", department: "sailing" })).toBe("quay");
    expect(await homeOf({ sub: "2", email: "b@x.example", groups: ["Other", "Crew"] })).toBe("dock");
    expect(await homeOf({ sub: "3", email: "c@quay.example" })).toBe("quay");
    expect(await homeOf({ sub: "4", email: "d@x.example" })).not.toBe("quay");
    expect(admin.role).toBe("admin");
  });

  test("is not made where it would have no home", async () => {
    await open();
    await world.client.execute("UPDATE organizations SET active = 0");
    expect(await location(ada)).toBe(failed("sso_organization_inactive"));
    expect((await world.client.execute("SELECT 1 FROM users WHERE email = 'ada@harbour.example'")).rows).toEqual([]);
  });
});

describe("an account that may not be used", () => {
  test("because it is off, or its organization", async () => {
    await open();
    await signInBySso(world, provider, ada);
    await world.client.execute("UPDATE users SET active = 0 WHERE email = 'ada@harbour.example'");
    expect(await location()).toBe(failed("sso_account_inactive"));
    await world.client.execute("UPDATE users SET active = 1");
    await world.client.execute("UPDATE organizations SET active = 0");
    expect(await location()).toBe(failed("sso_organization_inactive"));
    expect((await world.client.execute("SELECT 1 FROM sessions WHERE provider = 'oidc'")).rows).toHaveLength(1);
  });

  test("switched off in the very moment of signing in", async () => {
    await open();
    await signInBySso(world, provider, ada);
    const { db } = world.services;
    const batch = db.batch.bind(db);
    let done = false;
    db.batch = (async (statements: Parameters<typeof batch>[0]) => {
      if (!done) {
        done = true;
        await world.client.execute("UPDATE users SET active = 0 WHERE email = 'ada@harbour.example'");
      }
      return batch(statements);
    }) as unknown as typeof db.batch;
    expect(await location()).toBe(failed("sso_account_inactive"));
    expect(done).toBe(true);
  });
});

describe("at the same moment", () => {
  test("two sign-ins of one new person end in one account and two sessions", async () => {
    await open();
    provider.scene.claims = ada;
    const jars = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
    const backs: URL[] = [];
    for (const jar of jars)
      backs.push(provider.approve((await visit(world, "/oauth/oidc/login", jar)).headers.get("location")!));
    const answers = await Promise.all(backs.map((back, at) => visit(world, back.pathname + back.search, jars[at]!)));
    expect(answers.map((answer) => answer.headers.get("location"))).toEqual(["/", "/", "/"]);
    const people = await Promise.all(jars.map((jar) => whoIs(world, jar.get("token"))));
    expect(new Set(people.map(({ id }) => id)).size).toBe(1);
    expect((await world.client.execute("SELECT 1 FROM users")).rows).toHaveLength(2);
    expect((await world.client.execute("SELECT 1 FROM sessions WHERE provider = 'oidc'")).rows).toHaveLength(3);
  });

  test("two new people with one address end in one account and one refusal", async () => {
    await open();
    const jars = [new Map<string, string>(), new Map<string, string>()];
    // Without userinfo, so that each ID token may have a subject of its own.
    provider.scene.discovery = { userinfo_endpoint: undefined };
    const backs: URL[] = [];
    for (const jar of jars)
      backs.push(provider.approve((await visit(world, "/oauth/oidc/login", jar)).headers.get("location")!));
    let turn = 0;
    Object.defineProperty(provider.scene, "claims", { get: () => ({ ...ada, sub: `s${turn++}` }) });
    const answers = await Promise.all(backs.map((back, at) => visit(world, back.pathname + back.search, jars[at]!)));
    const ends = answers.map((answer) => answer.headers.get("location")).sort();
    expect(ends).toEqual(["/", failed("sso_email_taken")].sort());
  });
});

test("a service account is nobody's, also for whom has its address", async () => {
  await open({ OAUTH_MERGE_ACCOUNTS_BY_EMAIL: "true" });
  const service = await world.person({ email: "ada@harbour.example", name: "Probe" });
  await world.client.execute({ sql: "UPDATE users SET kind = 'service' WHERE id = ?", args: [service.id] });
  expect(await location(ada)).toBe(failed("sso_email_taken"));
  // Nor if it had been linked before.
  await world.client.execute({
    sql: "UPDATE users SET oauth = ? WHERE id = ?",
    args: [JSON.stringify({ oidc: { sub: "ada-1" } }), service.id],
  });
  expect(await location(ada)).toBe(failed("sso_email_taken"));
  const { rows } = await world.client.execute({ sql: "SELECT * FROM sessions WHERE provider IS NOT NULL", args: [] });
  expect(rows).toEqual([]);
});

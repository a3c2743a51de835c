import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultOrganizationId, type World } from "../../../world.ts";
import { audited, createFakeProvider, createSsoWorld, type FakeProvider, signInBySso, whoIs } from "./fake-provider.ts";

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
const ada = { sub: "ada-1", email: "ada@harbour.example", email_verified: true, name: "Ada Lovelace" };
const signIn = async (claims: Record<string, unknown>) => signInBySso(world, provider, { ...ada, ...claims });
const adasRole = async () =>
  (await world.client.execute("SELECT role FROM users WHERE email = 'ada@harbour.example'")).rows[0]?.["role"];

describe("roles", () => {
  const managed = { ENABLE_OAUTH_ROLE_MANAGEMENT: "true" };

  test("do not come from the provider unless that is on", async () => {
    await open();
    await signIn({ roles: ["admin"] });
    expect(await adasRole()).toBe("pending");
  });

  test.each<[unknown, string | undefined]>([
    [["user"], "user"],
    [["admin"], "admin"],
    [["other", "admin", "user"], "admin"],
    ["user", "user"],
    ["other, admin", "admin"],
    ["openid admin", "admin"],
    [["User"], undefined],
    [["administrator"], undefined],
    [[], undefined],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
    [true, undefined],
    [{ admin: true }, undefined],
    [[["admin"]], undefined],
    [[7, null, "user"], "user"],
  ])("%j makes a person %s", async (roles, role) => {
    await open(managed);
    const { location } = await signIn({ roles });
    expect(location).toBe(role ? "/" : "/sign-in?error=sso_role_not_allowed");
    expect(await adasRole()).toBe(role);
  });

  test("have names and a place of their own where that is configured", async () => {
    await open({
      ...managed,
      OAUTH_ROLES_CLAIM: "resource_access.par.ley.roles",
      OAUTH_ALLOWED_ROLES: "crew,captain",
      OAUTH_ADMIN_ROLES: "captain",
    });
    await signIn({ resource_access: { "par.ley": { roles: ["crew"] }, par: { ley: 1 } }, roles: ["captain"] });
    expect(await adasRole()).toBe("user");
    await signIn({ resource_access: { "par.ley": { roles: ["captain"] } } });
    expect(await adasRole()).toBe("admin");
  });

  test("are found under names with dots and slashes, and not in what every object has", async () => {
    await open({ ...managed, OAUTH_ROLES_CLAIM: "https://harbour.example/roles" });
    expect((await signIn({ "https://harbour.example/roles": ["user"] })).location).toBe("/");
    await world.close();
    await open({ ...managed, OAUTH_ROLES_CLAIM: "constructor.name", OAUTH_ALLOWED_ROLES: "Object" });
    expect((await signIn({})).location).toBe("/sign-in?error=sso_role_not_allowed");
  });

  test("are read of userinfo too, but what is signed counts", async () => {
    await open(managed);
    provider.scene.userinfo = { roles: ["admin"] };
    await signIn({});
    expect(await adasRole()).toBe("admin");
    provider.scene.userinfo = { roles: ["admin"] };
    await signInBySso(world, provider, { sub: "eve", email: "eve@harbour.example", roles: ["user"] });
    const { rows } = await world.client.execute("SELECT role FROM users WHERE email = 'eve@harbour.example'");
    expect(rows[0]!["role"]).toBe("user");
  });

  test("change at the next sign-in; a lower one ends the sessions before it", async () => {
    await open(managed);
    const { token: first } = await signIn({ roles: ["admin"] });
    const { token: second } = await signIn({ roles: ["user"] });
    expect((await whoIs(world, first)).status).toBe(401);
    const ada = await whoIs(world, second);
    expect(ada).toMatchObject({ status: 200, role: "user" });
    expect(world.live.revoked).toMatchObject([{ userId: ada.id, reason: "role_changed" }]);
    expect(world.live.rechecked).toEqual([ada.id]);
    expect(await audited(world, "user.role_updated")).toEqual([{ from: "admin", to: "user", provider: "oidc" }]);
    // A higher one ends nothing.
    await signIn({ roles: ["admin"] });
    expect((await whoIs(world, second)).role).toBe("admin");
    expect((await signIn({ roles: ["stranger"] })).location).toBe("/sign-in?error=sso_role_not_allowed");
    expect(await adasRole()).toBe("admin");
    expect((await audited(world, "sso.sign_in_failed"))[0]).toMatchObject({ roles: ["stranger"], subject: "ada-1" });
  });

  test("never take the service its first or last administrator", async () => {
    world = await createSsoWorld(provider, managed);
    // The first person of all, whatever the claim says.
    await signIn({ roles: ["user"] });
    expect(await adasRole()).toBe("admin");
    await world.person({ role: "admin", name: "Second" });
    expect((await signIn({ roles: ["user"] })).location).toBe("/");
    expect(await adasRole()).toBe("admin");
    // Not the first one any more, but the only one who can sign in.
    await world.client.execute("UPDATE users SET active = 0, created_at = 0 WHERE name = 'Second'");
    await signIn({ roles: ["user"] });
    expect(await adasRole()).toBe("admin");
    await world.client.execute("UPDATE users SET active = 1 WHERE name = 'Second'");
    await signIn({ roles: ["user"] });
    expect(await adasRole()).toBe("user");
  });
});

describe("groups", () => {
  const managed = { ENABLE_OAUTH_GROUP_MANAGEMENT: "true" };
  const makeGroup = async (name: string, { home = defaultOrganizationId, externalId = null as string | null } = {}) => {
    const id = crypto.randomUUID();
    await world.client.execute({
      sql: "INSERT INTO groups (id, organization_id, name, external_id, permissions, created_at, updated_at) VALUES (?, ?, ?, ?, '{}', 0, 0)",
      args: [id, home, name, externalId],
    });
    return id;
  };
  const adasGroups = async () => {
    const { rows } = await world.client.execute(`SELECT g.name FROM group_members m JOIN groups g ON g.id = m.group_id
      JOIN users u ON u.id = m.user_id WHERE u.email = 'ada@harbour.example' ORDER BY g.name`);
    return rows.map((row) => row["name"]);
  };
  const addByHand = async (groupId: string) =>
    world.client.execute({
      sql: "INSERT INTO group_members (group_id, user_id, created_at) SELECT ?, id, 0 FROM users WHERE email = 'ada@harbour.example'",
      args: [groupId],
    });

  test("do not come from the provider unless that is on", async () => {
    await open();
    await makeGroup("Crew");
    await signIn({ groups: ["Crew"] });
    expect(await adasGroups()).toEqual([]);
  });

  test("are joined and left as the claim says, from the very first sign-in", async () => {
    await open(managed);
    for (const name of ["Crew", "Deck Hands", "Captains"]) await makeGroup(name);
    await signIn({ groups: ["Crew", "Deck Hands", "Unknown"] });
    expect(await adasGroups()).toEqual(["Crew", "Deck Hands"]);
    await signIn({ groups: "Captains,Crew" });
    expect(await adasGroups()).toEqual(["Captains", "Crew"]);
    const { token } = await signIn({ groups: ["Crew"] });
    expect(await adasGroups()).toEqual(["Crew"]);
    expect(await audited(world, "user.groups_synced")).toEqual([
      { provider: "oidc", added: [], removed: ["Captains"] },
      { provider: "oidc", added: ["Captains"], removed: ["Deck Hands"] },
      { provider: "oidc", added: ["Crew", "Deck Hands"], removed: [] },
    ]);
    expect(world.live.rechecked).toEqual([(await whoIs(world, token)).id, (await whoIs(world, token)).id]);
    // Nothing changes, nothing is said.
    await signIn({ groups: ["Crew"] });
    expect(await audited(world, "user.groups_synced")).toHaveLength(3);
  });

  test.each<[string, Record<string, unknown>]>([
    ["is missing", {}],
    ["is empty", { groups: [] }],
    ["is null", { groups: null }],
    ["is no list", { groups: { Crew: true } }],
  ])("are left when the claim %s", async (_, claims) => {
    await open(managed);
    await makeGroup("Crew");
    await signIn({ groups: ["Crew"] });
    expect(await adasGroups()).toEqual(["Crew"]);
    await signIn(claims);
    expect(await adasGroups()).toEqual([]);
  });

  test("stay as they are when the provider says that there were too many to send", async () => {
    await open(managed);
    await makeGroup("Crew");
    await signIn({ groups: ["Crew"] });
    await signIn({ _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph.example" } } });
    expect(await adasGroups()).toEqual(["Crew"]);
    expect((await audited(world, "sso.signed_in"))[0]).toMatchObject({ groups_claim: "not sent: too many" });
  });

  test("that somebody was put into by hand stay theirs", async () => {
    await open(managed);
    const [crew, hands] = [await makeGroup("Crew"), await makeGroup("Hands")];
    await signIn({});
    await addByHand(crew);
    await addByHand(hands);
    await signIn({ groups: ["Crew"] });
    await signIn({ groups: [] });
    expect(await adasGroups()).toEqual(["Crew", "Hands"]);
  });

  test("that SCIM keeps, or that are blocked, are left alone", async () => {
    await open({ ...managed, ENABLE_OAUTH_GROUP_CREATION: "true", OAUTH_BLOCKED_GROUPS: '["Secret", "ad-*", "100%"]' });
    await makeGroup("Kept", { externalId: "scim-1" });
    for (const name of ["Secret", "ad-users", "Crew", "100%"]) await makeGroup(name);
    await signIn({ groups: ["Kept", "Secret", "ad-users", "ad-new", "Crew", "100%", "100x"] });
    expect(await adasGroups()).toEqual(["100x", "Crew"]);
    // What the provider gave before the group was blocked, or SCIM's, is not taken either.
    await world.client.execute("UPDATE groups SET name = 'ad-crew' WHERE name = 'Crew'");
    await world.client.execute("UPDATE groups SET external_id = 'scim-2' WHERE name = '100x'");
    await signIn({ groups: [] });
    expect(await adasGroups()).toEqual(["100x", "ad-crew"]);
    expect((await world.client.execute("SELECT 1 FROM groups WHERE name IN ('ad-new')")).rows).toEqual([]);
  });

  test("count where the person is at home: the default organization's and theirs", async () => {
    await open(managed);
    await world.client
      .execute(`INSERT INTO organizations (id, name, active, is_default, features, created_at, updated_at)
      VALUES ('quay', 'Quay', 1, 0, '{}', 0, 0), ('dock', 'Dock', 1, 0, '{}', 0, 0)`);
    await world.client
      .execute(`INSERT INTO landing_rules (id, position, kind, attribute, value, organization_id, created_at)
      VALUES ('r', 0, 'email_domain', '', 'harbour.example', 'quay', 0)`);
    const ids = [await makeGroup("Crew"), await makeGroup("Crew", { home: "quay" })];
    await makeGroup("Crew", { home: "dock" });
    await signIn({ groups: ["Crew"] });
    const { rows } = await world.client.execute("SELECT group_id FROM group_members ORDER BY group_id");
    expect(rows.map((row) => row["group_id"])).toEqual(ids.sort());
  });

  test("that are missing are made where that is on, once, and say where they came from", async () => {
    await open({ ...managed, ENABLE_OAUTH_GROUP_CREATION: "true" });
    const strange = ["Crew", 'O\'Brien "&" Söhne', "  ", "x".repeat(201), "a\u0000b"];
    await Promise.all([signIn({ groups: strange }), signIn({ groups: strange })]);
    expect(await adasGroups()).toEqual(["Crew", 'O\'Brien "&" Söhne']);
    const { rows } = await world.client.execute(
      "SELECT organization_id, description, permissions, user_id FROM groups",
    );
    expect(rows.map((row) => ({ ...row }))).toEqual(
      Array.from({ length: 2 }, () => ({
        organization_id: defaultOrganizationId,
        description: "From SSO",
        permissions: "{}",
        user_id: null,
      })),
    );
    expect(await audited(world, "group.created")).toHaveLength(2);
    await signIn({ groups: [] });
    expect((await world.client.execute("SELECT 1 FROM groups")).rows).toHaveLength(2);
  });

  test("of a claim with thousands are read up to a bound", async () => {
    await open({ ...managed, ENABLE_OAUTH_GROUP_CREATION: "true" });
    await signIn({ groups: Array.from({ length: 3000 }, (_, at) => `g${at}`) });
    expect(await adasGroups()).toHaveLength(500);
  });
});

describe("name, address and picture", () => {
  const later = { name: "Ada King", email: "countess@harbour.example", picture: "https://harbour.example/new.png" };
  const read = async () => {
    const { rows } = await world.client.execute(
      "SELECT name, email, url FROM users LEFT JOIN profile_images ON user_id = id WHERE oauth IS NOT NULL",
    );
    return { ...rows[0] };
  };

  test("stay as people have set them here", async () => {
    await open();
    await signIn({});
    await signIn(later);
    expect(await read()).toEqual({ name: "Ada Lovelace", email: "ada@harbour.example", url: null });
  });

  test("are renewed at sign-in where that is on", async () => {
    await open({
      OAUTH_UPDATE_NAME_ON_LOGIN: "true",
      OAUTH_UPDATE_EMAIL_ON_LOGIN: "true",
      OAUTH_UPDATE_PICTURE_ON_LOGIN: "true",
    });
    await signIn({});
    await signIn({ ...later, email_verified: false });
    expect((await read())["email"]).toBe("ada@harbour.example");
    await signIn(later);
    await signIn(later);
    expect(await read()).toEqual({ name: "Ada King", email: "countess@harbour.example", url: later.picture });
    for (const what of ["name", "email", "picture"])
      expect(await audited(world, `user.${what}_updated`)).toHaveLength(1);
  });

  test("never take somebody else's address, nor one that SCIM keeps", async () => {
    await open({ OAUTH_UPDATE_NAME_ON_LOGIN: "true", OAUTH_UPDATE_EMAIL_ON_LOGIN: "true" });
    await signIn({});
    await world.person({ email: "countess@harbour.example" });
    expect((await signIn(later)).location).toBe("/");
    expect(await read()).toMatchObject({ name: "Ada King", email: "ada@harbour.example" });
    await world.client.execute(`UPDATE users SET scim = '{"oidc": {"external_id": "x"}}' WHERE oauth IS NOT NULL`);
    await signIn({ name: "Another", email: "another@harbour.example" });
    expect(await read()).toMatchObject({ name: "Ada King", email: "ada@harbour.example" });
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { parseEnvironment } from "../../src/compose/parse-environment.ts";
import { scimWarnings } from "../../src/scim/status/warnings.ts";
import { createWorld } from "../world.ts";
import { createScimWorld, newAddress, scimEnvironment, type ScimWorld, token } from "./scim-world.ts";

let world: ScimWorld;
beforeEach(async () => {
  world = await createScimWorld();
  return () => world.close();
});

/** The rows that a request left, in order. */
async function rowsOf(call: () => Promise<unknown>) {
  await world.settled();
  const from = (await world.client.execute("SELECT coalesce(max(rowid), 0) AS n FROM audit_events")).rows[0]!
    .n as number;
  await call();
  await world.settled();
  const { rows } = await world.client.execute({
    sql: "SELECT * FROM audit_events WHERE rowid > ? ORDER BY rowid",
    args: [from],
  });
  return rows.map(({ action, actor_kind, target_type, target_id, organization_id, request_id, detail }) => ({
    action,
    actor_kind,
    target_type,
    target_id,
    organization_id,
    request_id,
    detail: JSON.parse(String(detail)) as Record<string, unknown>,
  }));
}

const home = "00000000-0000-7000-8000-000000000001";

describe("every request leaves a row", () => {
  test("writes: what was before, what is after, by which token, under the id that the answer names", async () => {
    const person = await world.makeUser({ displayName: "Before", externalId: "a-1" });
    let id: string | null = null;
    const [row, ...more] = await rowsOf(async () => {
      const { headers } = await world.patch(`/Users/${person.id}`, {
        op: "replace",
        value: { displayName: "After", active: false },
      });
      id = headers.get("x-request-id");
    });
    expect(more).toEqual([]);
    expect(row).toEqual({
      action: "scim.user.deactivated",
      actor_kind: "scim",
      target_type: "user",
      target_id: person.id,
      organization_id: home,
      request_id: id,
      detail: {
        operation: "PATCH",
        token: "SCIM_TOKEN",
        before: expect.objectContaining({
          displayName: "Before",
          active: true,
          externalId: "a-1",
          userName: person.userName,
        }),
        after: expect.objectContaining({
          displayName: "After",
          active: false,
          externalId: "a-1",
          userName: person.userName,
        }),
      },
    });
  });

  test("each kind of write by its name", async () => {
    const person = await world.makeUser();
    const group = await world.makeGroup("Names", [person.id]);
    const named = async (call: () => Promise<unknown>) => (await rowsOf(call)).map(({ action }) => action);
    expect(await named(() => world.makeUser())).toEqual(["scim.user.created", "user.provisioned"]);
    expect(
      await named(() => world.scim("PUT", `/Users/${person.id}`, { userName: person.userName, displayName: "X" })),
    ).toEqual(["scim.user.updated"]);
    expect(await named(() => world.scim("DELETE", `/Users/${person.id}`))).toEqual(["scim.user.deactivated"]);
    expect(
      await named(() => world.patch(`/Users/${person.id}`, { op: "replace", path: "active", value: true })),
    ).toEqual(["scim.user.activated"]);
    expect(await named(() => world.makeGroup("More"))).toEqual(["scim.group.created"]);
    expect(await named(() => world.patch(`/Groups/${group.id}`, { op: "remove", path: "members" }))).toEqual([
      "scim.group.updated",
    ]);
    expect(await named(() => world.scim("DELETE", `/Groups/${group.id}`))).toEqual(["scim.group.deleted"]);
  });

  test("reads: what was looked for, and how much was found", async () => {
    const person = await world.makeUser();
    expect(await rowsOf(() => world.find("Users", 'userName eq "x"'))).toMatchObject([
      { actor_kind: "scim", detail: { filter: 'userName eq "x"', total: 0, returned: 0, token: "SCIM_TOKEN" } },
    ]);
    expect(await rowsOf(() => world.scim("GET", `/Users/${person.id}`))).toMatchObject([
      { action: "scim.user.read", target_id: person.id },
    ]);
    expect(await rowsOf(() => world.scim("GET", "/Groups"))).toHaveLength(1);
    expect(await rowsOf(() => world.scim("GET", "/Schemas"))).toMatchObject([{ detail: { path: "/Schemas" } }]);
  });

  test("failures: what failed and why, each once", async () => {
    const person = await world.makeUser();
    const failures: [() => Promise<unknown>, Record<string, unknown>][] = [
      [
        () => world.scim("POST", "/Users", { userName: person.userName }),
        { operation: "POST", status: 409, scim_type: "uniqueness", reason: "user_name" },
      ],
      [
        () => world.scim("POST", "/Users", { userName: "nobody" }),
        { operation: "POST", status: 400, scim_type: "invalidValue", path: "/Users" },
      ],
      [
        () => world.patch(`/Users/${person.id}`, { op: "replace", path: "x", value: 1 }),
        { operation: "PATCH", status: 400, scim_type: "invalidPath" },
      ],
      [() => world.scim("GET", "/Users/nobody"), { operation: "GET", status: 404 }],
      [() => world.scim("DELETE", "/Users/nobody"), { operation: "DELETE", status: 404, reason: "unknown" }],
      [() => world.find("Users", "broken"), { operation: "GET", status: 400, scim_type: "invalidFilter" }],
      [() => world.scim("POST", "/Bulk", {}), { operation: "POST", status: 404, path: "/Bulk" }],
      [() => world.scim("PUT", "/Groups/nothing", { displayName: "x" }), { operation: "PUT", status: 404 }],
    ];
    for (const [call, detail] of failures) {
      const rows = await rowsOf(call);
      expect(rows).toMatchObject([{ action: "scim.request.failed", actor_kind: "scim", detail }]);
      expect(rows[0]!.detail.error).toEqual(expect.any(String));
    }
  });

  test("administrators read them by their kind, failures alone too", async () => {
    const admin = await world.admin();
    await world.makeUser();
    await world.scim("GET", "/Users/nobody");
    await world.settled();
    const { body } = await world.call<{ events: { action: string; actor: { kind: string } }[] }>(
      "/api/v1/audit?actor_kind=scim",
      { as: admin },
    );
    expect(new Set(body.events.map(({ actor }) => actor.kind))).toEqual(new Set(["scim"]));
    expect(body.events.map(({ action }) => action)).toContain("scim.user.created");
    const failed = await world.call<{ events: { action: string }[] }>("/api/v1/audit?actor_kind=scim&failed=true", {
      as: admin,
    });
    expect(failed.body.events.map(({ action }) => action)).toEqual(["scim.request.failed"]);
  });
});

describe("the state of provisioning", () => {
  test("is told to administrators, without a secret", async () => {
    const admin = await world.admin();
    await world.makeUser();
    await world.makeGroup("One");
    const { status, body } = await world.call<Record<string, unknown>>("/api/v1/auths/admin/scim", { as: admin });
    expect(status).toBe(200);
    expect(body).toEqual({
      enabled: true,
      base_url: "http://parley.test/api/v1/scim/v2",
      provider: "oidc",
      provider_problem: null,
      tokens: [{ variable: "SCIM_TOKEN", hint: `…${token.slice(-4)}` }],
      ip_allowlist: [],
      warnings: [expect.stringContaining("No sign-in provider is configured yet: externalId is kept for oidc")],
      users: 2,
      groups: 1,
      last_request_at: expect.any(Number),
    });
    expect(JSON.stringify(body)).not.toContain(token);
    for (const [as, expected] of [
      [await world.person(), 403],
      [undefined, 401],
    ] as const)
      expect((await world.call("/api/v1/auths/admin/scim", as ? { as } : {})).status).toBe(expected);
  });

  test("while it is off", async () => {
    const off = await createWorld();
    const { body } = await off.call("/api/v1/auths/admin/scim", { as: await off.admin() });
    expect(body).toMatchObject({ enabled: false, provider: null, tokens: [], warnings: [], last_request_at: null });
    await off.close();
  });

  test("the address of the service is the one that is set, wherever it is set", async () => {
    const admin = await world.admin();
    const changed = await world.call("/api/v1/auths/admin/config", {
      json: { WEBUI_URL: "https://chat.harbour.example" },
      as: admin,
    });
    expect(changed.status).toBe(200);
    const { body } = await world.scim("POST", "/Users", { userName: newAddress() });
    const status = await world.call("/api/v1/auths/admin/scim", { as: admin });
    expect(body.meta.location).toBe(`https://chat.harbour.example/api/v1/scim/v2/Users/${body.id}`);
    expect(status.body.base_url).toBe("https://chat.harbour.example/api/v1/scim/v2");
  });

  test("warnings name what is missing or weak, and nothing while it is off", () => {
    const warnings = (variables: Record<string, string>) => scimWarnings(parseEnvironment(variables)).join("\n");
    expect(warnings({ SCIM_TOKEN: token })).toBe("");
    expect(warnings({ SCIM_ENABLED: "true", SCIM_TOKEN: token })).toMatch(/^SCIM_AUTH_PROVIDER is not set/);
    expect(warnings({ ...scimEnvironment, OPENID_PROVIDER_URL: "https://id.example", OAUTH_CLIENT_ID: "x" })).toBe("");
    expect(warnings({ ...scimEnvironment, SCIM_TOKEN: "short" })).toContain("SCIM_TOKEN is shorter");
    expect(warnings({ ...scimEnvironment, SCIM_TOKEN_PREVIOUS: token })).toContain(
      "SCIM_TOKEN_PREVIOUS is still accepted",
    );
  });
});

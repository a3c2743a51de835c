import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../../../src/lib/id.ts";
import type { ToolServerTrialResult, ToolServerView } from "../../../src/plugins/tool-servers/schema.ts";
import { answering, deadOrigin, startProvider, type Provider } from "../../models/provider.ts";
import { personWith } from "../../models/stored-models/person-with.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { boats, document, serving } from "./documents.ts";
import { addServer, attach, toEveryone } from "./tool-server-world.ts";

interface Problem {
  code: string;
  detail: string;
}

const base = "/api/v1/tool-servers";
const quay = newId();
let world: World;
let harbour: Provider;
let admin: Person;
let ada: Person;
beforeEach(async () => {
  harbour = await startProvider(serving(boats, answering(200, "{}")));
  world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(harbour.origin).host } });
  admin = await world.admin();
  ada = await world.person();
  await world.client.execute({
    sql: "INSERT INTO organizations (id, name, active, is_default, model_ids, features, created_at, updated_at) VALUES (?, 'Quay', 1, 0, NULL, '{}', 0, 0)",
    args: [quay],
  });
});
afterEach(async () => {
  await world.close();
  await harbour.close();
});

const patch = (id: string, change: unknown, as: Person) =>
  world.call<ToolServerView & Problem>(`${base}/${id}`, { method: "PATCH", body: JSON.stringify(change), as });
const post = (values: unknown, as: Person) => world.call<ToolServerView & Problem>(base, { json: values, as });
const verify = (values: unknown, as: Person) =>
  world.call<ToolServerTrialResult & Problem>(`${base}/verify`, { json: values, as });
const share = (id: string, access_grants: unknown[], as: Person) =>
  world.call<ToolServerView & Problem>(`${base}/${id}/access`, { json: { access_grants }, as });
const list = async (as: Person) => (await world.call<ToolServerView[]>(base, { as })).body;
async function manager(organizationId = defaultOrganizationId): Promise<Person> {
  const person = await world.person({ organizationId });
  await world.client.execute({ sql: "UPDATE users SET organization_role = 'admin' WHERE id = ?", args: [person.id] });
  return person;
}

describe("a server", () => {
  test("is kept with its secrets sealed, and shown without them", async () => {
    const server = await addServer(world, admin, {
      url: `${harbour.origin}/`,
      spec_path: "/openapi.json",
      auth_type: "bearer",
      key: "key-of-the-harbour",
      headers: { "X-Team": "blue-secret" },
      oauth: { client_secret: "client-secret" },
      access_grants: toEveryone,
    });
    expect(server).toMatchObject({
      name: new URL(harbour.origin).host,
      url: harbour.origin,
      spec_path: "openapi.json",
      has_key: true,
      headers: { "X-Team": "********" },
      oauth: { client_id: "", has_client_secret: true, scope: "" },
      write_access: true,
      status: { state: "unknown", checked_at: null, function_count: 0 },
    });
    expect((await list(admin))[0]).toMatchObject({ status: { state: "ok", function_count: 2 } });
    const stored = JSON.stringify((await world.client.execute("SELECT * FROM tool_servers")).rows);
    for (const secret of ["key-of-the-harbour", "blue-secret", "client-secret"]) expect(stored).not.toContain(secret);

    const [seen] = await list(ada);
    expect(seen).toMatchObject({
      id: server.id,
      url: null,
      spec_path: null,
      has_key: false,
      headers: {},
      oauth: null,
      access_grants: [],
      write_access: false,
    });
    expect((await patch(server.id, { name: "Mine" }, ada)).status).toBe(403);
    expect(JSON.stringify([seen, await list(admin)])).not.toMatch(/key-of-the-harbour|blue-secret|client-secret/);
  });

  test("changes where it is named, and keeps masked values", async () => {
    const { id } = await addServer(world, admin, {
      url: harbour.origin,
      auth_type: "bearer",
      key: "key-of-the-harbour",
      headers: { "X-Team": "blue" },
    });
    expect((await patch(id, { headers: { "x-team": "********", "X-New": "1" } }, admin)).body.headers).toEqual({
      "x-team": "********",
      "X-New": "********",
    });
    await attach(world, admin, { id });
    await world.settled();
    expect(harbour.headers.at(-1)).toMatchObject({
      authorization: "Bearer key-of-the-harbour",
      "x-team": "blue",
      "x-new": "1",
    });
    expect((await patch(id, { key: "" }, admin)).body).toMatchObject({ has_key: false });
    expect((await patch(id, { headers: { "X-Other": "********" } }, admin)).body).toMatchObject({
      code: "validation_failed",
    });
    expect((await patch(id, {}, admin)).status).toBe(422);
    expect((await patch("nothing", { name: "x" }, admin)).status).toBe(404);
  });

  test("takes no secrets to another address that only system administrators could have entered", async () => {
    const keeper = await manager(quay);
    const entered = { url: harbour.origin, auth_type: "bearer", key: "key-1234", headers: { "X-Colour": "blue" } };
    const { id } = await addServer(world, admin, { ...entered, organization_id: quay });
    const moved = { url: "https://elsewhere.example" };
    const kept = { "x-colour": "********" };
    for (const change of [moved, { ...moved, key: "new" }, { ...moved, key: "new", headers: kept }]) {
      const refusal = { status: 422, body: { detail: expect.stringContaining("enter it again") } };
      expect(await patch(id, change, keeper)).toMatchObject(refusal);
      expect(await verify({ ...change, id }, keeper)).toMatchObject(refusal);
    }
    expect((await patch(id, { url: `${harbour.origin}/below`, name: "Quay" }, keeper)).status).toBe(200);
    expect((await patch(id, { ...moved, key: "new", headers: {} }, keeper)).status).toBe(200);
    const mine = { url: harbour.origin, auth_type: "oauth", oauth: { client_id: "c", client_secret: "s" } };
    const signing = await addServer(world, admin, { ...mine, organization_id: quay });
    expect((await patch(signing.id, moved, keeper)).body.detail).toContain("oauth.client_secret");
    expect((await patch(signing.id, moved, admin)).status).toBe(200);
  });

  test.each([
    [{ url: "javascript:alert(1)" }, "url"],
    [{ url: "ftp://tools.example" }, "url"],
    [{ url: "https://user:pass@tools.example" }, "url"],
    [{ url: "tools.example" }, "url"],
    [{ url: "https://tools.example", spec_path: "../../etc/passwd" }, "spec_path"],
    [{ url: "https://tools.example", spec_path: "file:///etc/passwd" }, "spec_path"],
    [{ url: "https://tools.example", spec_path: "//evil.example/x" }, "spec_path"],
    [{ url: "https://tools.example", headers: { Authorization: "Bearer x" } }, "headers.Authorization"],
    [{ url: "https://tools.example", headers: { Host: "x" } }, "headers.Host"],
    [{ url: "https://tools.example", headers: { "a b": "x" } }, "headers.a b"],
    [{ url: "https://tools.example", key: "two words" }, "key"],
    [{ url: "https://tools.example", name: "two\nlines" }, "name"],
    [{ url: "https://tools.example", timeout: 0 }, "timeout"],
    [{ url: "https://tools.example", kind: "graphql" }, "kind"],
    [{ url: "https://tools.example", organization_id: "nowhere" }, "organization_id"],
    [{ url: "https://tools.example", own: true, auth_type: "session" }, "auth_type"],
    [{ url: "https://tools.example", organization_id: defaultOrganizationId, auth_type: "session" }, "auth_type"],
    [{ url: "https://tools.example", own: true, access_grants: toEveryone }, "access_grants"],
    [{ url: 7 }, "url"],
  ])("is refused where it cannot be: %j", async (values, path) => {
    const { status, body } = await world.call<{ issues: { path: string }[] }>(base, { json: values, as: admin });
    expect([status, body.issues?.[0]?.path]).toEqual([422, path]);
    expect((await world.client.execute("SELECT count(*) AS n FROM tool_servers")).rows[0]!["n"]).toBe(0);
  });

  test("that two administrators change at the same time loses neither's work", async () => {
    const { id } = await addServer(world, admin, { url: harbour.origin, enabled: false });
    const names = ["X-A", "X-B", "X-C"];
    const answers = await Promise.all(names.map((name) => patch(id, { headers: { [name]: "1" } }, admin)));
    const won = answers.filter(({ status }) => status === 200);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(won.length).toBeGreaterThan(0);
    const renamed = await Promise.all([patch(id, { name: "New" }, admin), patch(id, { timeout: 5 }, admin)]);
    expect(renamed.map(({ status }) => status)).toEqual([200, 200]);
    expect((await list(admin))[0]).toMatchObject({ name: "New", timeout: 5 });
  });

  test("takes its grants and connections along when it is deleted", async () => {
    const { id } = await addServer(world, admin, { url: harbour.origin, access_grants: toEveryone });
    const deleted = await Promise.all([1, 2].map(() => world.call(`${base}/${id}`, { method: "DELETE", as: admin })));
    expect(deleted.map(({ status }) => status).sort()).toEqual([200, 404]);
    const { rows } = await world.client.execute("SELECT * FROM grants");
    expect(rows).toEqual([]);
    expect((await world.call(`${base}/${id}`, { as: admin })).status).toBe(404);
  });

  test("whose secrets cannot be opened any more says so, and works again with new ones", async () => {
    const { id } = await addServer(world, admin, { url: harbour.origin, auth_type: "bearer", key: "key-1234" });
    await world.client.execute("UPDATE tool_servers SET sealed_secrets = 'v1.gone.AAAA.AAAA'");
    const [seen] = await list(admin);
    expect(seen!.status).toMatchObject({ state: "failed", error: expect.stringContaining("enter them again") });
    expect((await attach(world, admin, { id })).notes[0]).toContain("cannot be decrypted");
    expect((await patch(id, { key: "key-5678" }, admin)).status).toBe(200);
    expect((await attach(world, admin, { id })).tools).toHaveLength(2);
  });
});

describe("organizations", () => {
  test("have servers of their own, which their administrators keep and their people use", async () => {
    const [boss, other] = [await manager(), await manager(quay)];
    const values = { url: harbour.origin, organization_id: defaultOrganizationId };
    const server = await addServer(world, boss, values);
    expect((await post({ url: "https://tools.example" }, boss)).status).toBe(403);
    expect((await post({ url: "https://tools.example", organization_id: quay }, boss)).status).toBe(403);
    expect((await world.call(`${base}/${server.id}`, { as: other })).status).toBe(404);
    expect(await list(ada)).toEqual([]);
    expect((await share(server.id, toEveryone, boss)).status).toBe(200);
    expect((await attach(world, ada, server)).tools).toHaveLength(2);
    // Everyone means everyone there.
    const stranger = await world.person({ organizationId: quay });
    expect(await list(stranger)).toEqual([]);
    expect((await attach(world, stranger, server)).tools).toEqual([]);
    expect((await patch(server.id, { organization_id: quay }, boss)).status).toBe(403);
    expect((await patch(server.id, { organization_id: null }, boss)).status).toBe(403);
    expect((await patch(server.id, { organization_id: quay }, admin)).status).toBe(200);
    expect((await attach(world, stranger, server)).tools).toHaveLength(2);
    expect((await attach(world, ada, server)).tools).toEqual([]);
  });

  test("reach no private address that nobody listed, other than system administrators for everybody", async () => {
    const boss = await manager();
    const dead = await deadOrigin();
    for (const url of [
      dead,
      "http://localhost:8080",
      "http://169.254.169.254/latest",
      "http://[::1]:80",
      "http://10.0.0.1",
    ]) {
      const refused = { status: 403, body: { code: "address_not_allowed" } };
      expect(await post({ url, organization_id: defaultOrganizationId }, boss)).toMatchObject(refused);
      expect(await verify({ url, organization_id: defaultOrganizationId }, boss)).toMatchObject(refused);
      expect(await verify({ url, own: true }, admin)).toMatchObject(refused);
    }
    expect((await verify({ url: dead }, admin)).body).toMatchObject({ ok: false });
    expect((await verify({ url: dead }, boss)).status).toBe(403);
  });

  test("share only with their own people", async () => {
    const boss = await manager();
    const server = await addServer(world, boss, { url: harbour.origin, organization_id: defaultOrganizationId });
    const stranger = await world.person({ organizationId: quay });
    const to = (type: string, id: string, permission = "read") => [
      { principal_type: type, principal_id: id, permission },
    ];
    expect((await share(server.id, to("user", stranger.id), boss)).status).toBe(422);
    expect((await share(server.id, to("organization", quay), boss)).status).toBe(422);
    expect((await share(server.id, to("user", ada.id, "write"), boss)).status).toBe(422);
    expect((await share(server.id, to("user", ada.id), boss)).status).toBe(200);
    expect(await list(ada)).toHaveLength(1);
    expect((await share(server.id, [], boss)).status).toBe(200);
    expect(await list(ada)).toEqual([]);
  });
});

describe("people's own servers", () => {
  test("take the permission, and are so many", async () => {
    expect((await post({ own: true, url: "https://tools.example" }, ada)).status).toBe(403);
    const bo = await personWith(world, { features: { direct_tool_servers: true } });
    const own = { own: true, url: "https://tools.invalid", enabled: false };
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(own, bo)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    const { rows } = await world.client.execute(
      "SELECT count(*) AS n FROM audit_events WHERE action = 'tool_server.created'",
    );
    expect(rows[0]!["n"]).toBe(20);
    const mine = answers.find(({ status }) => status === 200)!.body;
    for (const person of [admin, ada]) {
      expect((await world.call(`${base}/${mine.id}`, { as: person })).status).toBe(404);
      expect((await patch(mine.id, { name: "x" }, person)).status).toBe(404);
    }
    expect((await share(mine.id, toEveryone, bo)).status).toBe(422);
    expect((await patch(mine.id, { organization_id: defaultOrganizationId }, bo)).status).toBe(422);
    expect((await patch(mine.id, { auth_type: "session" }, bo)).status).toBe(422);
    expect((await patch(mine.id, { url: "http://127.0.0.1:1" }, bo)).status).toBe(403);
  });
});

describe("a test", () => {
  test("shows the functions of what is entered, saved or not", async () => {
    const { body } = await verify({ url: harbour.origin }, admin);
    expect(body).toMatchObject({ ok: true, name: "Harbour", warnings: [] });
    expect(body.functions.map(({ name }) => name)).toEqual(["get_boat", "rename_boat"]);
    expect(body.functions[0]).toHaveProperty("parameters.properties.id");
    const { id } = await addServer(world, admin, { url: harbour.origin, auth_type: "bearer", key: "key-1234" });
    expect((await verify({ id, headers: { "X-Try": "1" } }, admin)).body.ok).toBe(true);
    expect(harbour.headers.at(-1)).toMatchObject({ authorization: "Bearer key-1234", "x-try": "1" });
    expect((await list(admin))[0]!.headers).toEqual({});
    expect((await verify({ id: "nothing" }, admin)).status).toBe(404);
    expect((await verify({}, admin)).status).toBe(422);
    expect((await verify({ url: harbour.origin }, ada)).status).toBe(403);
  });

  test("says in words what is wrong", async () => {
    const say = async (values: Record<string, unknown>) => (await verify(values, admin)).body.error;
    expect(await say({ url: await deadOrigin() })).toContain("check that the server is running");
    harbour.behave(answering(200, "<html>", { "content-type": "text/html" }));
    expect(await say({ url: harbour.origin })).toContain("a web page instead of an OpenAPI document");
    harbour.behave(answering(404, ""));
    expect(await say({ url: harbour.origin, spec_path: "docs/api.yaml" })).toContain("/docs/api.yaml: check the path");
    harbour.behave(answering(401, ""));
    expect(await say({ url: harbour.origin })).toContain("denied access (401): check the key");
    harbour.behave(answering(200, " ".repeat(4_000_001)));
    expect(await say({ url: harbour.origin })).toContain("more than 4 MB");
    harbour.behave(serving(boats, answering(404, "")));
    expect(await say({ url: harbour.origin, auth_type: "oauth" })).toContain("does not publish its sign-in");
  });

  test("takes so much of very long descriptions, and says so", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 1200 }, (_, at) => [`/p${at}`, { get: { description: `${at} ${"x".repeat(3000)}` } }]),
    );
    harbour.behave(serving(document(paths), answering(404, "")));
    const { body } = await verify({ url: harbour.origin }, admin);
    expect(body.functions.length).toBeGreaterThan(500);
    expect(JSON.stringify(body.functions).length).toBeLessThan(2_000_000);
    expect(body.warnings.join(" ")).toContain(`only the first ${body.functions.length} of 1000 are used`);
  });

  test("reads documents of other hosts without showing them the key", async () => {
    const specs = await startProvider(serving(document({ "/x": { get: { operationId: "far" } } }), answering(404, "")));
    const { body } = await verify(
      { url: harbour.origin, spec_path: `${specs.origin}/openapi.json`, auth_type: "bearer", key: "key-1234" },
      admin,
    );
    expect(body.functions.map(({ name }) => name)).toEqual(["far"]);
    expect(specs.headers[0]).not.toHaveProperty("authorization");
    await specs.close();
  });
});

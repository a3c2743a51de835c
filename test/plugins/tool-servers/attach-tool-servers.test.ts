import { jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contextWith } from "../../../src/context.ts";
import { listToolServers } from "../../../src/plugins/tool-servers/list-tool-servers.ts";
import type { ToolServerView } from "../../../src/plugins/tool-servers/schema.ts";
import { contextFor } from "../../models/context-for.ts";
import { answering, deadOrigin, hanging, startProvider, type Behaviour, type Provider } from "../../models/provider.ts";
import { personWith } from "../../models/stored-models/person-with.ts";
import { createWorld, origin, type Person, type World } from "../../world.ts";
import { boats, document, serving } from "./documents.ts";
import { addServer, attach, callTool, toEveryone } from "./tool-server-world.ts";

let world: World;
let harbour: Provider;
let admin: Person;
let ada: Person;
let rest: Behaviour;
beforeEach(async () => {
  world = await createWorld();
  rest = answering(200, '{"ok":true}');
  harbour = await startProvider(serving(boats, (request, response) => rest(request, response)));
  admin = await world.admin();
  ada = await world.person({ name: "Ada Ångström" });
});
afterEach(async () => {
  await world.close();
  await harbour.close();
});

const shared = (values: Record<string, unknown> = {}) =>
  addServer(world, admin, { url: harbour.origin, name: "Harbour", access_grants: toEveryone, ...values });
const last = <T>(list: T[]): T => list.at(-1)!;

describe("attaching", () => {
  test("gives the functions of a server as tools that call it", async () => {
    const server = await shared({ auth_type: "bearer", key: "key-of-the-harbour", headers: { "X-Team": "blue" } });
    const attachment = await attach(world, ada, server);
    expect(attachment.notes).toEqual([]);
    expect(attachment.tools.map(({ spec, source }) => [spec.name, source])).toEqual([
      ["get_boat", { kind: "openapi", id: server.id, name: "Harbour" }],
      ["rename_boat", { kind: "openapi", id: server.id, name: "Harbour" }],
    ]);
    const outcome = await callTool(attachment, "rename_boat", { id: 3, id_body: "hull", name: "Tide" });
    expect(outcome).toEqual({ ok: true, content: '{"ok":true}' });
    expect(last(harbour.requests)).toBe("PUT /boats/3");
    expect(last(harbour.bodies)).toBe('{"id":"hull","name":"Tide"}');
    expect(last(harbour.headers)).toMatchObject({
      authorization: "Bearer key-of-the-harbour",
      "x-team": "blue",
      "content-type": "application/json",
    });
    expect(Object.keys(last(harbour.headers)).filter((name) => name.startsWith("x-service"))).toEqual([]);
  });

  test("costs no round trip and no request when warm", async () => {
    const server = await shared();
    const ctx = await contextFor(world, ada);
    await attach(world, ada, server);
    const asked = harbour.requests.length;
    world.roundTrips.reset();
    const { attachToolServers } = await import("../../../src/plugins/tool-servers/attach-tool-servers.ts");
    const { tools } = await attachToolServers(contextWith(ctx, {}), [`server:${server.id}`]);
    expect(tools).toHaveLength(2);
    expect(world.roundTrips.count).toBe(0);
    expect(harbour.requests).toHaveLength(asked);
  });

  test("knows an old list, and looks for a new one behind the person's back", async () => {
    const server = await shared();
    await attach(world, ada, server);
    harbour.behave(serving(document({ "/new": { get: { operationId: "fresh" } } }), rest));
    world.advance(400);
    expect((await attach(world, ada, server)).tools).toHaveLength(2);
    await world.settled();
    expect((await attach(world, ada, server)).tools.map(({ spec }) => spec.name)).toEqual(["fresh"]);
  });

  test("takes only the functions that are allowed, and tells two servers' apart", async () => {
    const one = await shared({ functions: ["get_boat"] });
    const two = await shared({ name: "Quay 2", functions: ["get_boat", "gone"] });
    const { tools } = await attach(world, ada, one, two, one);
    expect(tools.map(({ spec }) => spec.name)).toEqual(["get_boat", "Quay_2_get_boat"]);
  });

  test("passes over what is no server, is gone, switched off, or not for this person", async () => {
    const off = await shared({ enabled: false });
    const hidden = await shared({ access_grants: [] });
    const attachment = await attach(world, ada, off, hidden, { id: "nothing" });
    expect(attachment.tools).toEqual([]);
    expect(attachment.notes).toEqual(["3 selected tool servers no longer exist, or you have no access to them."]);
    expect((await attach(world, admin, hidden)).tools).toHaveLength(2);
    expect((await attach(world, ada, { id: "mcp:nothing" })).notes).toHaveLength(1);
  });

  test("is over soon whatever a server does, and says in words what is missing", async () => {
    const good = await shared();
    const dead = await addServer(world, admin, {
      url: await deadOrigin(),
      name: "Dead",
      access_grants: toEveryone,
    });
    const page = await startProvider(answering(200, "<html>Hello</html>", { "content-type": "text/html" }));
    const odd = await addServer(world, admin, { url: page.origin, name: "Odd", access_grants: toEveryone });
    const silent = await startProvider(hanging);
    const slow = await shared({ name: "Slow", enabled: false, url: silent.origin });
    await world.call(`/api/v1/tool-servers/${slow.id}`, { method: "PATCH", body: '{"enabled":true}', as: admin });
    const started = Date.now();
    const { tools, notes } = await attach(world, ada, good, dead, odd, slow);
    expect(Date.now() - started).toBeLessThan(20_000);
    expect(tools).toHaveLength(2);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(/^The tools of Dead are left out: 127\.0\.0\.1:\d+ refuses connections/);
    expect(notes[1]).toMatch(/^The tools of Odd are left out: .* a web page instead of an OpenAPI document\.$/);
    expect(notes[2]).toMatch(/^The tools of Slow are left out: .* did not answer within 3 s\.$/);
    await silent.close();
    await page.close();
    await world.settled();
  });
});

describe("a call", () => {
  test("tells the model what went wrong", async () => {
    const attachment = await attach(world, ada, await shared({ auth_type: "bearer", key: "key-of-the-harbour" }));
    rest = answering(404, '{"detail":"no boat for key-of-the-harbour"}');
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({
      ok: false,
      message: 'The server returned error 404: {"detail":"no boat for [redacted]"}',
    });
    expect(await callTool(attachment, "get_boat")).toEqual({ ok: false, message: "The argument id is missing" });
    rest = (_, response) => response.destroy();
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({
      ok: false,
      message: expect.stringContaining("127.0.0.1"),
    });
  });

  test("gives text, says what is none, and shows pictures to the person", async () => {
    const attachment = await attach(world, ada, await shared());
    rest = answering(200, "plain words", { "content-type": "text/plain" });
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({ ok: true, content: "plain words" });
    rest = (_, response) => response.writeHead(204).end();
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({
      ok: true,
      content: "Done: the server answered 204 without a text.",
    });
    rest = (_, response) =>
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from([137, 80, 78, 71]));
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({
      ok: true,
      content: "A picture (image/png, 1 kB), which is shown to the person.",
      files: [{ type: "image", url: "data:image/png;base64,iVBORw==" }],
    });
    rest = (_, response) =>
      response.writeHead(200, { "content-type": "application/pdf" }).end(Buffer.from([0, 1, 255]));
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({
      content: "The server answered with a file (application/pdf, 1 kB) that is no text.",
    });
  });

  test("takes no answer beyond its size, and none that never ends", async () => {
    const attachment = await attach(world, ada, await shared({ timeout: 1 }));
    rest = (_, response) => response.writeHead(200).end("x".repeat(5_000_001));
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({
      ok: false,
      message: expect.stringContaining("returned more than 5 MB"),
    });
    rest = hanging;
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({
      ok: false,
      message: expect.stringContaining("did not answer within 1 s"),
    });
    const ending = new AbortController();
    const stopped = callTool(attachment, "get_boat", { id: 1 }, { signal: ending.signal });
    ending.abort();
    expect(await stopped).toEqual({ ok: false, message: "The call was cancelled" });
  });

  test("follows redirects on the server itself, and to no other", async () => {
    const attachment = await attach(world, ada, await shared({ auth_type: "bearer", key: "key-of-the-harbour" }));
    const other = await startProvider(answering(200, "{}"));
    rest = (request, response) =>
      request.url === "/there" ? response.end("arrived") : response.writeHead(307, { location: "/there" }).end();
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({ ok: true, content: "arrived" });
    rest = (_, response) => response.writeHead(302, { location: `${other.origin}/steal` }).end();
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({
      ok: false,
      message: expect.stringContaining("redirects to"),
    });
    expect(other.requests).toEqual([]);
    rest = (_, response) => response.writeHead(302, { location: "/again" }).end();
    expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({ ok: false });
    await other.close();
  });
});

describe("a server that fails again and again", () => {
  test("is left alone, then tried by one, and back when it answers", async () => {
    const attachment = await attach(world, ada, await shared());
    rest = answering(503, "");
    for (let turn = 0; turn < 3; turn++)
      expect(await callTool(attachment, "get_boat", { id: 1 })).toMatchObject({ ok: false });
    const asked = harbour.requests.length;
    expect(await callTool(attachment, "get_boat", { id: 1 })).toEqual({
      ok: false,
      message: expect.stringMatching(/^Harbour failed several times in a row; it can be tried again in \d+ s$/),
    });
    expect(harbour.requests).toHaveLength(asked);

    world.advance(16);
    rest = hanging;
    const trying = callTool(attachment, "get_boat", { id: 1 });
    expect(await callTool(attachment, "get_boat", { id: 2 })).toMatchObject({
      message: expect.stringContaining("several times in a row"),
    });
    harbour.behave(serving(boats, answering(200, "back")));
    await harbour.close();
    expect(await trying).toMatchObject({ ok: false });
    harbour = await startProvider(serving(boats, answering(200, "back")));
  });

  test("does not hold a chat up", async () => {
    const server = await shared();
    const attachment = await attach(world, ada, server);
    harbour.behave(answering(503, ""));
    for (let turn = 0; turn < 3; turn++) await callTool(attachment, "get_boat", { id: 1 });
    world.advance(400);
    // The pause is over, and the first look fails again: the known functions are still there, and the server is left alone.
    expect((await attach(world, ada, server)).tools).toHaveLength(2);
    await world.settled();
    const { notes } = await attach(world, ada, server);
    expect(notes).toEqual([
      expect.stringMatching(/^The tools of Harbour are left out: it failed several times in a row/),
    ]);
    harbour.behave(serving(boats, answering(200, "back")));
    world.advance(400);
    const again = await attach(world, ada, server);
    // Whether it works again was looked at behind the person's back.
    await world.settled();
    expect(await callTool(again, "get_boat", { id: 1 })).toEqual({ ok: true, content: "back" });
  });
});

describe("who asks", () => {
  test("is told where the setting says so: chat, message, and the person in clear", async () => {
    await world.close();
    world = await createWorld({ environment: { ENABLE_FORWARD_USER_INFO_HEADERS: "true" } });
    [admin, ada] = [await world.admin(), await world.person({ name: "Ada Ångström 100%" })];
    const attachment = await attach(world, ada, await shared());
    await callTool(attachment, "get_boat", { id: 1 });
    expect(last(harbour.headers)).toMatchObject({
      "x-service-chat-id": "chat-1",
      "x-service-message-id": "message-1",
      "x-service-user-id": ada.id,
      "x-service-user-name": "Ada %C3%85ngstr%C3%B6m 100%25",
      "x-service-user-email": ada.email,
      "x-service-user-role": "user",
    });
    expect(decodeURIComponent(last(harbour.headers)["x-service-user-name"] as string)).toBe("Ada Ångström 100%");
    await callTool(attachment, "get_boat", { id: 1 }, { chatId: undefined, messageId: undefined });
    expect(last(harbour.headers)).not.toHaveProperty("x-service-chat-id");
  });

  test("is signed for this server alone where there is a secret", async () => {
    const secret = "a secret that both know";
    await world.close();
    world = await createWorld({
      environment: { ENABLE_FORWARD_USER_INFO_HEADERS: "true", FORWARD_USER_INFO_HEADER_JWT_SECRET: secret },
    });
    [admin, ada] = [await world.admin(), await world.person()];
    const attachment = await attach(world, ada, await shared());
    rest = (request, response) => response.end(String(request.headers["x-service-user-jwt"]));
    const echoed = await callTool(attachment, "get_boat", { id: 1 });
    expect(echoed).toEqual({ ok: true, content: "[redacted]" });
    const headers = last(harbour.headers);
    expect(headers).not.toHaveProperty("x-service-user-email");
    expect(headers["x-service-chat-id"]).toBe("chat-1");
    const { payload } = await jwtVerify(headers["x-service-user-jwt"] as string, new TextEncoder().encode(secret), {
      audience: harbour.origin,
      issuer: origin,
      algorithms: ["HS256"],
    });
    expect(payload).toMatchObject({ sub: ada.id, name: ada.name, email: ada.email, role: "user" });
    expect(payload.exp! - payload.iat!).toBe(300);
  });

  test("fills the places that headers of the server leave for it", async () => {
    const headers = {
      "X-Who": "{{USER_NAME}} <{{ USER_EMAIL }}>",
      "X-Where": "{{CHAT_ID}}/{{MESSAGE_ID}}",
      "X-Odd": "{{NOTHING}}",
    };
    const attachment = await attach(world, ada, await shared({ headers }));
    await callTool(attachment, "get_boat", { id: 1 });
    expect(last(harbour.headers)).toMatchObject({
      "x-who": `Ada %C3%85ngstr%C3%B6m <${ada.email}>`,
      "x-where": "chat-1/message-1",
      "x-odd": "{{NOTHING}}",
    });
  });

  test("is proved by a short-lived token of the very session, which an API key has not", async () => {
    const server = await shared({ auth_type: "session", timeout: 30 });
    const attachment = await attach(world, ada, server);
    await callTool(attachment, "get_boat", { id: 1 });
    const token = last(harbour.headers).authorization!.replace("Bearer ", "");
    expect(token).not.toBe(ada.token);
    const claims = JSON.parse(atob(token.split(".")[1]!)) as { jti: string; exp: number; iat: number };
    expect(claims).toMatchObject({ jti: ada.sessionId });
    expect(claims.exp - claims.iat).toBe(90);
    expect((await world.call("/api/v1/auths/", { as: token })).body).toMatchObject({ id: ada.id });
    world.advance(120);
    const ctx = await contextFor(world, ada);
    const user = ctx.actor as Extract<typeof ctx.actor, { kind: "user" }>;
    const { attachToolServers } = await import("../../../src/plugins/tool-servers/attach-tool-servers.ts");
    const byKey = contextWith(ctx, {
      actor: { ...user, credential: { kind: "api-key", keyId: "key", allowedEndpoints: null } },
    });
    const { notes, tools } = await attachToolServers(byKey, [`server:${server.id}`]);
    const outcome = tools[0]
      ? await callTool({ tools, notes, close: () => undefined }, "get_boat", { id: 1 })
      : undefined;
    expect([...notes, outcome && "message" in outcome ? outcome.message : ""].join(" ")).toContain(
      "can be used only from a signed-in session, not with an API key",
    );
  });
});

describe("people's own servers", () => {
  test("are theirs alone, need the permission, and stand at public addresses only", async () => {
    await world.close();
    world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(harbour.origin).host } });
    admin = await world.admin();
    const bo = await personWith(world, { features: { direct_tool_servers: true } });
    const own = await addServer(world, bo, { own: true, url: harbour.origin, name: "Mine" });
    expect(own).toMatchObject({ user_id: bo.id, write_access: true });
    expect((await attach(world, bo, own)).tools).toHaveLength(2);
    expect((await attach(world, admin, own)).tools).toEqual([]);
    await world.client.execute("DELETE FROM group_members");
    expect((await attach(world, bo, own)).tools).toEqual([]);
    expect(await listToolServers(await contextFor(world, bo))).toEqual([]);
    const list = await world.call<ToolServerView[]>("/api/v1/tool-servers", { as: bo });
    expect(list.body.map(({ id }) => id)).toEqual([own.id]);
    expect((await world.call(`/api/v1/tool-servers/${own.id}`, { method: "DELETE", as: bo })).status).toBe(200);
  });

  test("a redirect or a document does not lead one into the inner network", async () => {
    const inner = await startProvider(serving(boats, answering(200, "secret")));
    const described = document({ "/x": { get: { operationId: "peek" } } }, { servers: [{ url: inner.origin }] });
    harbour.behave(serving(described, (_, response) => response.writeHead(302, { location: inner.origin }).end()));
    await world.close();
    world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(harbour.origin).host } });
    const bo = await personWith(world, { features: { direct_tool_servers: true } });
    const own = await addServer(world, bo, { own: true, url: harbour.origin });
    const outcome = await callTool(await attach(world, bo, own), "peek");
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining("redirects to") });
    for (const spec_path of [`${inner.origin}/openapi.json`, "http://169.254.169.254/latest", "http://localhost:1/x"])
      expect(
        await world.call("/api/v1/tool-servers", { json: { own: true, url: harbour.origin, spec_path }, as: bo }),
      ).toMatchObject({ status: 403, body: { code: "address_not_allowed" } });
    expect(inner.requests).toEqual([]);
    await inner.close();
  });
});

test("the list for chats has the ids and states that chats go by", async () => {
  const server = await shared({ description: "Boats" });
  const mcp = await shared({ kind: "mcp", name: "Mast", url: `${harbour.origin}/mcp`, auth_type: "oauth" });
  await shared({ enabled: false });
  expect(await listToolServers(await contextFor(world, ada))).toEqual([
    {
      id: `server:${server.id}`,
      name: "Harbour",
      meta: { description: "Boats" },
      kind: "openapi",
      has_user_valves: false,
      connection: null,
    },
    {
      id: `server:mcp:${mcp.id}`,
      name: "Mast",
      meta: { description: "" },
      kind: "mcp",
      has_user_valves: false,
      connection: { needed: true, connected: false },
    },
  ]);
  const { notes } = await attach(world, ada, { id: `mcp:${mcp.id}` });
  expect(notes).toEqual(["To use the tools of Mast, first connect your account in the settings under Tool servers."]);
});

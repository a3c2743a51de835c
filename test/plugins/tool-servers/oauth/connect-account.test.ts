import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ToolServerView } from "../../../../src/plugins/tool-servers/schema.ts";
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from "../../../fixtures/oidc/start-authorization-server.ts";
import { createWalker, walkThrough } from "../../../fixtures/oidc/walk.ts";
import { answering, startProvider, type Provider } from "../../../models/provider.ts";
import { createWorld, origin, type Person, type World } from "../../../world.ts";
import { boats, serving } from "../documents.ts";
import { startMcpServer, type McpServerUnderTest } from "../mcp/mcp-server.ts";
import { addServer, attach, callTool, toEveryone } from "../tool-server-world.ts";

let world: World;
let admin: Person;
let ada: Person;
let harbour: McpServerUnderTest;
let gate: AuthorizationServer;
/** Tokens that the tool server was shown, with what it said. */
let shown: (string | undefined)[];

beforeEach(async () => {
  harbour = await startMcpServer();
  gate = await startAuthorizationServer(harbour.url);
  world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(gate.issuer).host } });
  admin = await world.admin();
  ada = await world.person();
  shown = [];
  harbour.intercept(guard);
});
afterEach(async () => {
  await world.close();
  await harbour.close();
  await gate.close();
});

/** What a protected MCP server does before anything else (RFC 9728). */
async function guard(request: Request): Promise<Response | undefined> {
  const metadata = `${harbour.origin}/.well-known/oauth-protected-resource/mcp`;
  if (request.url === metadata)
    return Response.json({
      resource: harbour.url,
      authorization_servers: [gate.issuer],
      scopes_supported: ["tools"],
    });
  const token = request.headers.get("authorization")?.replace("Bearer ", "");
  shown.push(token);
  const found = token === undefined ? undefined : await gate.look(token);
  if (found?.aud === harbour.url) return undefined;
  return new Response("{}", {
    status: 401,
    headers: { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="tools"` },
  });
}

const shared = (values: Record<string, unknown> = {}) =>
  addServer(world, admin, {
    kind: "mcp",
    url: harbour.url,
    name: "Harbour",
    auth_type: "oauth",
    access_grants: toEveryone,
    ...values,
  });

/** Begins to connect; the address, and the cookie that the browser keeps. */
async function begin(person: Person, server: ToolServerView, next?: string) {
  const { status, body, headers } = await world.call<{ url: string; detail: string }>(
    `/api/v1/tool-servers/${server.id}/connect`,
    { json: next === undefined ? {} : { next }, as: person },
  );
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return { status, body, cookie, setCookie: headers.get("set-cookie") ?? "" };
}

/** Signs in at the authorization server and agrees; the address that the browser is sent back to. */
const agree = (url: string, login = "ada") =>
  walkThrough(createWalker(), url, login, (address) => address.origin === origin);

/** Comes back from there. */
async function comeBack(address: URL, cookie: string, as: Person | undefined) {
  const session = as ? `; token=${as.token}` : "";
  const response = await world.request(address.pathname + address.search, { headers: { cookie: cookie + session } });
  return { status: response.status, location: response.headers.get("location"), headers: response.headers };
}

async function connect(person: Person, server: ToolServerView, next?: string) {
  const { body, cookie } = await begin(person, server, next);
  return comeBack(await agree(body.url), cookie, person);
}

const tokens = async () =>
  (await world.client.execute("SELECT user_id, sealed_tokens, expires_at FROM tool_server_tokens")).rows;

describe("connecting", () => {
  test("registers once, proves the code, names the resource, and gives the person's own access", async () => {
    const server = await shared();
    expect((await attach(world, ada, server)).notes).toEqual([
      "To use the tools of Harbour, first connect your account in the settings under Tool servers.",
    ]);
    const { status, body, cookie, setCookie } = await begin(ada, server, "/c/chat-1");
    expect(status).toBe(200);
    const asked = new URL(body.url);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: `${origin}/oauth/tools/callback`,
      code_challenge_method: "S256",
      resource: harbour.url,
      scope: "tools offline_access",
    });
    expect(setCookie).toContain("Path=/oauth/tools; HttpOnly; SameSite=Lax");
    expect(cookie).not.toContain(asked.searchParams.get("code_challenge")!);

    const back = await agree(body.url);
    expect(await comeBack(back, cookie, ada)).toMatchObject({ status: 302, location: "/c/chat-1" });
    const attachment = await attach(world, ada, server);
    expect(attachment.notes).toEqual([]);
    expect(await callTool(attachment, "echo", { text: "ahoy" })).toEqual({ ok: true, content: "ahoy" });
    attachment.close();

    const list = await world.call<ToolServerView[]>("/api/v1/tool-servers", { as: ada });
    expect(list.body[0]).toMatchObject({ url: null, connection: { needed: true, connected: true } });
    // Sealed: nothing of the token stands in the database.
    const [row] = await tokens();
    expect(row!["sealed_tokens"]).toMatch(/^v1\.k1\./);
    expect(shown.filter(Boolean).every((token) => !String(row!["sealed_tokens"]).includes(token!))).toBe(true);

    const bo = await world.person();
    expect((await attach(world, bo, server)).tools).toEqual([]);
    await connect(bo, server);
    expect((await attach(world, bo, server)).tools).not.toEqual([]);
    expect(gate.requests.filter((request) => request === "POST /reg")).toHaveLength(1);
  });

  test("takes no answer twice, of somebody else, without its cookie, or after too long", async () => {
    const server = await shared();
    const settings = "/settings/tools?connect_error=";
    const first = await begin(ada, server);
    const back = await agree(first.body.url);
    const bo = await world.person();
    expect((await comeBack(back, first.cookie, bo)).location).toBe(`${settings}expired`);
    expect((await comeBack(back, first.cookie, undefined)).location).toBe(`${settings}signed_out`);
    expect((await comeBack(back, "", ada)).location).toBe(`${settings}expired`);
    const changed = new URL(back);
    const state = back.searchParams.get("state")!;
    changed.searchParams.set("state", (state.startsWith("x") ? "y" : "x") + state.slice(1));
    expect((await comeBack(changed, first.cookie, ada)).location).toBe(`${settings}expired`);
    expect(await tokens()).toEqual([]);
    const good = await comeBack(back, first.cookie, ada);
    expect(good.location).toBe("/settings/tools");
    expect(good.headers.get("set-cookie")).toContain("Max-Age=0");
    expect((await comeBack(back, first.cookie, ada)).location).toBe(`${settings}failed`);

    const late = await begin(ada, server);
    const lateBack = await agree(late.body.url);
    world.advance(601);
    expect((await comeBack(lateBack, late.cookie, ada)).location).toBe(`${settings}expired`);
  });

  test("an answer in the name of another authorization server is not redeemed (RFC 9207)", async () => {
    const { body, cookie } = await begin(ada, await shared());
    const back = await agree(body.url);
    expect(back.searchParams.get("iss")).toBe(gate.issuer);
    back.searchParams.set("iss", "https://evil.example");
    expect((await comeBack(back, cookie, ada)).location).toBe("/settings/tools?connect_error=failed");
    expect(await tokens()).toEqual([]);
  });

  test("a person who does not agree is told so, and a page of another origin is not gone to", async () => {
    const server = await shared();
    const { body, cookie } = await begin(ada, server, "https://evil.example/");
    const state = new URL(body.url).searchParams.get("state")!;
    const denied = new URL(`${origin}/oauth/tools/callback?error=access_denied&state=${state}`);
    expect((await comeBack(denied, cookie, ada)).location).toBe("/settings/tools?connect_error=denied");
    expect((await connect(ada, server, "//evil.example")).location).toBe("/settings/tools");
  });

  test("is for servers with OAuth that the person may use", async () => {
    const plain = await shared({ auth_type: "none", name: "Plain" });
    const hidden = await shared({ access_grants: [] });
    expect(await begin(ada, plain)).toMatchObject({ status: 400 });
    expect(await begin(ada, hidden)).toMatchObject({ status: 404 });
  });

  test("two people who are the first at the same time share one registration", async () => {
    const server = await shared();
    const bo = await world.person();
    const begun = await Promise.all([begin(ada, server), begin(bo, server), begin(admin, server)]);
    const clients = begun.map(({ body }) => new URL(body.url).searchParams.get("client_id"));
    expect(new Set(clients).size).toBe(1);
  });

  test("a client that an administrator entered is used, and its secret is never shown", async () => {
    const made = (await (
      await fetch(`${gate.issuer}/reg`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          redirect_uris: [`${origin}/oauth/tools/callback`],
          grant_types: ["authorization_code"],
        }),
      })
    ).json()) as { client_id: string; client_secret: string };
    const server = await shared({
      oauth: { client_id: made.client_id, client_secret: made.client_secret, scope: "tools" },
    });
    expect(server.oauth).toEqual({ client_id: made.client_id, has_client_secret: true, scope: "tools" });
    const { body } = await begin(ada, server);
    expect(new URL(body.url).searchParams.get("client_id")).toBe(made.client_id);
    expect(new URL(body.url).searchParams.get("scope")).toBe("tools");
    await connect(ada, server);
    expect((await attach(world, ada, server)).notes).toEqual([]);
  });
});

describe("access", () => {
  const renewals = () => gate.requests.filter((request) => request === "POST /token").length;

  test("is renewed when it ends, by one request, however many ask", async () => {
    const server = await shared();
    await connect(ada, server);
    const attachment = await attach(world, ada, server);
    const before = renewals();
    world.advance(3600);
    const [old] = await tokens();
    const calls = await Promise.all(
      Array.from({ length: 6 }, async () => callTool(await attach(world, ada, server), "echo", { text: "x" })),
    );
    expect(calls).toEqual(calls.map(() => ({ ok: true, content: "x" })));
    expect(renewals() - before).toBe(1);
    const [row] = await tokens();
    expect(row!["sealed_tokens"]).not.toBe(old!["sealed_tokens"]);
    expect(row!["expires_at"]).toBeGreaterThan(world.services.now() + 500);
    attachment.close();
    await world.settled();
  });

  test("is renewed when the server refuses what looks good", async () => {
    const server = await shared();
    await connect(ada, server);
    const attachment = await attach(world, ada, server);
    const before = renewals();
    let refused = shown.at(-1);
    harbour.intercept((request) => {
      const token = request.headers.get("authorization")?.replace("Bearer ", "");
      return token === refused ? new Response("{}", { status: 401 }) : guard(request);
    });
    expect(await callTool(attachment, "echo", { text: "x" })).toEqual({ ok: true, content: "x" });
    expect(renewals() - before).toBe(1);
    refused = undefined;
    attachment.close();
    await world.settled();
  });

  test("that cannot be renewed just now stays, and what the server has taken back goes", async () => {
    const server = await shared();
    await connect(ada, server);
    const attachment = await attach(world, ada, server);
    world.advance(3600);
    gate.refuse("temporarily_unavailable");
    expect(await callTool(attachment, "echo", { text: "x" })).toMatchObject({
      ok: false,
      message: "Your access to Harbour has expired and could not be renewed",
    });
    await world.settled();
    expect(await tokens()).toHaveLength(1);
    gate.refuse("invalid_grant");
    expect(await callTool(attachment, "echo", { text: "x" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("first connect your account"),
    });
    expect(await tokens()).toEqual([]);
    expect((await attach(world, ada, server)).notes).toHaveLength(1);
    attachment.close();
  });

  test("ends when the person disconnects, and when the server moves or is deleted", async () => {
    const server = await shared();
    await connect(ada, server);
    const path = `/api/v1/tool-servers/${server.id}`;
    expect((await world.call(`${path}/connect`, { method: "DELETE", as: ada })).status).toBe(200);
    expect(await tokens()).toEqual([]);
    expect((await attach(world, ada, server)).notes).toHaveLength(1);
    expect((await world.call(`${path}/connect`, { method: "DELETE", as: ada })).status).toBe(200);

    await connect(ada, server);
    await world.call(path, { method: "PATCH", body: '{"name":"Other"}', as: admin });
    expect(await tokens()).toHaveLength(1);
    await world.call(path, { method: "PATCH", body: '{"url":"https://elsewhere.example/mcp"}', as: admin });
    expect(await tokens()).toEqual([]);
    const { rows } = await world.client.execute(
      "SELECT action FROM audit_events WHERE action LIKE 'tool_server.%connected' ORDER BY id",
    );
    expect(rows.map((row) => row["action"])).toEqual([
      "tool_server.connected",
      "tool_server.disconnected",
      "tool_server.connected",
    ]);
  });

  test("is the same for OpenAPI servers", async () => {
    const described = serving(boats, answering(200, '"in"'));
    const quay: Provider = await startProvider((request, response) => {
      if (request.url === "/.well-known/oauth-protected-resource")
        return response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ resource: quay.origin, authorization_servers: [dock.issuer] }));
      return request.headers.authorization ? described(request, response) : response.writeHead(401).end();
    });
    // As URLs write an address without a path.
    const dock = await startAuthorizationServer(quay.origin);
    await world.close();
    world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(dock.issuer).host } });
    [admin, ada] = [await world.admin(), await world.person()];
    const server = await shared({ kind: "openapi", url: quay.origin });
    expect((await connect(ada, server)).location).toBe("/settings/tools");
    const outcome = await callTool(await attach(world, ada, server), "get_boat", { id: 1 });
    expect(outcome).toEqual({ ok: true, content: '"in"' });
    await quay.close();
    await dock.close();
  });
});

describe("an authorization server that must not be followed", () => {
  const say = async (described: Record<string, unknown> | undefined, metadata: Record<string, unknown> = {}) => {
    const evil = await startProvider((request, response) => {
      const isMetadata = request.url!.includes("/.well-known/oauth-authorization-server");
      response.writeHead(isMetadata ? 200 : 404, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          issuer: evil.origin,
          authorization_endpoint: `${evil.origin}/auth`,
          token_endpoint: `${evil.origin}/token`,
          registration_endpoint: `${evil.origin}/reg`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          ...metadata,
        }),
      );
    });
    await world.close();
    world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: new URL(evil.origin).host } });
    [admin, ada] = [await world.admin(), await world.person()];
    harbour.intercept((request) =>
      request.url.includes("/.well-known/")
        ? Response.json({ resource: harbour.url, authorization_servers: [evil.origin], ...described })
        : new Response("{}", { status: 401 }),
    );
    const { status, body } = await begin(ada, await shared());
    await evil.close();
    return `${status} ${body.detail ?? body.url}`;
  };

  test("is one at a private address that nobody listed", async () => {
    expect(await say({ authorization_servers: ["http://127.0.0.1:1"] })).toMatch(/^502 .*not a public address/);
    expect(await say({ authorization_servers: ["http://169.254.169.254"] })).toMatch(/^502 /);
  });

  test("is one for another resource, of another name, with scripts for addresses, or without PKCE", async () => {
    expect(await say({ resource: "https://bank.example/" })).toMatch(/^502 .*another address: https:\/\/bank\.example/);
    expect(await say({}, { issuer: "https://bank.example" })).toMatch(/^502 /);
    expect(await say({}, { authorization_endpoint: "javascript:alert(1)" })).toMatch(/^502 /);
    expect(await say({}, { authorization_endpoint: "http://bank.example/auth" })).toMatch(/^502 .*not encrypted/);
    expect(await say({}, { token_endpoint: "http://bank.example/token" })).toMatch(/^502 .*not encrypted/);
    expect(await say({}, { code_challenge_methods_supported: ["plain"] })).toMatch(/^502 .*PKCE/);
    expect(await say({}, { registration_endpoint: undefined })).toMatch(/^502 .*takes no new clients/);
  });
});

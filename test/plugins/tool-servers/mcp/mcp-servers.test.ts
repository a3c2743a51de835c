import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startProvider, answering, hanging } from "../../../models/provider.ts";
import { createWorld, type Person, type World } from "../../../world.ts";
import { toolScope } from "../tool-scope.ts";
import { addServer, attach, callTool, toEveryone } from "../tool-server-world.ts";
import { startMcpServer, type McpServerUnderTest } from "./mcp-server.ts";

let world: World;
let admin: Person;
let ada: Person;
let harbour: McpServerUnderTest;
beforeEach(async () => {
  world = await createWorld({ environment: { ENABLE_FORWARD_USER_INFO_HEADERS: "true" } });
  admin = await world.admin();
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await harbour.close();
});

const shared = (values: Record<string, unknown> = {}) =>
  addServer(world, admin, { kind: "mcp", url: harbour.url, name: "Harbour", access_grants: toEveryone, ...values });

describe.each(["new", "old"] as const)("a server of the %s generation", (generation) => {
  beforeEach(async () => {
    harbour = await startMcpServer(generation);
  });

  test("has its functions listed and called", async () => {
    const server = await shared();
    expect(server.status.state).toBe("unknown");
    const attachment = await attach(world, ada, server);
    expect(attachment.notes).toEqual([]);
    expect(attachment.tools.map(({ spec }) => spec.name)).toEqual([
      "tide_at",
      "echo",
      "fail",
      "throw",
      "picture",
      "slow",
      "hang",
    ]);
    expect(attachment.tools[0]!.spec).toMatchObject({
      description: "Height of the tide",
      parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
    });
    expect(await callTool(attachment, "tide_at", { place: "Kiel" })).toEqual({ ok: true, content: '{"metres":4}' });
    expect(await callTool(attachment, "echo", { text: "ahoy" })).toEqual({ ok: true, content: "ahoy" });
    attachment.close();
    await world.settled();
  });

  test("tells the model of failures, and shows pictures to the person", async () => {
    const attachment = await attach(world, ada, await shared());
    expect(await callTool(attachment, "fail")).toEqual({ ok: false, message: "The mast broke" });
    expect(await callTool(attachment, "throw")).toMatchObject({
      ok: false,
      message: expect.stringContaining("overboard"),
    });
    expect(await callTool(attachment, "echo", { text: 5 })).toMatchObject({ ok: false });
    expect(await callTool(attachment, "picture")).toEqual({
      ok: true,
      content: "Look:\n[A picture (image/png), shown to the person]\nMap — https://harbour.example/map\nthe log",
      files: [{ type: "image", url: "data:image/png;base64,iVBORw==" }],
    });
    attachment.close();
    await world.settled();
  });

  test("is told the chat, the message and who asks, and is connected to once for many calls at a time", async () => {
    const attachment = await attach(world, ada, await shared({ auth_type: "bearer", key: "key-of-the-harbour" }));
    const before = harbour.requests.length;
    const calls = Array.from({ length: 8 }, (_, at) => callTool(attachment, "echo", { text: `n${at}` }));
    expect(await Promise.all(calls)).toEqual(calls.map((_, at) => ({ ok: true, content: `n${at}` })));
    const made = harbour.requests.slice(before);
    expect(made.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(8);
    expect(made.filter(({ rpc }) => rpc === "initialize" || rpc === "server/discover").length).toBeLessThan(2);
    for (const { headers } of made)
      expect(headers).toMatchObject({
        authorization: "Bearer key-of-the-harbour",
        "x-service-chat-id": "chat-1",
        "x-service-message-id": "message-1",
        "x-service-user-id": ada.id,
      });
    attachment.close();
    await world.settled();
    // Only who was given a session gives one back; nobody opens a stream that nobody reads.
    const methods = new Set(harbour.requests.map(({ method }) => method));
    expect([...methods].sort()).toEqual(generation === "old" ? ["DELETE", "POST"] : ["POST"]);
  });

  test("shows its progress", async () => {
    const attachment = await attach(world, ada, await shared());
    const scope = toolScope();
    const slow = attachment.tools.find(({ spec }) => spec.name === "slow")!;
    expect(await slow.call({}, scope)).toEqual({ ok: true, content: "arrived" });
    expect(scope.emitted).toEqual([
      { type: "status", data: { description: "Harbour: Casting off 50 %", done: false } },
      { type: "status", data: { description: "Harbour: Under way 100 %", done: false } },
      { type: "status", data: { description: "Harbour: Under way 100 %", done: true } },
    ]);
    attachment.close();
  });

  test("does not hold a call for ever, and lets go where the person does", async () => {
    const attachment = await attach(world, ada, await shared({ timeout: 1 }));
    expect(await callTool(attachment, "hang")).toMatchObject({
      ok: false,
      message: expect.stringContaining("did not answer in time"),
    });
    const ending = new AbortController();
    const stopped = callTool(attachment, "hang", {}, { signal: ending.signal });
    ending.abort();
    expect(await stopped).toMatchObject({ ok: false });
    expect(await callTool(attachment, "echo", { text: "still there" })).toMatchObject({ content: "still there" });
    attachment.close();
  });

  test("is refused where it answers more than is taken, or something else", async () => {
    const attachment = await attach(world, ada, await shared());
    harbour.intercept((_, rpc) => (rpc === "tools/call" ? new Response("x".repeat(10_500_000)) : undefined));
    expect(await callTool(attachment, "echo", { text: "a" })).toMatchObject({ ok: false });
    harbour.intercept((_, rpc) =>
      rpc === "tools/call"
        ? new Response("x".repeat(10_500_000), { headers: { "content-type": "application/json" } })
        : undefined,
    );
    expect(await callTool(attachment, "echo", { text: "a" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("more than 10 MB"),
    });
    harbour.intercept(() => new Response("<html>", { status: 502 }));
    expect(await callTool(attachment, "echo", { text: "a" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("out of order (502)"),
    });
    attachment.close();
  });
});

test("a session that an old server has forgotten is begun again", async () => {
  harbour = await startMcpServer("old");
  const attachment = await attach(world, ada, await shared());
  expect(await callTool(attachment, "echo", { text: "one" })).toMatchObject({ content: "one" });
  harbour.forgetSessions();
  expect(await callTool(attachment, "echo", { text: "two" })).toEqual({ ok: true, content: "two" });
  attachment.close();
});

test("what does not answer as its schema says is not passed on", async () => {
  harbour = await startMcpServer();
  const attachment = await attach(world, ada, await shared());
  harbour.intercept(async (request, rpc) => {
    if (rpc !== "tools/call") return undefined;
    const { id } = (await request.json()) as { id: number };
    const result = { content: [], structuredContent: { metres: "deep" }, resultType: "complete" };
    return Response.json({ jsonrpc: "2.0", id, result });
  });
  expect(await callTool(attachment, "tide_at", { place: "Kiel" })).toMatchObject({ ok: false });
  attachment.close();
});

test("a schema that no answer can be held against in time is not held against it", async () => {
  harbour = await startMcpServer();
  const slow = { type: "object", properties: { metres: { type: "string", pattern: "^(a+)+$" } } };
  harbour.intercept(async (request, rpc) => {
    const { id } = (await request.clone().json()) as { id: number };
    const answer = (result: object) =>
      Response.json({ jsonrpc: "2.0", id, result: { ...result, resultType: "complete" } });
    if (rpc === "tools/list")
      return answer({
        tools: [{ name: "tide", inputSchema: { type: "object" }, outputSchema: slow }],
        ttlMs: 0,
        cacheScope: "private",
      });
    const structuredContent = { metres: `${"a".repeat(40)}!` };
    return rpc === "tools/call" ? answer({ content: [], structuredContent }) : undefined;
  });
  const attachment = await attach(world, ada, await shared());
  const started = Date.now();
  expect(await callTool(attachment, "tide", {})).toMatchObject({ ok: true });
  expect(Date.now() - started).toBeLessThan(20_000);
  attachment.close();
});

test("addresses without an MCP server, silent ones and refusals are said in words", async () => {
  harbour = await startMcpServer();
  const provider = await startProvider(answering(404, "{}"));
  const say = async (url: string) =>
    (
      await world.call<{ ok: boolean; error: string }>("/api/v1/tool-servers/verify", {
        json: { kind: "mcp", url },
        as: admin,
      })
    ).body;
  expect(await say(`${provider.origin}/mcp`)).toMatchObject({
    ok: false,
    error: expect.stringContaining("No MCP server at"),
  });
  provider.behave(answering(401, "{}"));
  expect(await say(provider.origin)).toMatchObject({ error: expect.stringContaining("denied access (401)") });
  provider.behave(answering(200, "<html>", { "content-type": "text/html" }));
  expect(await say(provider.origin)).toMatchObject({ ok: false });
  provider.behave((_, response) => response.writeHead(302, { location: `${harbour.origin}/mcp` }).end());
  expect(await say(provider.origin)).toMatchObject({ error: expect.stringContaining("redirects to another address") });
  expect(await say(harbour.url)).toMatchObject({ ok: true, name: "Harbour" });
  provider.behave(hanging);
  const silent = await addServer(world, admin, {
    kind: "mcp",
    url: provider.origin,
    name: "Silent",
    enabled: false,
    access_grants: toEveryone,
  });
  await world.call(`/api/v1/tool-servers/${silent.id}`, { method: "PATCH", body: '{"enabled":true}', as: admin });
  const started = Date.now();
  const { notes } = await attach(world, ada, silent);
  expect(notes).toEqual([expect.stringContaining("did not answer within 3 s")]);
  expect(Date.now() - started).toBeLessThan(20_000);
  await provider.close();
});

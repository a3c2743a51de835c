import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { rawAddress } from "../../src/plugins/transfer/load-url.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { adderTools, echoPipe, politeFilter } from "./sources.ts";

type Body = Record<string, unknown>;

let world: World;
let admin: Person;
let server: Server;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url = "" } = request;
    if (url === "/moved") return void response.writeHead(302, { location: "/plugins/echo.py" }).end();
    if (url === "/away") return void response.writeHead(302, { location: "http://10.0.0.1/secret" }).end();
    if (url === "/page") return void response.end("<!DOCTYPE html><html></html>");
    if (url === "/empty") return void response.end("\n");
    if (url === "/binary") return void response.end(Buffer.from([1, 0, 2]));
    if (url === "/large") return void response.end("#".repeat(6_500_000));
    if (url === "/broken") return void request.socket.destroy();
    if (url.startsWith("/plugins/")) return void response.end("class Pipe:\r\n    pass\r\n");
    response.writeHead(404).end("no");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  world = await createWorld({ environment: { OUTBOUND_ALLOWED_PRIVATE_HOSTS: host } });
  admin = await world.admin();
});
afterAll(async () => {
  await world.close();
  server.close();
});

const call = <T = Body>(path: string, json?: unknown, as: Person = admin) =>
  world.call<T>(`/api/v1${path}`, { as, ...(json === undefined ? {} : { json }) });

/** As the peer writes them. */
const peerExport = [
  {
    id: "Peer_Filter",
    user_id: "5e1e7f5c-0d5c-4a3a-8d5a-000000000000",
    name: "Peer filter",
    type: "filter",
    content: politeFilter,
    meta: { description: "From elsewhere", manifest: { title: "Polite", author: "someone" } },
    is_active: true,
    is_global: true,
    updated_at: 1_700_000_000,
    created_at: 1_690_000_000,
    valves: { days: 4, apiKey: "sk-exported", gone: 1, word: null },
  },
  {
    id: "peer_pipe",
    user_id: "x",
    name: "Peer pipe",
    type: "pipe",
    content: echoPipe,
    meta: {},
    is_active: false,
    is_global: true,
    updated_at: 1,
    created_at: 1,
  },
];

describe("import and export", () => {
  test("reads what the peer exports", async () => {
    const { status, body } = await call("/functions/import", { functions: peerExport });
    expect([status, body]).toEqual([200, { imported: ["peer_filter", "peer_pipe"], problems: [] }]);
    expect((await call("/functions/id/peer_filter")).body).toMatchObject({
      user_id: admin.id,
      is_active: true,
      is_global: true,
      version: 1,
      meta: { description: "From elsewhere", manifest: { title: "Polite" } },
    });
    expect((await call("/functions/id/peer_filter/valves")).body).toEqual({ days: 4, apiKey: "sk-exported" });
    // A pipe is a model: global means nothing.
    expect((await call("/functions/id/peer_pipe")).body).toMatchObject({ is_active: false, is_global: false });
    expect(JSON.stringify(await world.db.select().from(auditEvents))).not.toContain("sk-exported");
  });

  test("reads lists without a name, and what the peer's community wraps", async () => {
    const [first] = peerExport;
    const wrapped = { id: "outer", function: { ...first, id: "wrapped" }, downloads: 5 };
    expect((await call("/functions/import", [wrapped])).body).toEqual({ imported: ["wrapped"], problems: [] });
    const tool = { id: "adder", tool: { id: "adder", name: "Adder", content: adderTools, meta: { description: "" } } };
    expect((await call("/tools/import", [tool])).body).toEqual({ imported: ["adder"], problems: [] });
  });

  test("loads what it exported again, identically", async () => {
    const export_ = (valves = "?include_valves=true") => call<Body[]>(`/functions/export${valves}`);
    await call("/functions/import", { functions: peerExport });
    const { body: before } = await export_();
    expect((await export_("")).body[0]).not.toHaveProperty("valves");
    expect(before.find((item) => item["id"] === "peer_filter")).toMatchObject({
      content: politeFilter,
      valves: { days: 4, apiKey: "sk-exported" },
    });
    for (const { id } of before)
      await world.call(`/api/v1/functions/id/${String(id)}/delete`, { method: "DELETE", as: admin });
    expect((await export_()).body).toEqual([]);
    await call("/functions/import", { functions: before });
    const plain = (items: Body[]) =>
      items
        .map(({ created_at: _c, updated_at: _u, ...item }) => item)
        .sort((a, b) => String(a["id"]).localeCompare(String(b["id"])));
    expect(plain((await export_()).body)).toEqual(plain(before));
    // Over what is there, it changes nothing either.
    await call("/functions/import", { functions: before });
    expect(plain((await export_()).body)).toEqual(plain(before));
  });

  test("keeps who may use a tool where they are there, and says so where not", async () => {
    const reader = await world.person();
    const grant = (id: string) => ({ principal_type: "user", principal_id: id, permission: "read" });
    const json = { id: "shared", name: "Shared", content: adderTools, meta: {}, access_grants: [grant(reader.id)] };
    await call("/tools/create", json);
    const { body: before } = await call<Body[]>("/tools/export");
    const exported = before.find((item) => item["id"] === "shared")!;
    await world.call("/api/v1/tools/id/shared/delete", { method: "DELETE", as: admin });
    expect((await call("/tools/import", { tools: [exported] })).body).toEqual({ imported: ["shared"], problems: [] });
    expect((await call("/tools/id/shared", undefined, reader)).status).toBe(200);
    const elsewhere = { ...exported, id: "elsewhere", access_grants: [grant("nobody")] };
    const { body } = await call<{ problems: Body[] }>("/tools/import", { tools: [elsewhere] });
    expect(body).toMatchObject({ imported: ["elsewhere"], problems: [{ id: "elsewhere" }] });
  });

  test("stores each for itself and names what it cannot store", async () => {
    const { status, body } = await call<{ imported: string[]; problems: Body[] }>("/functions/import", {
      functions: [
        { id: "good", name: "Good", content: echoPipe },
        { id: "bad-id", name: "Bad", content: echoPipe },
        { id: "broken", name: "Broken", content: "export class Pipe {" },
        { id: "event", name: "Event", content: "export class Event { event() {} }", type: "event" },
        { id: "GOOD", name: "Again", content: echoPipe },
        { id: "hosted", name: "Hosted", content: echoPipe, hosts: ["no host"] },
        { id: "valued", name: "Valued", content: politeFilter, valves: { days: 99, word: "kindly" } },
      ],
    });
    expect(status).toBe(200);
    expect(body.imported).toEqual(["good", "valued"]);
    expect(body.problems.map(({ id }) => id).sort()).toEqual(["GOOD", "bad-id", "broken", "event", "hosted", "valued"]);
    expect((await call("/functions/id/valued/valves")).body).toEqual({ word: "kindly" });
  });

  test("takes nobody's tool over", async () => {
    const other = await world.person();
    const sealed = { name: "x", content: adderTools, meta: {} };
    await call("/tools/create", { ...sealed, id: "mine" });
    await call("/users/default/permissions", { workspace: { tools: true } });
    const { body } = await call("/tools/import", { tools: [{ ...sealed, id: "mine", name: "Taken" }] }, other);
    expect(body).toMatchObject({ imported: [], problems: [{ id: "mine" }] });
    expect((await call("/tools/id/mine")).body["name"]).toBe("x");
  });

  test("opens the network to nothing that its importer may not open it to", async () => {
    await call("/users/default/permissions", { workspace: { tools: true } });
    const other = await world.person();
    const file = { id: "reaching", name: "x", content: adderTools, meta: {} };
    const ask = (hosts: string[], as: Person) => call("/tools/import", { tools: [{ ...file, hosts }] }, as);
    const refused = { imported: [], problems: [{ id: "reaching", message: expect.stringContaining("a.example") }] };
    expect((await ask(["a.example"], other)).body).toMatchObject(refused);
    expect((await ask([], other)).body).toMatchObject({ imported: ["reaching"] });
    expect((await ask(["a.example"], other)).body).toMatchObject(refused);
    expect((await ask(["a.example"], admin)).body).toMatchObject({ imported: ["reaching"] });
    // What is open may stay so.
    expect((await ask(["a.example"], other)).body).toMatchObject({ imported: ["reaching"] });
  });

  test("sync stores exactly these, or changes nothing", async () => {
    await call("/functions/import", { functions: peerExport });
    const list = async () => (await call<Body[]>("/functions/list")).body.map((item) => item["id"]).sort();
    const before = await list();
    const [filter] = peerExport;
    const fresh = { id: "fresh", name: "Fresh", content: echoPipe };
    for (const functions of [
      [fresh, { ...fresh, id: "broken", content: "nothing" }],
      [fresh, fresh],
    ]) {
      const { status, body } = await call("/functions/sync", { functions });
      expect([status, body["code"]]).toEqual([400, "plugin_invalid"]);
      expect(await list()).toEqual(before);
    }
    const { status, body } = await call<Body[]>("/functions/sync", { functions: [filter, fresh] });
    expect(status).toBe(200);
    expect(body.map((item) => item["id"]).sort()).toEqual(["fresh", "peer_filter"]);
    expect(await list()).toEqual(["fresh", "peer_filter"]);
  });
});

describe("loading from an address", () => {
  const load = (url: string) => call("/functions/load/url", { url });

  test("reads the file behind it", async () => {
    const expected = { name: "echo", content: "class Pipe:\n    pass\n" };
    expect((await load(`http://${host}/plugins/echo.py`)).body).toEqual(expected);
    expect((await load(`http://${host}/moved`)).body["content"]).toEqual(expected.content);
    expect((await load(`http://${host}/plugins/weather/main.py`)).body["name"]).toBe("weather");
    expect((await call("/tools/load/url", { url: `http://${host}/plugins/echo.py` })).body).toEqual(expected);
  });

  test.each([
    ["no address", () => "echo.py", 400],
    ["another scheme", () => "file:///etc/passwd", 400],
    ["a page", () => `http://${host}/page`, 400],
    ["nothing", () => `http://${host}/empty`, 400],
    ["bytes", () => `http://${host}/binary`, 400],
    ["what is not there", () => `http://${host}/missing`, 400],
    ["too much", () => `http://${host}/large`, 413],
    ["a connection that breaks", () => `http://${host}/broken`, 502],
    ["the network inside", () => "http://169.254.169.254/latest/meta-data", 403],
    ["a way inside", () => `http://${host}/away`, 403],
  ])("refuses %s", async (_what, url, status) => {
    expect((await load(url())).status).toBe(status);
  });

  test.each([
    ["https://github.com/o/r/blob/main/a/b.py", "https://raw.githubusercontent.com/o/r/main/a/b.py"],
    ["https://github.com/o/r/raw/v1/b.py", "https://raw.githubusercontent.com/o/r/v1/b.py"],
    ["https://gist.github.com/o/123", "https://gist.githubusercontent.com/o/123/raw"],
    ["https://github.com/o/r", "https://github.com/o/r"],
    ["https://example.com/github.com/o/r/blob/main/a.py", "https://example.com/github.com/o/r/blob/main/a.py"],
  ])("takes %s for %s", (page, file) => {
    expect(rawAddress(new URL(page)).href).toBe(file);
  });
});

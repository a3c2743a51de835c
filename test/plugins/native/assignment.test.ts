import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { openPlugin } from "../../../src/plugins/open-plugin.ts";
import type { Described, PluginCode } from "../../../src/plugins/plugin-host.ts";
import { selectPluginIndex } from "../../../src/plugins/plugin-index.ts";
import type { RunnerView } from "../../../src/plugins/runners/schema.ts";
import type { FoundPlugins, ImportResult, PluginOverview, ToolView } from "../../../src/plugins/schema.ts";
import { plugins } from "../../../src/plugins/tables.ts";
import { contextFor } from "../../models/context-for.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { createNodePluginHost } from "../node-plugin-host.ts";
import { adderTools } from "../sources.ts";

const token = "the token of the tests";
const python = "import torch\n\nclass Tools:\n    def hear(self) -> str:\n        return ''\n";
const condition = {
  status: true,
  protocol: 1,
  python: "3.13.1",
  processes: 1,
  max_processes: 8,
  memory: 2e9,
  network_wall: false,
  network_wall_reason: "Operation not permitted",
  packages: [{ name: "torch", version: "2.9.0" }],
};

let world: World;
let admin: Person;
let ada: Person;
const servers: Server[] = [];
let runner: string;
let others: Record<"other" | "strange" | "ill" | "strict", string>;
/** Where sources were described: a runner, or null for the sandbox. */
const described: (string | null)[] = [];
let opened: PluginCode | undefined;
/** What runners say to a source. */
let onRunner: (source: string) => Described;

const aTool = (source: string): Described => ({
  code: source,
  info: {
    type: "tools",
    language: "python",
    manifest: {},
    hooks: [],
    specs: [{ name: "hear", description: "", parameters: { type: "object", properties: {} } }],
    valvesSchema: { type: "object", properties: { word: { type: "string" } } },
    userValvesSchema: null,
    valveDefaults: {},
    toggle: false,
    icon: null,
    fileHandler: false,
    pipes: null,
    namePrefix: "",
    actions: [],
  },
  problems: [],
});

beforeAll(async () => {
  runner = await startFake((given) =>
    given === `Bearer ${token}` ? [200, JSON.stringify(condition)] : [401, "who are you"],
  );
  others = {
    other: await startFake(() => [200, JSON.stringify({ ...condition, protocol: 2 })]),
    strange: await startFake(() => [200, "<html>"]),
    ill: await startFake(() => [500, "no"]),
    strict: await startFake(() => [401, "no"]),
  };
  const host = createNodePluginHost();
  world = await createWorld({
    environment: { RUNNERS: [runner, ...Object.values(others), "http://127.0.0.1:1"].join(","), RUNNER_TOKEN: token },
    services: {
      plugins: {
        async describe(source, packages, place = null) {
          described.push(place ?? null);
          return place ? onRunner(source) : host.describe(source, packages);
        },
        open: (code) => host.open((opened = code)),
      },
    },
  });
  admin = await world.admin();
  ada = await world.person();
  await world.call("/api/v1/users/default/permissions", { as: admin, json: { workspace: { tools: true } } });
  onRunner = aTool;
});
afterAll(async () => {
  await world.close();
  for (const server of servers) server.close();
});

/** A runner as far as its health goes. @returns its address */
async function startFake(answer: (authorization: string | undefined) => [number, string]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answer(request.headers.authorization);
    response.writeHead(request.url === "/health" ? status : 404).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = <T = Record<string, unknown>>(path: string, json?: unknown, as: Person = admin) =>
  world.call<T>(`/api/v1${path}`, { as, ...(json === undefined ? {} : { json }) });
const create = (id: string, more: object = {}, as: Person = admin) =>
  call<ToolView>("/tools/create", { id, name: id, content: python, runner, ...more }, as);
const update = (id: string, json: object, as: Person = admin) => call<ToolView>(`/tools/id/${id}/update`, json, as);
const get = async (id: string, as: Person = admin) => (await call<ToolView>(`/tools/id/${id}`, undefined, as)).body;
const lastAudit = async (id: string) =>
  (
    await world.db
      .select({ action: auditEvents.action, detail: auditEvents.detail })
      .from(auditEvents)
      .where(eq(auditEvents.targetId, id))
      .orderBy(desc(auditEvents.id))
      .limit(1)
  )[0];

describe("where a plugin runs", () => {
  test("is the sandbox, unless an administrator chooses a runner: then its source is described there", async () => {
    described.length = 0;
    const { status, body } = await create("whisper");
    expect(status).toBe(200);
    expect(body).toMatchObject({ native: true, runner, language: "python", trusted: true });
    expect(described).toEqual([runner]);
    expect(await lastAudit("whisper")).toMatchObject({ action: "tool.created", detail: { runner } });
    const { body: overview } = await call<PluginOverview>("/tools/id/whisper/overview");
    expect(overview).toMatchObject({ runner, trusted: true });
    expect((await call("/tools/create", { id: "plain", name: "Plain", content: adderTools })).body).toMatchObject({
      native: false,
      runner: null,
    });
  });

  test("can be checked before anything is stored", async () => {
    described.length = 0;
    const { body } = await call("/tools/check", { content: python, runner });
    expect(body).toMatchObject({ ok: true, language: "python" });
    expect(described).toEqual([runner]);
    expect((await call("/tools/check", { content: python })).body).toMatchObject({ ok: false });
  });

  test("is changed with a check of the source in the new place, or not at all", async () => {
    onRunner = () => ({ code: undefined, info: undefined, problems: [{ severity: "error", message: "no torch" }] });
    const refused = await update("plain", { runner });
    expect(refused.status).toBe(400);
    onRunner = aTool;
    // It is JavaScript.
    expect(await update("plain", { runner })).toMatchObject({ status: 400 });
    expect(await get("plain")).toMatchObject({ runner: null, version: 1 });
    // The sandbox of the tests takes no Python.
    expect(await update("whisper", { runner: null })).toMatchObject({ status: 400 });
    expect(await get("whisper")).toMatchObject({ runner, version: 1 });
    // What stays as it is is not described again.
    described.length = 0;
    expect(await update("whisper", { runner, name: "Whisper" })).toMatchObject({ status: 200 });
    expect(described).toEqual([]);
    expect(await lastAudit("whisper")).toMatchObject({ detail: { fields: ["name"] } });
  });

  test.each([
    ["a runner that is not attached", { runner: "http://elsewhere:8710" }, 422],
    ["a text that is none", { runner: "" }, 422],
    ["a number", { runner: 7 }, 422],
  ])("is not %s", async (_what, json, status) => {
    expect(await update("whisper", json)).toMatchObject({ status });
    expect(await create(`n${status}`, json)).toMatchObject({ status });
    expect((await get("whisper")).runner).toBe(runner);
  });

  test("is not for others to choose", async () => {
    expect(await create("hers", {}, ada)).toMatchObject({ status: 403 });
    expect(await call("/tools/check", { content: python, runner }, ada)).toMatchObject({ status: 403 });
    expect(await create("hers", { content: adderTools, runner: null }, ada)).toMatchObject({ status: 200 });
    expect(await update("hers", { runner }, ada)).toMatchObject({ status: 403 });
    // Nor is her code run there by an administrator.
    expect(await update("hers", { runner })).toMatchObject({ status: 400 });
    expect(await call("/plugins/runners", undefined, ada)).toMatchObject({ status: 403 });
  });
});

describe("a plugin on a runner", () => {
  const share = { access_grants: [{ principal_type: "user", principal_id: "", permission: "write" }] };
  const shareWith = (person: Person) => ({
    access_grants: share.access_grants.map((grant) => ({ ...grant, principal_id: person.id })),
  });

  test("is used by those it is shared with, and changed by administrators only", async () => {
    await create("shared");
    expect(await call("/tools/id/shared/access/update", shareWith(ada))).toMatchObject({ status: 200 });
    expect(await get("shared", ada)).toMatchObject({ write_access: false, native: true });
    for (const hidden of ["content", "runner"]) expect(await get("shared", ada)).not.toHaveProperty(hidden);
    // Where it runs says something of the operator's network.
    const { body: list } = await call<ToolView[]>("/tools/", undefined, ada);
    expect(list.map(({ id }) => id)).toContain("shared");
    expect(JSON.stringify(list)).not.toContain(runner);
    const paths: [string, unknown][] = [
      ["update", { name: "Mine" }],
      ["update", { content: adderTools }],
      ["update", { runner: null }],
      ["valves/update", { word: "x" }],
      ["access/update", { access_grants: [] }],
      ["try", { method: "hear" }],
    ];
    for (const [path, json] of paths)
      expect(await call(`/tools/id/shared/${path}`, json, ada), path).toMatchObject({ status: 403 });
    for (const path of ["valves", "overview", "versions", "versions/1"])
      expect(await call(`/tools/id/shared/${path}`, undefined, ada), path).toMatchObject({ status: 403 });
    const removed = await world.request("/api/v1/tools/id/shared/delete", { method: "DELETE", as: ada });
    expect(removed.status).toBe(403);
    const file = [{ id: "shared", name: "Mine", content: adderTools }];
    const { body } = await call<ImportResult>("/tools/import", { tools: file }, ada);
    expect(body.imported).toEqual([]);
    expect(await get("shared")).toMatchObject({ name: "shared", version: 1, runner });
  });

  test("stays as it is where somebody saved it while it was moved", async () => {
    const content = adderTools;
    await call("/tools/create", { id: "moved", name: "Moved", content }, admin);
    await call("/tools/id/moved/access/update", shareWith(ada));
    const save = world.services.plugins.describe;
    // In the middle of her save an administrator moves it.
    world.services.plugins.describe = async (...given) => {
      const result = await save(...given);
      await world.db.update(plugins).set({ runner }).where(eq(plugins.id, "moved"));
      return result;
    };
    try {
      expect(await update("moved", { content: `${content}\n// hers` }, ada)).toMatchObject({ status: 409 });
    } finally {
      world.services.plugins.describe = save;
    }
    expect(await get("moved")).toMatchObject({ version: 1, runner });
  });

  test("is opened there, and nowhere while nobody who may has set it", async () => {
    const ctx = await contextFor(world, admin);
    const entryOf = async (id: string) => (await selectPluginIndex(world.db)).find((each) => each.id === id)!;
    openPlugin(ctx, await entryOf("whisper")).close();
    // A session asks for nothing before its first call.
    expect(opened).toMatchObject({ plugin: "tool/whisper", runner, language: "python" });
    await world.db.update(plugins).set({ runner: "http://gone:1" }).where(eq(plugins.id, "whisper"));
    const gone = await entryOf("whisper");
    expect(() => openPlugin(ctx, gone)).toThrow("runs natively, on a runner that is not attached");
    expect(await call("/tools/id/whisper/try", { method: "hear" })).toMatchObject({ status: 403 });
    await world.db.update(plugins).set({ runner }).where(eq(plugins.id, "whisper"));
    await world.db.update(plugins).set({ userId: ada.id }).where(eq(plugins.id, "whisper"));
    const hers = await entryOf("whisper");
    expect(() => openPlugin(ctx, hers)).toThrow("only while an administrator owns it");
    await world.db.update(plugins).set({ userId: admin.id }).where(eq(plugins.id, "whisper"));
  });

  test("is where an import of its next version is looked at, for those who may change it", async () => {
    await create("listener");
    const look = (as: Person) =>
      call<FoundPlugins>("/plugins/find", { files: [{ name: "listener.py", content: python }] }, as);
    described.length = 0;
    const [found] = (await look(admin)).body.found;
    expect(described).toEqual([null, runner]);
    expect(found).toMatchObject({
      ok: true,
      id: "listener",
      type: "tools",
      existing: { name: "listener", mine: true },
    });
    described.length = 0;
    expect((await look(ada)).body.found[0]).toMatchObject({ ok: false });
    expect(described).toEqual([null]);
  });

  test("is exported with its runner, and imported to it where an administrator does", async () => {
    const { body: exported } = await call<ToolView[]>("/tools/export");
    const whisper = exported.find(({ id }) => id === "whisper")!;
    expect(whisper.runner).toBe(runner);
    const copy = (id: string, more: object = {}) => ({ tools: [{ ...whisper, id, ...more }] });
    const taken = await call<ImportResult>("/tools/import", copy("copied"));
    expect(taken.body).toEqual({ imported: ["copied"], problems: [] });
    expect((await get("copied")).runner).toBe(runner);
    const hers = await call<ImportResult>("/tools/import", copy("hers_too", { content: adderTools }), ada);
    const problem = { id: "hers_too", message: expect.stringContaining("it runs in the sandbox here") as string };
    expect(hers.body).toEqual({ imported: ["hers_too"], problems: [problem] });
    expect((await get("hers_too")).runner).toBeNull();
    const elsewhere = copy("elsewhere", { content: adderTools, runner: "http://elsewhere:1" });
    expect((await call<ImportResult>("/tools/import", elsewhere)).body.problems).toHaveLength(1);
    expect((await get("elsewhere")).runner).toBeNull();
  });
});

describe("the list of runners", () => {
  test("says how each is, and what runs there", async () => {
    await create("detached");
    await world.db.update(plugins).set({ runner: "http://gone:1" }).where(eq(plugins.id, "detached"));
    const { body } = await call<RunnerView[]>("/plugins/runners");
    const of = (address: string) => body.find((each) => each.address === address);
    const { status: _status, protocol: _protocol, ...said } = condition;
    expect(of(runner)).toMatchObject({ attached: true, problem: null, ...said });
    expect(of(runner)!.plugins).toContainEqual({ family: "tool", id: "whisper", name: "Whisper" });
    expect(of(others.other)).toMatchObject({ problem: "protocol", plugins: [] });
    expect(of(others.strange)).toMatchObject({ problem: "answer", status: null });
    expect(of(others.ill)).toMatchObject({ problem: "answer", status: 500 });
    expect(of(others.strict)).toMatchObject({ problem: "token", status: 401 });
    expect(of("http://127.0.0.1:1")).toMatchObject({ problem: "unreachable", python: null });
    expect(of("http://gone:1")).toMatchObject({
      attached: false,
      problem: "detached",
      plugins: [{ family: "tool", id: "detached", name: "detached" }],
    });
    expect(JSON.stringify(body)).not.toContain(token);
  });
});

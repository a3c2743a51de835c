import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepBlobs } from "../../src/blobs/sweep-blobs.ts";
import { newId } from "../../src/lib/id.ts";
import { auditEvents } from "../../src/people/audit/tables.ts";
import { organizations } from "../../src/people/organizations/tables.ts";
import { users } from "../../src/people/users/tables.ts";
import { openPlugin } from "../../src/plugins/open-plugin.ts";
import { maxPackageBytes } from "../../src/plugins/packages/packages.ts";
import { readWheel } from "../../src/plugins/packages/read-wheel.ts";
import { pluginPackages } from "../../src/plugins/packages/tables.ts";
import type { Described, PluginCode, PluginHost, PluginInfo, PluginPackage } from "../../src/plugins/plugin-host.ts";
import { selectPluginIndex } from "../../src/plugins/plugin-index.ts";
import { plugins } from "../../src/plugins/tables.ts";
import { createMemoryBlobs } from "../memory-blobs.ts";
import { contextFor } from "../models/context-for.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";
import { makeWheel } from "./wheels.ts";

type Body = Record<string, unknown>;

const path = "/api/v1/plugins/packages";
const blobs = createMemoryBlobs();
/** What the host was told of packages, at the last save and at the last opening. */
const told: { described: PluginPackage[]; opened: PluginCode | undefined } = { described: [], opened: undefined };

/** Takes everything for a Python plugin: what packages it is offered is what these tests are about. */
const host: PluginHost = {
  async describe(source, packages): Promise<Described> {
    told.described = packages;
    const info: PluginInfo = {
      type: source.includes("class Tools") ? "tools" : "pipe",
      language: source.includes("javascript") ? "javascript" : "python",
      manifest: {},
      hooks: [],
      specs: [],
      valvesSchema: null,
      userValvesSchema: null,
      valveDefaults: {},
      toggle: false,
      icon: null,
      fileHandler: false,
      pipes: null,
      namePrefix: "",
      actions: [],
    };
    return { code: source, info, problems: [] };
  },
  open(code) {
    told.opened = code;
    return { call: () => Promise.reject(new Error("not called")), close: () => undefined };
  },
};

let world: World;
let admin: Person;
let manager: Person;
let member: Person;
let elsewhere: string;

beforeAll(async () => {
  world = await createWorld({ services: { blobs, plugins: host } });
  admin = await world.admin();
  elsewhere = newId();
  const now = world.services.now();
  await world.db
    .insert(organizations)
    .values({ id: elsewhere, name: "Elsewhere", features: {}, createdAt: now, updatedAt: now });
  [manager, member] = await Promise.all([
    world.person({ organizationId: elsewhere }),
    world.person({ organizationId: elsewhere }),
  ]);
  await world.db.update(users).set({ organizationRole: "admin" }).where(eq(users.id, manager.id));
  await world.call("/api/v1/users/default/permissions", { as: admin, json: { workspace: { tools: true } } });
});
afterAll(() => world.close());

function upload(bytes: Uint8Array<ArrayBuffer>, filename: string, as: Person = admin, organizationId?: string) {
  const body = new FormData();
  body.append("file", new File([bytes], filename));
  if (organizationId !== undefined) body.append("organization_id", organizationId);
  return world.call<Body>(path, { method: "POST", body, as });
}
const add = (name: string, version = "1.0", as: Person = admin, organizationId?: string) =>
  upload(makeWheel(name, version), `${name.replaceAll("-", "_")}-${version}-py3-none-any.whl`, as, organizationId);
const list = async (as: Person = admin, query = "") =>
  (await world.call<{ packages: Body[] }>(`${path}${query}`, { as })).body.packages;
const remove = (id: unknown, as: Person = admin) => world.call(`${path}/${String(id)}`, { method: "DELETE", as });

describe("packages", () => {
  test("are stored with their hash, and given to plugins byte by byte", async () => {
    const bytes = makeWheel("Harbour_Tools", "1.2.0");
    const { status, body } = await upload(bytes, "Harbour_Tools-1.2.0-py3-none-any.whl");
    expect(status).toBe(200);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(body).toEqual({
      id: expect.any(String),
      name: "harbour-tools",
      version: "1.2.0",
      filename: "Harbour_Tools-1.2.0-py3-none-any.whl",
      sha256: Buffer.from(digest).toString("hex"),
      size: bytes.length,
      organization_id: defaultOrganizationId,
      by_admin: true,
      created_at: expect.any(Number),
    });
    expect(await list()).toEqual([body]);
    await world.call("/api/v1/functions/create", { as: admin, json: { id: "py", name: "Py", content: "class Pipe" } });
    await world.call("/api/v1/functions/id/py/toggle", { as: admin, json: {} });
    expect(told.described.map(({ name, version }) => [name, version])).toEqual([["harbour-tools", "1.2.0"]]);
    expect(await told.described[0]!.bytes()).toEqual(bytes);
    const [entry] = await selectPluginIndex(world.db);
    openPlugin(await contextFor(world, admin), entry!);
    const loaded = await told.opened!.load();
    expect(loaded.packages.map(({ sha256 }) => sha256)).toEqual([body["sha256"]]);
  });

  test("give way to a newer one of the same name, however it is spelt; their bytes go", async () => {
    const first = (await add("spelt-name", "1.0")).body;
    const second = (await upload(makeWheel("Spelt.Name", "2.0"), "Spelt.Name-2.0-py3-none-any.whl")).body;
    expect((await list()).filter((item) => item["name"] === "spelt-name")).toEqual([second]);
    await sweepBlobs(world.services);
    expect(blobs.stored.has(`packages/${String(first["id"])}`)).toBe(false);
    expect(blobs.stored.has(`packages/${String(second["id"])}`)).toBe(true);
    expect((await remove(second["id"])).status).toBe(200);
    expect((await remove(second["id"])).status).toBe(404);
    await sweepBlobs(world.services);
    expect([...blobs.stored.keys()]).not.toContain(`packages/${String(second["id"])}`);
  });

  test("are an organization's, and those of another are not there", async () => {
    const own = (await add("theirs", "1.0", manager)).body;
    expect(own).toMatchObject({ organization_id: elsewhere, by_admin: false });
    expect((await list(manager)).map((item) => item["name"])).toEqual(["theirs"]);
    expect((await list(admin, `?organization_id=${elsewhere}`)).map((item) => item["name"])).toEqual(["theirs"]);
    expect(await list(manager, `?organization_id=${defaultOrganizationId}`)).toEqual([]);
    const [foreign] = await list(admin, `?organization_id=${defaultOrganizationId}`);
    expect((await remove(foreign!["id"], manager)).status).toBe(404);
    expect((await add("theirs", "1.0", manager, defaultOrganizationId)).status).toBe(422);
    expect((await add("theirs", "1.0", admin, newId())).status).toBe(422);
    for (const answer of [await add("mine", "1.0", member), await remove(own["id"], member)])
      expect(answer.status).toBe(403);
    expect((await world.call(path, { as: member })).status).toBe(403);
  });

  test("of a manager reach the tools of that organization's people, and no administrator's plugin", async () => {
    const tool = (as: Person, id: string) =>
      world.call("/api/v1/tools/create", { as, json: { id, name: "T", content: "class Tools" } });
    expect((await tool(member, "members")).status).toBe(200);
    expect(told.described.map(({ name }) => name)).toEqual(["theirs"]);
    const home = { organizationId: elsewhere };
    await world.db.update(users).set(home).where(eq(users.id, admin.id));
    try {
      expect((await tool(admin, "admins")).status).toBe(200);
      expect(told.described).toEqual([]);
      // What an administrator uploads there, both find.
      const vouched = (await add("vouched", "1.0", admin)).body;
      await world.call("/api/v1/tools/id/members/update", { as: member, json: { content: "class Tools  " } });
      expect(told.described.map(({ name }) => name)).toEqual(["theirs", "vouched"]);
      await world.call("/api/v1/tools/id/admins/update", { as: admin, json: { content: "class Tools  " } });
      expect(told.described.map(({ name }) => name)).toEqual(["vouched"]);
      // They run with the same as they were saved with.
      const entries = await selectPluginIndex(world.db);
      for (const [id, found] of [
        ["members", ["theirs", "vouched"]],
        ["admins", ["vouched"]],
      ] as const) {
        openPlugin(
          await contextFor(world, member),
          entries.find((entry) => entry.id === id)!,
        );
        expect((await told.opened!.load()).packages.map(({ name }) => name)).toEqual(found);
      }
      expect((await add("vouched", "6.6.6", manager)).status).toBe(403);
      expect((await remove(vouched["id"], manager)).status).toBe(403);
      expect((await add("theirs", "2.0", admin)).body).toMatchObject({ by_admin: true });
    } finally {
      await world.db.update(users).set({ organizationId: defaultOrganizationId }).where(eq(users.id, admin.id));
    }
  });

  test("make the isolates of their organization's Python plugins cold, and no others", async () => {
    const create = (id: string, content: string) =>
      world.call("/api/v1/functions/create", { as: admin, json: { id, name: id, content } });
    await create("warm_python", "class Pipe");
    await create("warm_javascript", "class Pipe // javascript");
    const prints = async () => new Map((await world.db.select().from(plugins)).map((row) => [row.id, row.fingerprint]));
    const before = await prints();
    const { body } = await add("fresh");
    const after = await prints();
    const moved = (from: Map<string, string>, to: Map<string, string>) =>
      [...to].filter(([id, print]) => from.get(id) !== print).map(([id]) => id);
    expect(moved(before, after).sort()).toEqual(["py", "warm_python"]);
    await remove(body["id"]);
    expect(moved(after, await prints()).sort()).toEqual(["py", "warm_python"]);
  });

  test("that were stored before there was an index of wheels get theirs when a plugin is loaded", async () => {
    const { body } = await add("before-index");
    const row = eq(pluginPackages.id, String(body["id"]));
    await world.db.update(pluginPackages).set({ contents: null }).where(row);
    await world.call("/api/v1/functions/check", { as: admin, json: { content: "class Pipe" } });
    const contents = { modules: ["before_index"], requires: [] };
    expect(told.described.find(({ name }) => name === "before-index")).toMatchObject({ contents });
    expect(await world.db.select({ contents: pluginPackages.contents }).from(pluginPackages).where(row)).toEqual([
      { contents },
    ]);
  });

  test("whose bytes are gone are left out, and others are still there", async () => {
    const { body } = await add("without-bytes");
    const row = eq(pluginPackages.id, String(body["id"]));
    await world.db.update(pluginPackages).set({ contents: null }).where(row);
    await blobs.delete([`packages/${String(body["id"])}`]);
    const check = await world.call("/api/v1/functions/check", { as: admin, json: { content: "class Pipe" } });
    expect(check.status).toBe(200);
    expect(told.described.map(({ name }) => name)).toContain("before-index");
    expect(told.described.map(({ name }) => name)).not.toContain("without-bytes");
    await remove(body["id"]);
  });

  test("go with their organization", async () => {
    const id = newId();
    const now = world.services.now();
    await world.db
      .insert(organizations)
      .values({ id, name: "Short-lived", features: {}, createdAt: now, updatedAt: now });
    const { body } = await add("orphan", "1.0", admin, id);
    expect(blobs.stored.has(`packages/${String(body["id"])}`)).toBe(true);
    expect((await world.call(`/api/v1/organizations/${id}`, { method: "DELETE", as: admin })).status).toBe(200);
    await sweepBlobs(world.services);
    expect(blobs.stored.has(`packages/${String(body["id"])}`)).toBe(false);
  });

  test("say in the audit log what came and went", async () => {
    const rows = await world.db.select().from(auditEvents);
    const about = rows.filter((row) => row.targetType === "package");
    expect(new Set(about.map((row) => row.action))).toEqual(new Set(["package.added", "package.deleted"]));
    expect(about.every((row) => row.organizationId !== null)).toBe(true);
  });
});

describe("a file that is no package", () => {
  const good = makeWheel("a", "1.0");
  const zipBomb = makeWheel("a", "1.0", { "a/big.bin": new Uint8Array(160_000_000) });
  test.each([
    ["another name", good, "a.zip"],
    ["another platform", good, "a-1.0-cp314-cp314-manylinux_2_28_x86_64.whl"],
    ["another Python", good, "a-1.0-cp312-cp312-pyemscripten_2026_0_wasm32.whl"],
    ["Python 2", good, "a-1.0-py2-none-any.whl"],
    ["another package inside", good, "b-1.0-py3-none-any.whl"],
    ["another version inside", good, "a-1.1-py3-none-any.whl"],
    ["no archive", new TextEncoder().encode("hello"), "a-1.0-py3-none-any.whl"],
    ["half an archive", good.slice(0, good.length - 30), "a-1.0-py3-none-any.whl"],
    ["nothing", new Uint8Array(), "a-1.0-py3-none-any.whl"],
    ["a way out", makeWheel("a", "1.0", { "../a.py": "" }), "a-1.0-py3-none-any.whl"],
    ["no name", makeWheel("a", "1.0", {}, "Version: 1.0\n"), "a-1.0-py3-none-any.whl"],
  ])("is refused: %s", async (_what, bytes, filename) => {
    const { status, body } = await upload(new Uint8Array(bytes), filename);
    expect([status, body["code"]]).toEqual([400, "plugin_invalid"]);
  });

  test("is refused for its size, packed or unpacked", async () => {
    expect((await upload(zipBomb, "a-1.0-py3-none-any.whl")).status).toBe(413);
    expect((await upload(new Uint8Array(maxPackageBytes + 1), "a-1.0-py3-none-any.whl")).status).toBe(413);
    expect((await upload(new Uint8Array(maxPackageBytes + 200_000), "a-1.0-py3-none-any.whl")).status).toBe(413);
  });

  test("is refused where there is none", async () => {
    const body = new FormData();
    body.append("file", "no file");
    expect((await world.call(path, { method: "POST", body, as: admin })).status).toBe(422);
    for (const empty of [{ method: "POST" }, { json: {} }])
      expect([400, 422]).toContain((await world.call(path, { ...empty, as: admin })).status);
  });

  test("leaves nothing behind", async () => {
    const known = new Set((await list()).map((item) => `packages/${String(item["id"])}`));
    await sweepBlobs(world.services);
    expect([...blobs.stored.keys()].filter((key) => !known.has(key))).toEqual([]);
  });
});

test.each([
  "pydantic_core-2.41.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
  "pydantic_core-2.41.0-cp39-abi3-pyemscripten_2026_0_wasm32.whl",
  "pydantic_core-2.41.0-1-py2.py3-none-any.whl",
  "pydantic_core-2.41.0-py310-none-any.whl",
])("takes %s", (filename) => {
  expect(readWheel(filename, makeWheel("pydantic-core", "2.41.0"))).toEqual({
    name: "pydantic-core",
    version: "2.41.0",
    index: { modules: ["pydantic_core"], requires: [] },
  });
});

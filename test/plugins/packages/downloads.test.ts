import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sweepBlobs } from "../../../src/blobs/sweep-blobs.ts";
import { claimJob } from "../../../src/jobs/claim-job.ts";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import { jobs } from "../../../src/jobs/tables.ts";
import { newId } from "../../../src/lib/id.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { organizations } from "../../../src/people/organizations/tables.ts";
import { users } from "../../../src/people/users/tables.ts";
import type { DownloadList, DownloadView } from "../../../src/plugins/packages/downloads/schema.ts";
import { maxPackages } from "../../../src/plugins/packages/packages.ts";
import { packageDownloads, pluginPackages } from "../../../src/plugins/packages/tables.ts";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../../world.ts";
import { makeWheel } from "../wheels.ts";
import { createFakeRegistry, registryAddress, sha256 } from "./fake-registry.ts";

const path = "/api/v1/plugins/packages/downloads";
const blobs = createMemoryBlobs();
let registry: ReturnType<typeof createFakeRegistry>;
let world: World;
let admin: Person;
let manager: Person;
let member: Person;
let elsewhere: string;

beforeAll(async () => {
  const guarded = ((...args: Parameters<typeof fetch>) => registry.guarded(...args)) as typeof fetch;
  const refused = (async () => Promise.reject(new Error("not this way"))) as typeof fetch;
  world = await createWorld({ services: { blobs, outbound: { guarded, trusted: refused } } });
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
});
beforeEach(async () => {
  registry = createFakeRegistry();
  await world.db.delete(pluginPackages);
  await world.db.delete(packageDownloads);
  await world.db.delete(jobs);
  await sweepBlobs(world.services);
  await allow([registryAddress]);
});
afterAll(() => world.close());

const allow = (registries: string[]) =>
  world.call("/api/v1/auths/admin/config", { as: admin, json: { PLUGIN_PACKAGE_REGISTRIES: registries } });
const plan = (packages: string[], as: Person = admin, organizationId?: string) =>
  world.call<DownloadView>(path, {
    as,
    json: { packages, ...(organizationId ? { organization_id: organizationId } : {}) },
  });
const read = async (id: string, as: Person = admin) => (await world.call<DownloadView>(`${path}/${id}`, { as })).body;
const start = (id: string, as: Person = admin) =>
  world.call<DownloadView>(`${path}/${id}/start`, { method: "POST", as });
const run = () => runJobs(world.services, "packages");
const stored = async () =>
  (await world.db.select().from(pluginPackages)).map(({ name, version }) => `${name} ${version}`).sort();
async function get(packages: string[], as: Person = admin): Promise<DownloadView> {
  const planned = await plan(packages, as);
  expect(planned.status, JSON.stringify(planned.body)).toBe(200);
  expect((await start(planned.body.id, as)).status).toBe(200);
  await run();
  return read(planned.body.id, as);
}

describe("a plan", () => {
  test("names every package with size, license, hash and who needs it, and takes nothing", async () => {
    const { wheel } = registry.publish({
      name: "beautifulsoup4",
      version: "4.12",
      requires: ["soupsieve>1.2", "certifi", "typing-extensions>=4.0"],
      headers: ["License-Expression: MIT", "Summary: Screen scraping"],
    });
    registry.publish({ name: "soupsieve", version: "2.5" });
    const { status, body } = await plan(["bs4"]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: "planned",
      wanted: ["beautifulsoup4"],
      total: expect.any(Number),
      organization_id: defaultOrganizationId,
    });
    expect(body.packages.map(({ name, version, needed_by }) => [name, version, needed_by])).toEqual([
      ["beautifulsoup4", "4.12", []],
      ["soupsieve", "2.5", ["beautifulsoup4"]],
    ]);
    expect(body.packages[0]).toMatchObject({
      size: wheel.length,
      license: "MIT",
      summary: "Screen scraping",
      registry: "registry.example",
      replaces: null,
      looks_like: null,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(body.packages[0]).not.toHaveProperty("url");
    expect(body.present.map(({ name, built_in }) => [name, built_in])).toEqual([
      ["certifi", true],
      ["typing-extensions", true],
    ]);
    expect(registry.asked.filter((address) => address.endsWith(".whl"))).toEqual([]);
    expect([await stored(), blobs.stored.size]).toEqual([[], 0]);
    // It is not listed before somebody has agreed; the next one takes its place.
    expect((await world.call<DownloadList>(path, { as: admin })).body).toEqual({
      registries: ["registry.example"],
      downloads: [],
    });
    await plan(["soupsieve"]);
    expect((await world.call(`${path}/${body.id}`, { as: admin })).status).toBe(404);
  });

  test("takes what is there already, and says what it replaces and what looks like something else", async () => {
    registry.publish({ name: "soupsieve", version: "1.0" });
    await get(["soupsieve"]);
    registry.publish({ name: "soupsieve", version: "2.5" });
    registry.publish({ name: "reqeusts", version: "1.0", requires: ["soupsieve"] });
    const kept = (await plan(["reqeusts"])).body;
    expect(kept.present).toEqual([{ name: "soupsieve", version: "1.0", built_in: false }]);
    expect(kept.packages).toMatchObject([{ name: "reqeusts", looks_like: "requests" }]);
    const newer = (await plan(["soupsieve>=2"])).body;
    expect(newer.packages).toMatchObject([{ name: "soupsieve", version: "2.5", replaces: "1.0" }]);
  });

  test("says what excludes what, and what no registry has", async () => {
    registry.publish({ name: "a", version: "1.0", requires: ["c<2"] });
    registry.publish({ name: "b", version: "1.0", requires: ["c>=2"] });
    registry.publish({ name: "c", version: "1.0" });
    registry.publish({ name: "c", version: "2.0" });
    registry.publish({ name: "native", version: "1.0", tag: "cp314-cp314-manylinux_2_28_x86_64" });
    const messages = async (...packages: string[]) => {
      const { status, body } = await plan(packages);
      return [status, JSON.stringify(body)];
    };
    expect(await messages("a", "b")).toEqual([409, expect.stringContaining("a 1.0 needs c<2, b 1.0 needs c>=2")]);
    expect(await messages("gone")).toEqual([409, expect.stringContaining("no allowed registry has gone")]);
    expect(await messages("native")).toEqual([409, expect.stringContaining("no wheel that runs in WebAssembly")]);
    // What stands for a package here satisfies everything that is demanded of it.
    registry.publish({ name: "wants-ours", version: "1.0", requires: ["httpx2-jsfetch>=1", "httpx>=99"] });
    expect((await plan(["wants-ours"])).body.packages.map(({ name }) => name)).toEqual(["wants-ours"]);
    expect(await messages("c>=3")).toEqual([409, expect.stringContaining("the newest one that runs here is 2.0")]);
  });

  test("is for managers, for their organization, and only where a registry is allowed", async () => {
    registry.publish({ name: "soupsieve", version: "2.5" });
    expect((await plan(["soupsieve"], member)).status).toBe(403);
    expect((await plan(["soupsieve"], manager, defaultOrganizationId)).status).toBe(422);
    expect((await plan(["soupsieve"], admin, newId())).status).toBe(422);
    const own = (await plan(["soupsieve"], manager)).body;
    expect(own.organization_id).toBe(elsewhere);
    const others = (await plan(["soupsieve"], admin)).body;
    for (const answer of [
      await world.call(`${path}/${others.id}`, { as: manager }),
      await start(others.id, manager),
      await world.call(`${path}/${others.id}`, { method: "DELETE", as: manager }),
      await start(newId()),
    ])
      expect(answer.status).toBe(404);
    for (const wrong of [["a b"], ["x @ https://evil.example/x.whl"], ["../x"], [""], [], ["x".repeat(400)], [7]])
      expect((await plan(wrong as string[])).status, JSON.stringify(wrong)).toBe(422);
    await allow([]);
    expect((await plan(["soupsieve"])).status).toBe(403);
    await start(others.id);
    await run();
    expect(await read(others.id)).toMatchObject({
      state: "failed",
      error: "registry.example is no longer an allowed registry",
    });
  });
});

describe("a download", () => {
  test("offers all packages to plugins at once, with what is audited", async () => {
    registry.publish({
      name: "beautifulsoup4",
      version: "4.12",
      requires: ["soupsieve>1.2"],
      files: { "bs4/__init__.py": "" },
    });
    registry.publish({ name: "soupsieve", version: "2.5" });
    const done = await get(["bs4"]);
    expect(done).toMatchObject({ state: "done", error: null, completed: done.total });
    const rows = await world.db.select().from(pluginPackages);
    expect(rows.map(({ name, byAdmin, userId }) => [name, byAdmin, userId]).sort()).toEqual([
      ["beautifulsoup4", true, admin.id],
      ["soupsieve", true, admin.id],
    ]);
    expect(rows.find(({ name }) => name === "beautifulsoup4")?.contents).toMatchObject({
      requires: [{ name: "soupsieve" }],
    });
    for (const { id, size } of rows) expect(blobs.stored.get(`packages/${id}`)?.length).toBe(size);
    await sweepBlobs(world.services);
    expect(blobs.stored.size).toBe(2);
    const told = (await world.db.select().from(auditEvents)).filter(({ actorId }) => actorId === admin.id);
    const begun = told.findLast(({ action }) => action === "package.download_started");
    expect(begun).toMatchObject({ targetId: done.id, organizationId: defaultOrganizationId });
    expect(begun?.detail).toMatchObject({
      name: "beautifulsoup4",
      packages: [{ name: "beautifulsoup4", version: "4.12", registry: "registry.example" }, { name: "soupsieve" }],
    });
    expect(told.filter(({ action, requestId }) => action === "package.added" && requestId === done.id)).toHaveLength(2);
    expect((await start(done.id)).status).toBe(409);
    expect((await world.call<DownloadList>(path, { as: admin })).body.downloads.map(({ id }) => id)).toEqual([done.id]);
    expect((await world.call(`${path}/${done.id}`, { method: "DELETE", as: admin })).status).toBe(200);
    expect(await stored()).toHaveLength(2);
  });

  const wrongWheel = makeWheel("somebody-else", "1.0");
  test.each<[string, Parameters<ReturnType<typeof createFakeRegistry>["publish"]>[0], RegExp]>([
    [
      "another file than was promised",
      { name: "harbour", version: "1.0", bytes: new Uint8Array(makeWheel("harbour", "1.0").length) },
      /size|longer|shorter|SHA-256/,
    ],
    ["more than was promised", { name: "harbour", version: "1.0", bytes: new Uint8Array(50_000) }, /longer than/],
    ["less than was promised", { name: "harbour", version: "1.0", bytes: new Uint8Array(10) }, /shorter than/],
    ["a size that is a lie", { name: "harbour", version: "1.0", entry: { size: 12 } }, /longer than/],
    [
      "what is no wheel, with its hash",
      {
        name: "harbour",
        version: "1.0",
        bytes: new Uint8Array(9),
        entry: { size: 9, hashes: { sha256: sha256(new Uint8Array(9)) } },
      },
      /not a wheel/,
    ],
    [
      "a file outside its folder",
      { name: "harbour", version: "1.0", files: { "../evil.py": "" } },
      /outside its folder/,
    ],
    ["an absolute path", { name: "harbour", version: "1.0", files: { "/etc/evil.py": "" } }, /outside its folder/],
    [
      "a module of a built-in package",
      { name: "harbour", version: "1.0", files: { "pydantic/__init__.py": "" } },
      /the module pydantic, which belongs to pydantic/,
    ],
  ])("with %s fails, and nothing is installed", async (_, published, expected) => {
    registry.publish({ name: "good", version: "1.0", requires: ["harbour"] });
    registry.publish(published);
    const ended = await get(["good"]);
    expect(ended).toMatchObject({ state: "failed", error: expect.stringMatching(expected) });
    expect(await stored()).toEqual([]);
    await sweepBlobs(world.services);
    expect(blobs.stored.size).toBe(0);
    expect(await world.db.select().from(jobs)).toEqual([]);
  });

  test("is audited with the credential of who agreed", async () => {
    registry.publish({ name: "soupsieve", version: "2.5" });
    const { id } = (await plan(["soupsieve"])).body;
    await start(id);
    const agreed = eq(auditEvents.targetId, id);
    await world.db.update(auditEvents).set({ actorKind: "api-key" }).where(agreed);
    await run();
    const told = await world.db.select().from(auditEvents).where(eq(auditEvents.requestId, id));
    expect(told.map(({ action, actorKind }) => [action, actorKind])).toEqual([["package.added", "api-key"]]);
  });

  test("with a wheel of another name or version than its file fails", async () => {
    const { url } = registry.publish({ name: "harbour", version: "1.0" });
    registry = createFakeRegistry();
    registry.publish({
      name: "harbour",
      version: "1.0",
      bytes: wrongWheel,
      entry: { size: wrongWheel.length, hashes: { sha256: sha256(wrongWheel) } },
    });
    expect(registry.files.has(url)).toBe(true);
    const ended = await get(["harbour"]);
    expect(ended).toMatchObject({
      state: "failed",
      error: "The file is named harbour 1.0, but it contains somebody-else 1.0",
    });
  });

  test("that is sent to a private address fails", async () => {
    const { url } = registry.publish({ name: "harbour", version: "1.0" });
    registry.served.set(url, () => Response.redirect("http://169.254.169.254/latest/meta-data", 302));
    const ended = await get(["harbour"]);
    expect(ended).toMatchObject({ state: "failed", error: "169.254.169.254 is not a public address" });
  });

  test("goes on after its runner died, without fetching again what is there", async () => {
    registry.publish({ name: "a", version: "1.0", requires: ["b"] });
    const { url } = registry.publish({ name: "b", version: "1.0" });
    let isUp = false;
    registry.served.set(url, () => (isUp ? new Response(registry.files.get(url)!) : new Response("", { status: 503 })));
    const { body } = await plan(["a"]);
    await start(body.id);
    await run();
    // It waits for the registry: nobody sees a half of it.
    expect(await read(body.id)).toMatchObject({ state: "running" });
    expect([await stored(), blobs.stored.size]).toEqual([[], 1]);
    await sweepBlobs(world.services);
    isUp = true;
    await world.db.update(jobs).set({ dueAt: 0 });
    // A runner that takes it and dies.
    expect((await claimJob(world.services, "packages"))?.subject).toBe(body.id);
    await world.db.update(jobs).set({ leaseUntil: 0 });
    await run();
    expect(await read(body.id)).toMatchObject({ state: "done" });
    expect(await stored()).toEqual(["a 1.0", "b 1.0"]);
    expect(registry.asked.filter((address) => address.endsWith("a-1.0-py3-none-any.whl"))).toHaveLength(1);
  });

  test("that is stopped keeps nothing", async () => {
    registry.publish({ name: "a", version: "1.0", requires: ["b"] });
    const { url } = registry.publish({ name: "b", version: "1.0" });
    const { body } = await plan(["a"]);
    registry.served.set(url, async () => {
      expect((await world.call(`${path}/${body.id}`, { method: "DELETE", as: admin })).status).toBe(409);
      const stopped = await world.call<DownloadView>(`${path}/${body.id}/stop`, { method: "POST", as: admin });
      expect(stopped.body.state).toBe("stopped");
      return new Response(registry.files.get(url)!);
    });
    await start(body.id);
    await run();
    expect(await read(body.id)).toMatchObject({ state: "stopped" });
    await sweepBlobs(world.services);
    expect([await stored(), blobs.stored.size, await world.db.select().from(jobs)]).toEqual([[], 0, []]);
  });

  test("of a manager leaves what a system administrator added, and ends with their rights", async () => {
    registry.publish({ name: "harbour", version: "1.0" });
    const asManager = await get(["harbour"], manager);
    expect(asManager.state).toBe("done");
    const [row] = await world.db.select().from(pluginPackages);
    expect(row).toMatchObject({ organizationId: elsewhere, byAdmin: false });
    const planned = (await plan(["harbour"], admin, elsewhere)).body;
    await start(planned.id);
    await run();
    expect((await world.db.select().from(pluginPackages))[0]).toMatchObject({ byAdmin: true });
    registry.publish({ name: "harbour", version: "2.0" });
    const refused = await plan(["harbour>=2"], manager);
    expect(JSON.stringify(refused.body)).toContain("version 1.0 was added by a system administrator");
    registry.publish({ name: "other", version: "1.0" });
    const late = (await plan(["other"], manager)).body;
    await start(late.id, manager);
    await world.db.update(users).set({ organizationRole: "member" }).where(eq(users.id, manager.id));
    await run();
    await world.db.update(users).set({ organizationRole: "admin" }).where(eq(users.id, manager.id));
    expect(await read(late.id)).toMatchObject({
      state: "failed",
      error: "The person who started it is no longer an administrator",
    });
  });

  test("stays below the number of packages, also where others came meanwhile", async () => {
    registry.publish({ name: "a", version: "1.0", requires: ["b"] });
    registry.publish({ name: "b", version: "1.0" });
    const { body } = await plan(["a"]);
    const wheel = {
      filename: "x.whl",
      sha256: "",
      size: 1,
      version: "1",
      organizationId: defaultOrganizationId,
      createdAt: 1,
    };
    await world.db
      .insert(pluginPackages)
      .values(Array.from({ length: maxPackages - 1 }, (_, index) => ({ ...wheel, id: newId(), name: `n${index}` })));
    await start(body.id);
    await run();
    expect(await read(body.id)).toMatchObject({ state: "failed", error: expect.stringContaining("no room") });
    expect(await stored()).toHaveLength(maxPackages - 1);
    expect((await plan(["a"])).status).toBe(409);
  });

  test("two at the same moment begin once", async () => {
    registry.publish({ name: "a", version: "1.0" });
    const { body } = await plan(["a"]);
    const answers = await Promise.all([start(body.id), start(body.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await world.db.select().from(jobs)).toHaveLength(1);
  });
});

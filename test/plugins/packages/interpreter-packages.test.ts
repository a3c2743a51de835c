import pyodide from "pyodide/package.json" with { type: "json" };
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeBundle } from "../../../scripts/packages/make-bundle.ts";
import { runJobs } from "../../../src/jobs/run-jobs.ts";
import { startDownload } from "../../../src/plugins/packages/downloads/downloads.ts";
import { planDownload } from "../../../src/plugins/packages/downloads/plan-download.ts";
import type { DownloadList, DownloadView } from "../../../src/plugins/packages/downloads/schema.ts";
import { lockedPackages, readLockFile } from "../../../src/plugins/packages/interpreter/locked-packages.ts";
import { pluginPackages } from "../../../src/plugins/packages/tables.ts";
import { pluginSettings } from "../../../src/plugins/settings.ts";
import { contextFor } from "../../chat/conversations/context-for.ts";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { makeWheel } from "../wheels.ts";
import { createFakeRegistry, registryAddress, sha256 } from "./fake-registry.ts";

const path = "/api/v1/plugins/packages/downloads";
const folder = "https://interpreter.example/full/";
const tag = "cp314-cp314-pyemscripten_2026_0_wasm32";
let registry: ReturnType<typeof createFakeRegistry>;
let world: World;
let admin: Person;
let settings: Record<string, unknown>;

beforeAll(async () => {
  const guarded = ((...args: Parameters<typeof fetch>) => registry.guarded(...args)) as typeof fetch;
  const refused = (async () => Promise.reject(new Error("not this way"))) as typeof fetch;
  world = await createWorld({ services: { blobs: createMemoryBlobs(), outbound: { guarded, trusted: refused } } });
  admin = await world.admin();
});
beforeEach(async () => {
  registry = createFakeRegistry();
  await world.db.delete(pluginPackages);
  settings = {};
  await allow({ PLUGIN_PACKAGE_REGISTRIES: [registryAddress], PLUGIN_INTERPRETER_PACKAGES: folder });
});
afterAll(() => world.close());

/** What is not given stays as it is. */
async function allow(changes: Record<string, unknown>): Promise<void> {
  settings = { ...settings, ...changes };
  await world.call("/api/v1/auths/admin/config", { as: admin, json: changes });
}
const context = () => contextFor(world, admin, settings);

/** A lock file of made-up packages, whose files are in the folder. */
function lock(...packages: { name: string; version: string; depends?: string[]; file?: string; bytes?: Uint8Array }[]) {
  const entries = packages.map(({ name, version, depends = [], ...rest }) => {
    const wheel = makeWheel(name, version);
    const file = rest.file ?? `${name}-${version}-${tag}.whl`;
    registry.files.set(`${folder}${file}`, new Uint8Array(rest.bytes ?? wheel));
    return [name, { name, version, file_name: file, sha256: sha256(wheel), depends }];
  });
  return readLockFile({ info: {}, packages: Object.fromEntries(entries) });
}
async function plan(wanted: string[], locked: ReturnType<typeof lock>): Promise<DownloadView> {
  return planDownload(context(), { packages: wanted }, async () => locked);
}
async function get(wanted: string[], locked: ReturnType<typeof lock>): Promise<DownloadView> {
  const { id } = await plan(wanted, locked);
  await startDownload(context(), id);
  await runJobs(world.services, "packages");
  return (await world.call<DownloadView>(`${path}/${id}`, { as: admin })).body;
}
const named = ({ packages }: DownloadView) =>
  packages.map(({ name, version, registry: from }) => `${name} ${version} of ${from}`);

describe("the lock file of the interpreter", () => {
  test("names what plugins often need, for the interpreter that they run on", async () => {
    const packages = await lockedPackages();
    for (const name of ["numpy", "pandas", "pillow", "lxml", "tiktoken", "scikit-learn", "regex"])
      expect(packages.get(name), name).toMatchObject({ name, filename: expect.stringContaining(".whl") });
    expect(packages.get("pandas")?.needs).toContain("numpy");
    for (const { needs } of packages.values()) for (const each of needs) expect(packages.has(each), each).toBe(true);
  });

  test("is of the version that texts name", () => {
    expect(pluginSettings.PLUGIN_INTERPRETER_PACKAGES.description).toContain(`/pyodide/v${pyodide.version}/full/`);
  });

  test("has more than wheels: what needs anything else is left out", () => {
    const packages = lock(
      { name: "libshape", version: "1.0", file: "libshape-1.0.zip" },
      { name: "shapes", version: "1.0", depends: ["libshape"] },
      { name: "maps", version: "1.0", depends: ["shapes"] },
      { name: "old", version: "1.0", file: "old-1.0-cp312-cp312-pyodide_2024_0_wasm32.whl" },
      { name: "plain", version: "1.0" },
    );
    expect([...packages.keys()]).toEqual(["plain"]);
  });
});

describe("packages made for the interpreter", () => {
  test("are planned with what they need, together with those of registries, and fetched", async () => {
    registry.publish({ name: "report", version: "1.0", requires: ["frames>=2"] });
    registry.publish({ name: "frames", version: "3.0", tag: "cp314-cp314-manylinux_2_28_x86_64" });
    registry.publish({ name: "dates", version: "2.0" });
    const locked = lock(
      { name: "frames", version: "2.5", depends: ["array", "dates"] },
      { name: "array", version: "2.4" },
      { name: "dates", version: "1.0" },
    );
    const done = await get(["report"], locked);
    expect([done.state, done.error]).toEqual(["done", null]);
    expect(named(done)).toEqual([
      "report 1.0 of registry.example",
      "frames 2.5 of interpreter.example",
      "array 2.4 of interpreter.example",
      "dates 2.0 of registry.example",
    ]);
    const stored = (await world.db.select().from(pluginPackages)).map(({ name }) => name).sort();
    expect(stored).toEqual(["array", "dates", "frames", "report"]);
  });

  test("give way to a newer one of a registry that runs here, and to what is demanded", async () => {
    const locked = lock({ name: "array", version: "2.4" });
    registry.publish({ name: "array", version: "2.5", tag });
    expect(named(await plan(["array"], locked))).toEqual(["array 2.5 of registry.example"]);
    expect(named(await plan(["array<2.5"], locked))).toEqual(["array 2.4 of interpreter.example"]);
    registry.publish({ name: "report", version: "1.0", requires: ["array<2"] });
    await expect(plan(["report"], locked)).rejects.toThrow("the one that was made for the interpreter is 2.4");
  });

  test("take the place of what stands in for them", async () => {
    registry.publish({ name: "report", version: "1.0", requires: ["orjson>=3.9", "rpds-py"] });
    const without = await plan(["report"], lock());
    expect(without.present).toEqual([
      { name: "orjson", version: "3.11.8", built_in: true },
      { name: "rpds-py", version: "0.30.0", built_in: true },
    ]);
    expect(named(await plan(["report"], lock({ name: "orjson", version: "3.11" })))).toEqual([
      "report 1.0 of registry.example",
      "orjson 3.11 of interpreter.example",
    ]);
    registry.publish({ name: "newer", version: "1.0", requires: ["orjson>=4"] });
    await expect(plan(["newer"], lock())).rejects.toThrow("no allowed registry has orjson. newer 1.0 needs orjson>=4");
  });

  test("are taken only with the hash of the lock file", async () => {
    const other = makeWheel("array", "2.4", { "array/evil.py": "" });
    const { state, error } = await get(["array"], lock({ name: "array", version: "2.4", bytes: other }));
    expect([state, error]).toEqual(["failed", expect.stringContaining("its SHA-256 is another one")]);
    expect(await world.db.select().from(pluginPackages)).toEqual([]);
  });

  test("come from nowhere unless an administrator allows the address, and not after that ends", async () => {
    const locked = lock({ name: "array", version: "2.4" });
    const { id } = await plan(["array"], locked);
    await startDownload(context(), id);
    await allow({ PLUGIN_INTERPRETER_PACKAGES: "" });
    await runJobs(world.services, "packages");
    const { body } = await world.call<DownloadView>(`${path}/${id}`, { as: admin });
    expect(body.error).toBe("interpreter.example is no longer an allowed registry");
    await expect(plan(["array"], locked)).rejects.toThrow("no allowed registry has array");
    await allow({ PLUGIN_PACKAGE_REGISTRIES: [] });
    await expect(plan(["array"], locked)).rejects.toMatchObject({ code: "forbidden" });
    expect(registry.asked.filter((address) => address.startsWith(folder))).toEqual([]);
  });

  test("go out through the guard", async () => {
    await allow({ PLUGIN_INTERPRETER_PACKAGES: "http://169.254.169.254/full/" });
    const { error } = await get(["array"], lock({ name: "array", version: "2.4" }));
    expect(error).toMatch(/not a public address/);
    expect(registry.asked.filter((address) => address.includes("169.254"))).toEqual([]);
  });

  test("of the real lock file can be planned, also without any registry", async () => {
    await allow({ PLUGIN_PACKAGE_REGISTRIES: [] });
    const { body, status } = await world.call<DownloadView>(path, {
      as: admin,
      json: { packages: ["PIL", "sklearn"] },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.packages.map(({ name }) => name)).toEqual(expect.arrayContaining(["pillow", "scikit-learn", "numpy"]));
    expect(new Set(body.packages.map(({ registry: from }) => from))).toEqual(new Set(["interpreter.example"]));
    expect((await world.call<DownloadList>(path, { as: admin })).body.registries).toEqual(["interpreter.example"]);
  });

  test("are put into bundles", async () => {
    const packages = lock({ name: "array", version: "2.4" });
    const made = await makeBundle(["array"], [registryAddress], { address: folder, packages }, registry.guarded);
    expect(Object.keys(made.files)).toEqual(["pins.json", `array-2.4-${tag}.whl`]);
  });
});

import { zipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeBundle } from "../../../scripts/packages/make-bundle.ts";
import { sweepBlobs } from "../../../src/blobs/sweep-blobs.ts";
import { auditEvents } from "../../../src/people/audit/tables.ts";
import { packageDownloads, pluginPackages } from "../../../src/plugins/packages/tables.ts";
import { createMemoryBlobs } from "../../memory-blobs.ts";
import { createWorld, type Person, type World } from "../../world.ts";
import { makeWheel } from "../wheels.ts";
import { createFakeRegistry, registryAddress } from "./fake-registry.ts";

const blobs = createMemoryBlobs();
let world: World;
let admin: Person;

beforeAll(async () => {
  world = await createWorld({ services: { blobs } });
  admin = await world.admin();
});
beforeEach(async () => {
  await world.db.delete(pluginPackages);
  await sweepBlobs(world.services);
});
afterAll(() => world.close());

type Files = Record<string, Uint8Array>;

async function bundle(): Promise<Files> {
  const registry = createFakeRegistry();
  registry.publish({
    name: "beautifulsoup4",
    version: "4.12",
    requires: ["soupsieve>1.2", "certifi"],
    headers: ["License: MIT"],
  });
  registry.publish({ name: "soupsieve", version: "2.5" });
  const { files, packages } = await makeBundle(["bs4"], [registryAddress], undefined, registry.guarded);
  expect(packages.map(({ name, license }) => [name, license])).toEqual([
    ["beautifulsoup4", "MIT"],
    ["soupsieve", null],
  ]);
  return files;
}
const upload = (bytes: Uint8Array, as: Person = admin, query = "") =>
  world.call<Record<string, unknown>>(`/api/v1/plugins/packages/bundle${query}`, {
    method: "POST",
    as,
    body: new Uint8Array(bytes),
    headers: { "content-type": "application/zip" },
  });
const zipped = (files: Files) => zipSync(files, { level: 0 });

test("a bundle made elsewhere is uploaded in one go", async () => {
  const { status, body } = await upload(zipped(await bundle()));
  expect([status, body["state"]], JSON.stringify(body)).toEqual([200, "done"]);
  const rows = await world.db.select().from(pluginPackages);
  expect(rows.map(({ name, version, byAdmin }) => [name, version, byAdmin]).sort()).toEqual([
    ["beautifulsoup4", "4.12", true],
    ["soupsieve", "2.5", true],
  ]);
  await sweepBlobs(world.services);
  for (const { id, size } of rows) expect(blobs.stored.get(`packages/${id}`)?.length).toBe(size);
  const added = (await world.db.select().from(auditEvents)).filter(({ action }) => action === "package.added");
  expect(added.map(({ detail }) => (detail as { registry: string }).registry)).toEqual([
    "registry.example",
    "registry.example",
  ]);
});

test("the same bundle again, in pieces of one byte, takes its own place", async () => {
  const bytes = zipped(await bundle());
  await upload(bytes);
  let at = 0;
  const slow = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at === bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, ++at));
    },
  });
  const answer = await world.call("/api/v1/plugins/packages/bundle", {
    method: "POST",
    as: admin,
    body: slow,
    duplex: "half",
  } as Parameters<World["call"]>[1]);
  expect(answer.status).toBe(200);
  expect(await world.db.select().from(pluginPackages)).toHaveLength(2);
});

const soup = "beautifulsoup4-4.12-py3-none-any.whl";
test.each<[string, (files: Files) => Files | Uint8Array, RegExp]>([
  ["no zip file", () => new Uint8Array(100).fill(7), /not a bundle/],
  ["a wheel", () => makeWheel("harbour", "1.0"), /not a bundle/],
  ["nothing", () => new Uint8Array(), /not a bundle/],
  ["pins that are none", (files) => ({ ...files, "pins.json": new TextEncoder().encode("{}") }), /not a bundle/],
  [
    "a wheel that is another",
    (files) => ({ ...files, [soup]: makeWheel("beautifulsoup4", "4.12", { "x.py": "" }) }),
    /not the file that the bundle lists/,
  ],
  [
    "a wheel that is not listed",
    (files) => ({ ...files, "evil-1.0-py3-none-any.whl": makeWheel("evil", "1.0") }),
    /not in the list/,
  ],
  [
    "a wheel that is missing",
    ({ [soup]: _soup, ...files }) => files,
    /beautifulsoup4-4\.12-py3-none-any\.whl is missing/,
  ],
  ["an end too early", (files) => zipped(files).slice(0, -2000), /missing|damaged/],
])("a bundle with %s is refused, and nothing of it stays", async (_, change, expected) => {
  const changed = change(await bundle());
  const { status, body } = await upload(changed instanceof Uint8Array ? changed : zipped(changed));
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(expected)]);
  expect(await world.db.select().from(pluginPackages)).toEqual([]);
  expect((await world.db.select().from(packageDownloads)).filter(({ state }) => state !== "done")).toEqual([]);
  await sweepBlobs(world.services);
  expect(blobs.stored.size).toBe(0);
});

test("only managers upload bundles", async () => {
  expect((await upload(zipped(await bundle()), await world.person())).status).toBe(403);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type Person, type World } from "../world.ts";
import { startFakeRuntime, type FakeRuntime } from "./fake-runtime.ts";

let shed: FakeRuntime;
let attic: FakeRuntime;
let world: World;
let ada: Person;
beforeEach(async () => {
  shed = await startFakeRuntime(["shared:latest", "shed-only:latest"]);
  attic = await startFakeRuntime(["shared:latest", "attic-only:latest"]);
  world = await createWorld({ environment: { LOCALMODEL_BASE_URLS: `${shed.origin};${attic.origin}` } });
  ada = await world.person();
});
afterEach(async () => {
  await world.close();
  await Promise.all([shed, attic].map((runtime) => runtime.close()));
});

const asked = (runtime: FakeRuntime, path = "/api/generate") => runtime.seen.filter(({ url }) => url === path).length;
const ask = (model: string, path = "/localmodel/api/generate") =>
  world.call(path, { as: ada, json: { model, prompt: "Hi", stream: false } });
const names = async (path = "/localmodel/api/tags") =>
  (await world.call<{ models: { name: string }[] }>(path, { as: ada })).body.models.map(({ name }) => name);

describe("several runtimes", () => {
  test("are one list, each model once, and each is asked for what it has", async () => {
    expect(await names()).toEqual(["shared:latest", "shed-only:latest", "attic-only:latest"]);
    expect((await ask("attic-only")).status).toBe(200);
    expect([asked(shed), asked(attic)]).toEqual([0, 1]);
    expect((await ask("shed-only")).status).toBe(200);
    expect([asked(shed), asked(attic)]).toEqual([1, 1]);
  });

  test("have what is loaded in either, and the older version of both", async () => {
    shed.loaded.add("shared:latest");
    attic.loaded.add("attic-only:latest");
    expect(await names("/localmodel/api/ps")).toEqual(["shared:latest", "attic-only:latest"]);
    attic.intercept = ({ url }, response) => url === "/api/version" && !!response.end('{"version":"0.9.12"}');
    expect((await world.call("/localmodel/api/version", { as: ada })).body).toEqual({ version: "0.9.12" });
  });

  test.each([
    ["refuses connections", async () => shed.close()],
    ["has too much to do", async () => void (shed.intercept = (_, response) => !!response.writeHead(503).end("busy"))],
    [
      "breaks off before its first byte",
      async () => void (shed.intercept = ({ url }, response) => url === "/api/generate" && !!response.destroy()),
    ],
    ["has lost the model", async () => void (shed.models = [])],
  ])("stand in for one that %s", async (_, fail) => {
    expect((await ask("shared")).status).toBe(200);
    expect([asked(shed), asked(attic)]).toEqual([1, 0]);
    await fail();
    expect((await ask("shared")).status).toBe(200);
    expect(asked(attic)).toBe(1);
    if (shed.seen.length > 0 && _ === "refuses connections") shed = await startFakeRuntime();
  });

  test("are not asked again once one has begun to answer", async () => {
    let die!: (error: Error) => void;
    const death = new Promise<never>((_, reject) => (die = reject));
    death.catch(() => undefined);
    shed.hold = (line) => (line === 0 ? undefined : death);
    const response = await world.request("/localmodel/api/generate", {
      as: ada,
      json: { model: "shared", prompt: "Hi" },
    });
    for await (const _ of response.body!) die(new Error("the runtime dies"));
    expect([asked(shed), asked(attic)]).toEqual([1, 0]);
  });

  test("do not stand in for what changes something", async () => {
    shed.intercept = ({ url }, response) => url === "/api/pull" && !!response.writeHead(503).end("busy");
    const json = { model: "fresh", stream: false };
    const { status } = await world.call("/localmodel/api/pull", { as: await world.admin(), json });
    expect([status, asked(shed, "/api/pull"), asked(attic, "/api/pull")]).toEqual([503, 1, 0]);
  });

  test("one that is away is named, and nobody waits for it", async () => {
    await shed.close();
    const { status, headers, body } = await world.call<{ models: unknown[] }>("/localmodel/api/tags", { as: ada });
    expect([status, body.models.length]).toEqual([200, 2]);
    expect(headers.get("x-parley-unreachable")).toBe(new URL(shed.origin).host);
    shed = await startFakeRuntime();
  });

  test.each(["/localmodel/1/api/generate", "/ollama/api/generate/1", "/localmodel/env-local-1/api/generate"])(
    "one of them is meant by %s",
    async (path) => {
      expect((await ask("shared", path)).status).toBe(200);
      expect([asked(shed), asked(attic)]).toEqual([0, 1]);
      expect((await ask("shed-only", path)).status).toBe(404);
      expect((await ask("shared", path.replace("1", "7"))).status).toBe(404);
    },
  );

  test("lists are those of the one that is meant", async () => {
    expect(await names("/ollama/api/tags/1")).toEqual(["shared:latest", "attic-only:latest"]);
  });
});

describe("a prefix", () => {
  let far: FakeRuntime;
  beforeEach(async () => {
    far = await startFakeRuntime(["shared:latest", "far/one:8b"]);
    const json = { kind: "local", base_url: far.origin, prefix_id: "far", name: "Far" };
    await world.call("/api/v1/connections", { as: await world.admin(), json });
    await world.settled();
  });
  afterEach(() => far.close());

  test("is put before the names in lists, and taken off on the way to the runtime, and nothing else", async () => {
    expect(await names()).toEqual([
      "shared:latest",
      "shed-only:latest",
      "attic-only:latest",
      "far.shared:latest",
      "far.far/one:8b",
    ]);
    const body = '{"options":{"seed":12345678901234567890}, "prompt":"Hi","stream":false,\n"model" : "far.shared"}';
    const { status } = await world.call("/localmodel/api/generate", { as: ada, method: "POST", body });
    expect(status).toBe(200);
    expect(far.seen.at(-1)!.body.toString()).toBe(body.replace("far.shared", "shared"));
    expect((await world.call("/localmodel/v1/models/far.far%2Fone:8b", { as: ada })).body["id"]).toBe("far/one:8b");
  });

  test("says which runtime is to get, copy, make or delete a model", async () => {
    const admin = await world.admin();
    const call = (path: string, json: object, method = "POST") =>
      world.call(`/localmodel/api/${path}`, { as: admin, method, body: JSON.stringify(json) });
    expect((await call("pull", { model: "far.fresh", stream: false })).status).toBe(200);
    expect((await call("copy", { source: "far.fresh", destination: "far.twin" })).status).toBe(200);
    expect((await call("create", { model: "far.made", from: "far.twin", stream: false })).status).toBe(200);
    expect((await call("delete", { model: "far.fresh" }, "DELETE")).status).toBe(200);
    expect(far.models).toEqual(["shared:latest", "far/one:8b", "twin:latest", "made:latest"]);
    expect([shed.models.length, attic.models.length]).toEqual([2, 2]);
  });
});

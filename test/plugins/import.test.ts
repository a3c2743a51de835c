import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FoundPlugins, PluginUpdateFound } from "../../src/plugins/schema.ts";
import { readGithubFolder } from "../../src/plugins/transfer/github-folder.ts";
import { readImportFile } from "../../src/plugins/transfer/read-import-file.ts";
import { createWorld, type Person, type World } from "../world.ts";
import { createNodePluginHost } from "./node-plugin-host.ts";
import { adderTools, echoPipe, politeFilter } from "./sources.ts";

const weather = `/**
 * title: Weather
 * author: Ada
 * version: 1.0
 * license: MIT
 * needs: requests, none, pytz
 */
export class Tools { async now() { return (await fetch("https://api.weather.example/now")).text(); } }
`;

let world: World;
let admin: Person;
let ada: Person;
/** What the fakes of GitHub and of other sites serve, by address; the requests that came. */
const served = new Map<string, () => Response>();
const serve = (address: string, body: string, init?: ResponseInit) =>
  served.set(address, () => new Response(body, init));
const asked: string[] = [];

beforeAll(async () => {
  const guarded = (async (input: string, init?: RequestInit) => {
    asked.push(`${input} ${new Headers(init?.headers).get("user-agent")}`);
    return served.get(input)?.() ?? new Response("no", { status: 404 });
  }) as typeof fetch;
  const host = createNodePluginHost();
  // Only Python has requirements, and no Python runs in here.
  const describe: typeof host.describe = async (source, packages) => {
    const { info, ...rest } = await host.describe(source, packages);
    return {
      ...rest,
      info: info && { ...info, manifest: { ...info.manifest, requirements: info.manifest["needs"] ?? "" } },
    };
  };
  world = await createWorld({
    services: { outbound: { trusted: guarded, guarded }, plugins: { ...host, describe } },
  });
  admin = await world.admin();
  ada = await world.person();
  await call("/users/default/permissions", { workspace: { tools: true } });
});
afterAll(() => world.close());

const call = <T = Record<string, unknown>>(path: string, json?: unknown, as: Person = admin) =>
  world.call<T>(`/api/v1${path}`, { as, ...(json === undefined ? {} : { json }) });
const find = (json: unknown, as?: Person) => call<FoundPlugins>("/plugins/find", json, as);

describe("what could be imported", () => {
  test("a file says what it is before anything is stored", async () => {
    const { status, body } = await find({ files: [{ name: "weather.ts", content: weather }] });
    expect([status, body.failed]).toEqual([200, []]);
    expect(body.found).toMatchObject([
      {
        from: "weather.ts",
        origin: { kind: "file", from: "weather.ts" },
        ok: true,
        family: "tool",
        type: "tools",
        language: "javascript",
        id: "weather",
        name: "Weather",
        version: "1.0",
        author: "Ada",
        license: "MIT",
        requirements: ["requests", "pytz"],
        hosts: ["api.weather.example"],
        valves: null,
        existing: null,
      },
    ]);
    expect((await call("/tools/id/weather")).status).toBe(404);
  });

  test("several files at once, each for itself, with what is refused and why", async () => {
    const { body } = await find({
      files: [
        { name: "echo.ts", content: echoPipe.replaceAll("\n", "\r\n") },
        { name: "broken.ts", content: "export class Pipe { pipe( }" },
        { name: "empty.json", content: "[]" },
        {
          name: "list.json",
          content: JSON.stringify({ functions: [{ id: "Polite!", name: "P", content: politeFilter }] }),
        },
      ],
    });
    expect(body.found.map(({ from, ok, family, id, name }) => [from, ok, family, id, name])).toEqual([
      ["echo.ts", true, "function", "echo", "Echo"],
      ["broken.ts", false, null, "broken", "broken"],
      ["list.json", true, "function", "polite", "P"],
    ]);
    expect(body.found[1]!.problems).toMatchObject([{ severity: "error", line: 1 }]);
    expect(body.found[2]!.origin).toEqual({ kind: "file", from: "list.json", item: "Polite!" });
    expect(body.failed).toEqual([{ from: "empty.json", message: "This file has no plugins in it" }]);
  });

  test("an address, an export at an address, and a page that is none", async () => {
    serve("https://raw.githubusercontent.com/o/r/main/echo.ts", echoPipe);
    serve(
      "https://site.example/export",
      JSON.stringify([{ function: { id: "a", name: "A", content: echoPipe, valves: { x: 1 } } }]),
    );
    serve("https://site.example/page", "<!doctype html>");
    const blob = await find({ url: " https://github.com/o/r/blob/main/echo.ts " });
    expect(blob.body.found).toMatchObject([
      { ok: true, name: "Echo", origin: { kind: "address", from: "https://github.com/o/r/blob/main/echo.ts" } },
    ]);
    const exported = await find({ url: "https://site.example/export" });
    expect(exported.body.found).toMatchObject([{ id: "a", name: "A", valves: { x: 1 }, origin: { item: "a" } }]);
    expect(await find({ url: "https://site.example/page" })).toMatchObject({ status: 400 });
    expect(await find({ url: "ftp://site.example/page" })).toMatchObject({ status: 400 });
    const several = await find({ urls: ["https://site.example/none", "https://site.example/export"] });
    expect(several.body.found).toHaveLength(1);
    expect(several.body.failed).toEqual([
      { from: "https://site.example/none", message: "site.example answered 404: no file at this address" },
    ]);
  });

  test("a folder of GitHub is listed, and what was chosen of it is looked at", async () => {
    const tree = [
      "tools/weather.ts",
      "tools/tests/x.py",
      "tools/__init__.py",
      "tools/a b.py",
      "README.md",
      "setup.py",
      ".ci/x.py",
    ];
    served.set("https://api.github.com/repos/o/r/git/trees/v1?recursive=1", () =>
      Response.json({
        tree: [...tree.map((path) => ({ path, type: "blob", size: 9 })), { path: "tools", type: "tree" }],
      }),
    );
    const { body } = await find({ url: "https://github.com/o/r/tree/v1/tools" });
    expect(body).toEqual({
      found: [],
      files: [
        { path: "tools/weather.ts", url: "https://github.com/o/r/blob/v1/tools/weather.ts", size: 9 },
        { path: "tools/a b.py", url: "https://github.com/o/r/blob/v1/tools/a%20b.py", size: 9 },
      ],
      incomplete: false,
      failed: [],
    });
    expect(asked.at(-1)).toBe("https://api.github.com/repos/o/r/git/trees/v1?recursive=1 Parley");
    serve("https://raw.githubusercontent.com/o/r/v1/tools/weather.ts", weather);
    const chosen = await find({ urls: [body.files[0]!.url] });
    expect(chosen.body.found).toMatchObject([{ name: "Weather", ok: true }]);
  });

  test("what GitHub refuses is said in its words", async () => {
    const at = "https://api.github.com/repos/o/gone/git/trees/HEAD?recursive=1";
    expect(await find({ url: "https://github.com/o/gone" })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("GitHub has no such repository") },
    });
    serve(at, "", { status: 403, headers: { "x-ratelimit-remaining": "0" } });
    expect(await find({ url: "https://github.com/o/gone.git" })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("try again in an hour") },
    });
    serve(at, "[]");
    expect(await find({ url: "https://github.com/o/gone/" })).toMatchObject({
      status: 400,
      body: { detail: "GitHub's answer could not be read" },
    });
  });

  test("addresses are for administrators, and functions too", async () => {
    expect((await find({ url: "https://github.com/o/r" }, ada)).status).toBe(403);
    expect((await find({ urls: ["https://site.example/export"] }, ada)).status).toBe(403);
    const { body } = await find(
      {
        files: [
          { name: "echo.ts", content: echoPipe },
          { name: "weather.ts", content: weather },
        ],
      },
      ada,
    );
    expect(body.found.map(({ ok }) => ok)).toEqual([false, true]);
    expect(body.found[0]!.problems.at(-1)!.message).toBe("This is a function: only administrators can add it");
  });

  test("other people's plugins are taken ids, and nothing else is told of them", async () => {
    await call("/tools/create", { id: "weather", name: "Secret weather", content: weather });
    const files = [{ name: "weather.ts", content: weather }];
    expect((await find({ files }, ada)).body.found[0]!.existing).toEqual({ name: "", version: 1, mine: false });
    expect((await find({ files })).body.found[0]!.existing).toEqual({ name: "Secret weather", version: 1, mine: true });
  });

  test.each([{}, { urls: [] }, { files: [] }, { files: [{ name: "", content: "x" }] }, { url: 1 }, { urls: "x" }])(
    "refuses %j",
    async (json) => {
      expect((await find(json)).status).toBe(422);
    },
  );
});

test("addresses of GitHub's pages", () => {
  const read = (text: string) => readGithubFolder(new URL(text));
  expect(read("https://github.com/o/r")).toEqual({ owner: "o", repository: "r", ref: "HEAD", path: "" });
  expect(read("https://www.github.com/o/r/tree/main/a/b/")).toMatchObject({ ref: "main", path: "a/b" });
  for (const other of [
    "https://github.com/o",
    "https://github.com/o/r/blob/main/a.py",
    "https://gist.github.com/o/r",
    "https://x.example/o/r",
  ])
    expect(read(other)).toBeUndefined();
});

test("an export of any depth is bounded, and text that only looks like JSON is a source", () => {
  let deep: unknown = { id: "x", name: "X", content: "y" };
  for (let level = 0; level < 50; level++) deep = [deep];
  expect(readImportFile("x.json", JSON.stringify(deep))).toEqual([]);
  expect(readImportFile("x.ts", "[1, 2].map(String)")).toMatchObject([{ name: "x", content: "[1, 2].map(String)" }]);
});

describe("updates", () => {
  const address = "https://site.example/updated.ts";
  const check = (id: string, as?: Person) => call<PluginUpdateFound>(`/tools/id/${id}/check-update`, {}, as);

  test("are shown with what would be new, and taken as a version", async () => {
    const origin = { kind: "address", from: address };
    await call("/tools/create", { id: "updated", name: "Updated", content: weather, origin, hosts: ["old.example"] });
    serve(address, weather);
    expect((await check("updated")).body).toMatchObject({ changed: false, old_version: "1.0", new_hosts: [] });
    const next = weather
      .replace("version: 1.0", "version: 1.1")
      .replace("pytz", "pytz, numpy")
      .replace("now() {", 'now() { await fetch("https://old.example"); await fetch("https://spy.example");');
    serve(address, next);
    const { body } = await check("updated");
    expect(body).toMatchObject({
      from: address,
      changed: true,
      ok: true,
      content: next,
      old_version: "1.0",
      new_version: "1.1",
      new_requirements: ["numpy"],
      new_hosts: ["spy.example"],
    });
    const taken = await call("/tools/id/updated/update", { content: body.content, version: 1 });
    expect(taken.body).toMatchObject({ version: 2, hosts: ["old.example"] });
    expect((await check("updated")).body.changed).toBe(false);
  });

  test("need an address, a plugin that is still there, and an administrator", async () => {
    await call("/tools/create", { id: "typed", name: "Typed", content: adderTools });
    expect((await check("typed")).status).toBe(400);
    expect((await check("nothing")).status).toBe(404);
    expect((await check("updated", ada)).status).toBe(403);
    const origin = { kind: "address", from: "https://site.example/export", item: "gone" };
    await call("/tools/id/typed/update", { origin });
    expect(await check("typed")).toMatchObject({
      status: 400,
      body: { detail: "https://site.example/export has no Typed any more" },
    });
    const bad = await call("/tools/id/typed/update", { origin: { kind: "address", from: "file:///etc/passwd" } });
    expect(bad.status).toBe(422);
  });
});

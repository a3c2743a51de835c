import { readFileSync } from "node:fs";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import path from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/launch/project-root.ts";
import { ensurePythonAssets } from "../../../scripts/launch/python-assets.ts";
import { callCode } from "../call-source.ts";
import { type PythonHost, readFixture, startPythonHost } from "../python/python-host.ts";
import { smuggle } from "./smuggle.ts";

/** A variable of the machine that nobody else has. */
const canary = `canary-${crypto.randomUUID()}`;

let host: PythonHost;
beforeAll(async () => {
  process.env["PARLEY_TEST_CANARY"] = canary;
  host = await startPythonHost();
}, 120_000);
afterAll(async () => {
  delete process.env["PARLEY_TEST_CANARY"];
  await host.stop();
});

/** What names this machine: its folders, name and person, and a variable of its own. Short words say nothing. */
function namesOfMachine(): string[] {
  const names = [projectRoot, path.dirname(process.execPath), homedir(), userInfo().username, hostname(), canary];
  // Those that Pyodide was built with, or that every system has.
  const isCommon = (name: string) => /^(?:\/|\/root|\/tmp|root|localhost|C\.UTF-8|en_US\.UTF-8|UTC)$/.test(name);
  const needles = names.filter((name) => name.length >= 5 && !isCommon(name));
  return [...new Set([...needles, "PARLEY_", "node_modules", "plugin-host.capnp", `${tmpdir()}/parley`])];
}

function findNames(text: string): string[] {
  return namesOfMachine().filter((name) => text.includes(name));
}

describe("a Python plugin", { timeout: 60_000 }, () => {
  it("finds nothing around it that names the machine", async () => {
    const result = await host.call(readFixture("surroundings"), "look");
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const seen = result.value as Record<string, unknown>;
    // It has looked: there is much to see.
    expect(JSON.stringify(seen).length).toBeGreaterThan(50_000);
    expect(seen["argv"]).toContain("/bin/python");
    expect(seen["environment"]).toEqual({
      USER: "web_user",
      LOGNAME: "web_user",
      PATH: "/",
      PWD: "/",
      HOME: "/home/plugin",
      LANG: "en_US.UTF-8",
      _: "/bin/python",
      PYTHONINSPECT: "1",
      LD_LIBRARY_PATH: "/usr/lib:/lib/python3.14/site-packages",
    });
    for (const [what, found] of Object.entries(seen))
      expect([what, findNames(JSON.stringify(found))]).toEqual([what, []]);
    const paths = (seen["traces"] as string[]).join("\n").match(/File "[^"]+"/g) ?? [];
    expect(paths.filter((found) => !/^File "(?:plugin\.py|<|\/(?:lib|harness|home\/pyodide)\/)/.test(found))).toEqual(
      [],
    );
  });

  it("prints and throws without naming it", async () => {
    for (const method of ["say", "fail", "nowhere"]) {
      const told = JSON.stringify(await host.call(readFixture("surroundings"), method));
      expect([method, findNames(told)]).toEqual([method, []]);
    }
    for (const source of [
      "class Tools:\n    def a(self:\n",
      "import nowhere\nclass Tools:\n    def a(self): pass\n",
      "1/0",
    ])
      expect(findNames(JSON.stringify(await host.describe(source)))).toEqual([]);
  });

  it("has nothing of it in the memory that it begins with", async () => {
    const snapshot = gunzipSync(readFileSync(path.join(await ensurePythonAssets(), "snapshot.gz"))).toString("latin1");
    expect(snapshot).toContain("/bin/python");
    expect(findNames(snapshot)).toEqual([]);
    // Characters beyond Latin-1 make four bytes of each letter.
    expect(findNames(snapshot.replaceAll("\0", ""))).toEqual([]);
  });
});

describe("a JavaScript plugin", () => {
  const look = `
    const seen = [];
    const tell = (look) => {
      try { seen.push(String(look())); }
      catch (error) { seen.push(String(error.stack ?? error)); }
    };
    const deep = (depth) => { if (depth === 0) throw new Error("deep"); deep(depth - 1); };
    tell(() => deep(5));
    tell(() => new Error("here").stack);
    tell(() => null.nothing);
    tell(() => JSON.parse("{"));
    tell(() => new URL("nowhere"));
    tell(() => new Function("return 1"));
    tell(() => crypto.getRandomValues(1));
    tell(() => structuredClone(() => 1));
    tell(() => import.meta.url);
    tell(() => JSON.stringify(import.meta));
    tell(() => { const found = {}; Error.captureStackTrace(found); return found.stack; });
    tell(() => {
      const before = Error.prepareStackTrace;
      Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getFileName(), site.getScriptNameOrSourceURL?.(), site.getFunctionName(), site.getEvalOrigin(), String(site)].join(" ")).join("\\n");
      try { return new Error("x").stack; } finally { Error.prepareStackTrace = before; }
    });
    tell(() => Object.getOwnPropertyNames(globalThis).join(" "));
    tell(() => typeof process === "undefined" ? "no process" : JSON.stringify([process.env, process.argv, process.cwd?.()]));
    tell(() => navigator.userAgent);
    tell(() => Deno.cwd());
    tell(() => require("node:os"));
    tell(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
    for (const name of ["node:fs", "node:process", "node:os", "./nowhere.js", "file:///nowhere", "./main.js", "./runner.js", "./input.json"])
      await import(name).then((module) => seen.push(JSON.stringify(module, (_, value) => typeof value === "function" ? String(value) : value)), (error) => seen.push(String(error.stack)));
    await fetch("http://nowhere.example/").catch((error) => seen.push(String(error.stack)));
    await Promise.reject(new Error("late")).catch((error) => seen.push(String(error.stack)));
    console.log(new Error("logged"));
    return seen;
  `;

  it("finds nothing around it that names the machine, and prints and throws nothing either", async () => {
    const { host: started } = host.started;
    const source = (body: string) => `export class Tools { async go() { ${body} } }`;
    const result = await callCode(started, await smuggle(started, source(look)), "go");
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const seen = result.value as string[];
    expect(seen.length).toBeGreaterThan(25);
    expect(seen[0]).toContain("plugin.js");
    expect(findNames(JSON.stringify(result))).toEqual([]);
    const thrown = await callCode(started, await smuggle(started, source(`throw new Error("away")`)), "go");
    expect(findNames(JSON.stringify(thrown))).toEqual([]);
    for (const broken of ["export class Tools {", "throw new Error('x')", "import x from './nowhere.js'"])
      expect(findNames(JSON.stringify(await started.describe(broken, [])))).toEqual([]);
  });
});

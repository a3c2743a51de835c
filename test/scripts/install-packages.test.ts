import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectRoot } from "../../scripts/launch/project-root.ts";

/** A project with nothing but the script that installs packages. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-install-"));
  mkdirSync(path.join(folder, "scripts"));
  copyFileSync(path.join(projectRoot, "scripts/with-node.sh"), path.join(folder, "scripts/with-node.sh"));
  write("scripts/hello.ts", 'console.log("hello");');
  write("scripts/fix-lock.ts", 'console.log("mended");');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  writeFileSync(path.join(folder, file), text);
}

function writePackages(wanted: Record<string, string>, locked: Record<string, string>): void {
  const project = { name: "harbour", version: "1.0.0" };
  write("package.json", JSON.stringify({ ...project, dependencies: wanted }));
  const packages = { "": { ...project, dependencies: locked } };
  write("package-lock.json", JSON.stringify({ ...project, lockfileVersion: 3, requires: true, packages }));
}

/** Stands for npm: writes down what it was asked for, and fails. */
function fakeNpm(said: string): string {
  const bin = path.join(folder, "bin");
  mkdirSync(bin);
  write("bin/npm", `#!/bin/sh\necho "$*" >> "${folder}/asked"\necho "${said}" >&2\nexit 1\n`);
  chmodSync(path.join(bin, "npm"), 0o755);
  return `${bin}:${process.env["PATH"]}`;
}

function run(script = "scripts/hello.ts", searched = process.env["PATH"]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: searched, NODE_COMPILE_CACHE: path.join(folder, "cache") };
    execFile("sh", ["scripts/with-node.sh", script], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
    );
  });
}

test("a lock file that does not fit is a clear error, and nothing is installed", { timeout: 30_000 }, async () => {
  writePackages({ left: "file:left" }, {});
  const { code, said } = await run();
  expect([code, said]).toEqual([78, expect.stringContaining("package-lock.json does not fit package.json") as string]);
  expect(said).toContain("Missing: left");
  expect(said).toContain("npm run lock:fix");
  expect(said).not.toContain("hello");
  expect(existsSync(path.join(folder, "node_modules"))).toBe(false);
});

test("npm is asked for what the lock file says and for nothing else", async () => {
  writePackages({}, {});
  const { code, said } = await run("scripts/hello.ts", fakeNpm("network is down"));
  expect([code, said]).toEqual([70, expect.stringContaining("could not be installed (network is down)") as string]);
  expect(said).toContain("The whole output is in .build/install.log.");
  expect(readFileSync(path.join(folder, "asked"), "utf8")).toMatch(
    /^ping [^\n]*\nci --loglevel=error --fetch-[^\n]*\n$/,
  );
});

test("without a network npm is asked for what it has kept, and not for minutes", async () => {
  writePackages({}, {});
  const { code } = await run("scripts/hello.ts", fakeNpm("npm error code EAI_AGAIN"));
  expect(code).toBe(69);
  expect(readFileSync(path.join(folder, "asked"), "utf8")).toMatch(/^ping .*--fetch-timeout=10000\nci .* --offline\n/);
});

test("a lock that nobody signed is not waited for for ever", async () => {
  writePackages({}, {});
  mkdirSync(path.join(folder, ".build/installing"), { recursive: true });
  const { code, said } = await run();
  expect([code, said]).toEqual([73, expect.stringContaining(".build cannot be written") as string]);
});

test("the lock file is mended without being installed first", async () => {
  writePackages({ left: "file:left" }, {});
  expect(await run("scripts/fix-lock.ts", fakeNpm("not asked"))).toEqual({ code: 0, said: "mended\n" });
  expect(existsSync(path.join(folder, "asked"))).toBe(false);
});

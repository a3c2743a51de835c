import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDisk } from "../../scripts/launch/figures/read-disk.ts";
import { readProcesses } from "../../scripts/launch/figures/read-processes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-figures-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};

test("the database is as large as all of its files", async () => {
  write("db/data", "x".repeat(1000));
  write("db/dbs/default/data", "x".repeat(234));
  const database = path.join(folder, "db");
  const disk = await readDisk({
    dir: folder,
    database,
    state: "",
    databaseKeyFile: "",
    newKeysFile: "",
    childrenFile: "",
  });
  expect(disk.databaseBytes).toBe(1234);
  expect(disk.freeBytes).toBeGreaterThan(0);
  expect(disk.sizeBytes).toBeGreaterThanOrEqual(disk.freeBytes);
});

test("processes are counted while they run", async () => {
  const ended = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  const [service, plugins] = await readProcesses([
    { part: "service", pids: [process.pid], restarts: 2, silences: 1 },
    { part: "plugins", pids: [process.pid, ended, undefined], restarts: null, silences: null },
  ]);
  expect(service).toMatchObject({ part: "service", count: 1, restarts: 2 });
  expect(service!.memoryBytes).toBeGreaterThan(1e6);
  expect(plugins).toMatchObject({ part: "plugins", count: 1, cpuSeconds: null, restarts: null });
});

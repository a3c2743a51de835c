import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DiskUse } from "../../scripts/launch/disk/disk-use.ts";
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

test("every part of the data folder is counted", async () => {
  write("db/dbs/default/data", "x".repeat(234));
  write("db/dbs/default/data-wal", "x".repeat(100));
  write("db/dbs/default/wallog", "x".repeat(50));
  write("state/r2/parley/blobs/one", "x".repeat(20));
  write("state/do/one.sqlite", "x".repeat(3));
  write("backups/one", "x".repeat(7));
  const use = new DiskUse(
    {
      dir: folder,
      database: path.join(folder, "db"),
      state: path.join(folder, "state"),
      databaseKeyFile: "",
      newKeysFile: "",
      childrenFile: "",
    },
    path.join(folder, "backups"),
  );
  const disk = await use.read();
  expect(disk.parts).toEqual({ database: 334, log: 50, objects: 20, sessions: 3, backups: 7 });
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

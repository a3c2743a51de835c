import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readCommit } from "../../scripts/launch/figures/read-commit.ts";
import { readDisk } from "../../scripts/launch/figures/read-disk.ts";
import { readProcesses } from "../../scripts/launch/figures/read-processes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-figures-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commit = "0123456789abcdef0123456789abcdef01234567";
const other = "89abcdef0123456789abcdef0123456789abcdef";
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};

describe("the commit of a checkout", () => {
  test("is that of its branch, loose or packed", () => {
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(".git/packed-refs", `# pack-refs with: peeled\n${other} refs/heads/not-main\n${commit} refs/heads/main\n`);
    expect(readCommit(folder)).toBe(commit);
    write(".git/refs/heads/main", `${other}\n`);
    expect(readCommit(folder)).toBe(other);
  });

  test("is its own where it is on no branch", () => {
    write(".git/HEAD", `${commit}\n`);
    expect(readCommit(folder)).toBe(commit);
  });

  test("is found from a second work tree", () => {
    write("main/.git/worktrees/second/HEAD", "ref: refs/heads/second\n");
    write("main/.git/worktrees/second/commondir", "../..\n");
    write("main/.git/refs/heads/second", `${commit}\n`);
    write("second/.git", `gitdir: ${folder}/main/.git/worktrees/second\n`);
    expect(readCommit(path.join(folder, "second"))).toBe(commit);
  });

  test("is null where there is none, or nothing that is one", () => {
    expect(readCommit(folder)).toBeNull();
    write(".git/HEAD", "ref: refs/heads/main\n");
    expect(readCommit(folder)).toBeNull();
    write(".git/refs/heads/main", "<script>\n");
    expect(readCommit(folder)).toBeNull();
  });
});

test("the database is as large as all of its files", async () => {
  write("db/data", "x".repeat(1000));
  write("db/dbs/default/data", "x".repeat(234));
  const database = path.join(folder, "db");
  const disk = await readDisk({ dir: folder, database, state: "", databaseKeyFile: "", childrenFile: "" });
  expect(disk.databaseBytes).toBe(1234);
  expect(disk.freeBytes).toBeGreaterThan(0);
  expect(disk.sizeBytes).toBeGreaterThanOrEqual(disk.freeBytes);
});

test("processes are counted while they run", async () => {
  const ended = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  const [service, plugins] = await readProcesses([
    { part: "service", pids: [process.pid], restarts: 2 },
    { part: "plugins", pids: [process.pid, ended, undefined], restarts: null },
  ]);
  expect(service).toMatchObject({ part: "service", count: 1, restarts: 2 });
  expect(service!.memoryBytes).toBeGreaterThan(1e6);
  expect(plugins).toMatchObject({ part: "plugins", count: 1, cpuSeconds: null, restarts: null });
});

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { removeLeftFolders } from "../../scripts/launch/scratch-folder.ts";

let parent: string;
beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), "parley-scratch-test-"))));
afterEach(() => rmSync(parent, { recursive: true }));

function make(name: string): string {
  const folder = path.join(parent, name);
  mkdirSync(folder);
  return folder;
}

/** A socket whose process was killed. */
function leaveSocket(file: string): void {
  const script = `require("net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, "SIGKILL"))`;
  try {
    execFileSync(process.execPath, ["-e", script], { stdio: "ignore" });
  } catch {
    // By its own hand.
  }
  expect(existsSync(file)).toBe(true);
}

test("what a killed start left behind is removed, and nothing that is in use or somebody else's", async () => {
  const left = make("parley-aaaaaa");
  leaveSocket(path.join(left, "alive.sock"));
  mkdirSync(path.join(left, "state"));
  const leftByOlder = make("parley-bbbbbb");
  leaveSocket(path.join(leftByOlder, "loopback.sock"));
  const used = make("parley-cccccc");
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path.join(used, "alive.sock"), resolve));
  const foreign = make("parley-backup");
  writeFileSync(path.join(foreign, "alive.sock"), "a file");
  const named = make("parley-data-of-mine");
  leaveSocket(path.join(named, "alive.sock"));

  await removeLeftFolders([parent, path.join(parent, "nowhere")]);
  expect([left, leftByOlder, used, foreign, named].map((folder) => existsSync(folder))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test("one of a stopped process stays", async () => {
  const stopped = make("parley-dddddd");
  const socket = path.join(stopped, "alive.sock");
  const script = `require("net").createServer().listen(${JSON.stringify(socket)}, () => console.log("here"))`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGSTOP");
  await removeLeftFolders([parent]);
  expect(existsSync(stopped)).toBe(true);
});

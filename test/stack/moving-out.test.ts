import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ada as root, callApi, signUpByApi } from "../browser/accounts.ts";
import { makeOpenWebuiData, passwordOf } from "../fixtures/open-webui/make-data.ts";
import { type Parley, startParley } from "./start-parley.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const env = { ENABLE_API_KEYS: "true", USER_PERMISSIONS_FEATURES_API_KEYS: "true" };
let source: Parley;
let target: Parley;
let sourceToken: string;
let targetToken: string;
let work: string;
const at = (name: string) => path.join(work, name);

interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command as a person does. @param killAt kill -9 when it has printed so many lines */
async function run(script: string, words: readonly string[], token: string, killAt = Infinity): Promise<Ended> {
  const command = [`--disable-warning=ExperimentalWarning`, `scripts/${script}.ts`, ...words];
  const child = spawn("sh", ["scripts/with-node.sh", ...command], {
    cwd: projectRoot,
    env: { ...process.env, PARLEY_KEY: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const errors = text(child.stderr);
  let output = "";
  let lines = 0;
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`;
    lines += 1;
    if (lines >= killAt) child.kill("SIGKILL");
  }
  return { code: await ended, output: output + (await errors) };
}

const exportTo = (folder: string, of: Parley, token: string, killAt?: number, ...words: string[]) =>
  run("export", [folder, "--url", of.url, "--with-secrets", ...words], token, killAt);
const importFrom = (folder: string, killAt?: number, ...words: string[]) =>
  run(
    "import",
    ["parley", folder, "--url", target.url, "--with-config", "--report", at("report.md"), ...words],
    targetToken,
    killAt,
  );

type Line = Record<string, unknown> & { id: string };

function linesOf(folder: string, file: string): Line[] {
  return readFileSync(path.join(folder, file), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const comparable = (line: Line) => (line["is_default"] === true ? { ...line, created_at: 0, updated_at: 0 } : line);

beforeAll(async () => {
  work = mkdtempSync(path.join(tmpdir(), "moving-out-"));
  // The first one builds.
  source = await startParley({ env });
  target = await startParley({ env });
  sourceToken = (await signUpByApi(source.url, root)).token;
  targetToken = (await signUpByApi(target.url, { ...root, email: "root@empty.example" })).token;
  const data = makeOpenWebuiData();
  const arrived = await run(
    "import",
    ["open-webui", data, "--url", source.url, "--report", at("first.md")],
    sourceToken,
  );
  rmSync(data, { recursive: true, force: true });
  if (arrived.code !== 0) throw new Error(arrived.output);
}, 240_000);
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
  rmSync(work, { recursive: true, force: true });
});

describe("everything of a Parley", () => {
  test("is exported by a command that is killed again and again, as by one that is not", async () => {
    for (const killAt of [1, 2, 3, 5, 8, 13, 21]) {
      const { code } = await exportTo(at("killed"), source, sourceToken, killAt);
      if (code === 0) break;
      const unfinished = await importFrom(at("killed"));
      expect(unfinished.code).toBe(65);
    }
    const last = await exportTo(at("killed"), source, sourceToken);
    expect([last.code, last.output]).toEqual([0, expect.stringContaining("Exported to")]);
    const whole = await exportTo(at("whole"), source, sourceToken);
    expect(whole.code).toBe(0);
    const names = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();
    expect(names(at("killed"))).toEqual(names(at("whole")));
    for (const name of names(at("whole")).filter((each) => each !== "manifest.json")) {
      if (statSync(at(`whole/${name}`)).isDirectory()) continue;
      expect([name, readFileSync(at(`killed/${name}`)).equals(readFileSync(at(`whole/${name}`)))]).toEqual([
        name,
        true,
      ]);
    }
  }, 180_000);

  test("is private, and written into no folder that has something else", async () => {
    expect(statSync(at("whole/person.jsonl")).mode & 0o077).toBe(0);
    writeFileSync(at("whole-again.txt"), "");
    for (const [folder, reason] of [
      ["whole", "already has a complete export"],
      [".", "has no export"],
      ["whole-again.txt", "is not a folder"],
    ] as const) {
      const { code, output } = await exportTo(at(folder), source, sourceToken);
      expect([code, output]).toEqual([73, expect.stringContaining(reason)]);
    }
    expect(linesOf(at("whole"), "person.jsonl").length).toBeGreaterThan(3);
  });

  test("is imported by a command that is killed again and again, and exported again it is the same", async () => {
    const dry = await importFrom(at("whole"), undefined, "--dry-run");
    expect([dry.code, dry.output]).toEqual([0, expect.stringContaining("What would arrive")]);
    for (const killAt of [1, 2, 4, 7, 11]) await importFrom(at("whole"), killAt);
    const last = await importFrom(at("whole"));
    expect([last.code, last.output]).toEqual([0, expect.stringContaining("What has arrived")]);
    expect((await exportTo(at("again"), target, targetToken)).code).toBe(0);
    const own = (await callApi<{ id: string }>(target.url, targetToken, "GET", "/api/v1/auths/")).id;
    for (const file of readdirSync(at("whole")).filter((name) => name.endsWith(".jsonl"))) {
      // The one who imports was there before, and the default organization has its own times.
      const there = linesOf(at("again"), file).filter(({ id }) => id !== own);
      expect([file, there.map(comparable)]).toEqual([file, linesOf(at("whole"), file).map(comparable)]);
    }
    for (const name of readdirSync(at("whole/files")))
      expect(readFileSync(at(`again/files/${name}`)).equals(readFileSync(at(`whole/files/${name}`)))).toBe(true);
  }, 240_000);

  test("works there: people sign in with their passwords and find their chats", async () => {
    const { token } = await callApi<{ token: string }>(target.url, "", "POST", "/api/v1/auths/signin", {
      email: "bob@example.com",
      password: passwordOf("bob"),
    });
    const chats = await callApi<unknown[]>(target.url, token, "GET", "/api/v1/chats/all");
    expect(chats.length).toBeGreaterThan(0);
    const again = await callApi<{ token: string }>(target.url, "", "POST", "/api/v1/auths/signin", {
      email: root.email,
      password: root.password,
    });
    expect(again.token).toBeTruthy();
  });
});

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Attempt, type Case, countMigrations, folder, root } from "./start-messages/arrange.ts";
import { cases } from "./start-messages/cases.ts";
import { startParley } from "./start-parley.ts";

/*
 * Walks the table of docs/start-messages.md: brings about each message with the real launcher, and looks at the words, at the exit code,
 * and at what the start has left behind.
 */

/** Of what is started here, so that what stays there is seen. */
const scratch = path.join(folder, "tmp");
/** A data folder that was used. */
const used = path.join(folder, "used");

interface Row {
  message: string;
  codes: number[];
}

function readRows(): Row[] {
  const text = readFileSync(path.join(root, "docs/start-messages.md"), "utf8");
  const section = text.slice(text.indexOf("## What the start may say")).split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `(.+?)` \|.*\| ([\d, ]+) \|$/gm)].map(([, message = "", codes = ""]) => ({
    message,
    codes: codes.split(",").map(Number),
  }));
}
const rows = readRows();

const pattern = (message: string) =>
  new RegExp(
    `^${message
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(".*")}$`,
  );

/** For what hangs. */
const limitMs = 60_000;

interface Ended {
  code: number | null;
  said: string;
  errors: string;
}

function run(attempt: Attempt): Promise<Ended> {
  const [program = "", ...args] = [...attempt.command, ...attempt.args];
  const child = spawn(program, args, {
    cwd: attempt.cwd,
    env: {
      ...process.env,
      PARLEY_STOP_WITH_PARENT: "1",
      PORT: "0",
      TMPDIR: scratch,
      ...attempt.env,
      DATA: attempt.data,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    // Then the test fails by its exit code.
    if (said.includes("Parley is ready")) child.kill("SIGTERM");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, said, errors: errors.replaceAll(/^\d{4}-\S+Z \w+ +launcher /gm, "") });
    });
  });
}

let count = 0;
async function attemptOf(each: Case): Promise<Attempt> {
  const data = path.join(folder, `data-${(count += 1)}`);
  if (each.used) cpSync(used, data, { recursive: true });
  else mkdirSync(data);
  const attempt: Attempt = { data, env: {}, command: ["sh", "scripts/start.sh"], args: [], cwd: root };
  await each.arrange(attempt);
  return attempt;
}

/** What the programs say before they are asked for anything, and what is no error. */
const noErrors = /^(?:Installing packages|\(node:\d+\)|\(Use `node)/;

beforeAll(async () => {
  mkdirSync(scratch);
  const parley = await startParley({ dataDir: used });
  await parley.stop();
});
beforeEach(() => {
  for (const name of readdirSync(scratch)) rmSync(path.join(scratch, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("every message of the table has a case that ends with its exit codes, and the other way round", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(Object.keys(cases).toSorted()).toEqual(rows.map(({ message }) => message).toSorted());
  for (const { message, codes } of rows)
    expect([message, [...new Set(cases[message]?.map(({ code }) => code))]]).toEqual([message, codes]);
});

describe.each(rows)("$message", ({ message }) => {
  const all = (cases[message] ?? []).map((each, index) => ({ ...each, index: index + 1 }));
  test.for(all)("case $index ends with $code", async (each, { skip }) => {
    if (each.isPossible === false) skip();
    const attempt = await attemptOf(each);
    const migrations = countMigrations(attempt.data);
    const { code, said, errors } = await run(attempt);
    const lines = errors.split("\n").filter((line) => line !== "" && !noErrors.test(line));
    expect({ code, lines }).toEqual({ code: each.code, lines: expect.any(Array) as unknown });
    const expected = each.also ?? [pattern(message)];
    // One line for each fault and nothing else.
    expect(lines).toHaveLength(Math.max(expected.length, 1));
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.some((line) => pattern(message).test(line))).toBe(true);
    expect(said).not.toContain("migrated");
    expect(countMigrations(attempt.data)).toBe(migrations);
    // The guard removes it when the launcher has ended.
    const left = () => readdirSync(scratch).filter((name) => name.startsWith("parley-"));
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 40_000, interval: 50 });
  });
});

test("lost keys are replaced when that is asked for, and then for good", async () => {
  const data = path.join(folder, "lost");
  cpSync(used, data, { recursive: true });
  rmSync(path.join(data, "secrets.json"));
  const attempt: Attempt = { data, env: {}, command: ["sh", "scripts/start.sh"], args: ["--new-keys"], cwd: root };
  // Given up before the database knows them: the next start must not be caught between old and new keys.
  const failed = await run({ ...attempt, env: { ENABLE_SIGNUP: "perhaps" } });
  expect(failed.code).toBe(78);
  const first = await run({ ...attempt, args: existsSync(path.join(data, "secrets.json")) ? [] : ["--new-keys"] });
  expect(first).toMatchObject({ code: 0, errors: expect.not.stringContaining("SECRET") as unknown });
  expect(first.said).toContain("Parley is ready");
  expect((await run({ ...attempt, args: [] })).said).toContain("Parley is ready");
  // Nothing of them is left, of the tools that they use neither.
  await vi.waitFor(() => expect(readdirSync(scratch)).toEqual([]), { timeout: 20_000 });
});

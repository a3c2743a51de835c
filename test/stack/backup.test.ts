import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readArchive } from "../../scripts/backup/read-archive.ts";
import { makeDataFolder } from "../scripts/backup/data-folder.ts";
import { hasNamespaces } from "./start-messages/arrange.ts";
import { type Parley, startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
const password = "correct horse battery staple";
const folder = mkdtempSync(path.join(tmpdir(), "parley-backups-"));

const settings = { ENABLE_API_KEYS: "true" };
let parley: Parley;
let token: string;
let key: string;

beforeAll(async () => {
  parley = await startParley({ env: settings });
  const person = { name: "Ada", email: "ada@harbour.example", password };
  ({ token } = await ask<{ token: string }>(parley, "POST", "/api/v1/auths/signup", person));
  ({ api_key: key } = await ask<{ api_key: string }>(parley, "POST", "/api/v1/auths/api_key", { name: "bot" }));
});
afterAll(async () => {
  await parley.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function ask<T>(where: Parley, method: string, route: string, json?: object | FormData, as = token): Promise<T> {
  const isForm = json instanceof FormData;
  const response = await fetch(`${where.url}${route}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(isForm || json === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(json === undefined ? {} : { body: isForm ? json : JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Runs one of the commands of this page, as `npm run` does. */
async function run(script: string, dataDir: string, args: string[], env: Record<string, string> = {}) {
  const command = ["--disable-warning=ExperimentalWarning", `scripts/${script}.ts`, ...args];
  const options = { cwd: root, env: { ...process.env, PARLEY_STOP_WITH_PARENT: "1", ...env, DATA: dataDir } };
  return promisify(execFile)(process.execPath, command, options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

function upload(name: string, text: string) {
  const form = new FormData();
  form.append("file", new Blob([text], { type: "text/plain" }), name);
  return ask<{ id: string }>(parley, "POST", "/api/v1/files/", form);
}

const untilRead = (id: string) =>
  vi.waitFor(
    async () =>
      expect(await ask(parley, "GET", `/api/v1/files/${id}/process/status`)).toMatchObject({ status: "completed" }),
    { timeout: 60_000, interval: 200 },
  );

test("a backup under writes has everything that was acknowledged before, and works elsewhere", async () => {
  const file = await upload("harbour.txt", "The lighthouse of the harbour is painted green.");
  await untilRead(file.id);
  const base = await ask<{ id: string }>(parley, "POST", "/api/v1/knowledge/create", {
    name: "Harbour",
    description: "",
  });
  await ask(parley, "POST", `/api/v1/knowledge/${base.id}/file/add`, { file_id: file.id });
  await ask(parley, "PUT", "/api/v1/webhooks/service", { url: "https://hooks.harbour.example/in" });
  const acknowledged: { id: string; at: number }[] = [];
  const writing = new AbortController();
  const writers = Array.from({ length: 6 }, async () => {
    while (!writing.signal.aborted) {
      const { id } = await ask<{ id: string }>(parley, "POST", "/api/v1/chats/new", { chat: { title: "A chat" } });
      acknowledged.push({ id, at: Date.now() });
    }
  });
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), { timeout: 20_000 });
  const target = path.join(folder, "under-writes.tar.zst");
  const made = await run("backup", parley.dataDir, [target]);
  writing.abort();
  await Promise.all(writers);
  expect(made).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Backed up .* to .* \([\d.]+ MB, [\d.]+ s\)\.\n$/) as string,
  });

  const dataDir = path.join(folder, "elsewhere");
  expect((await run("restore", dataDir, [target])).code).toBe(0);
  const moment = Date.parse((await readArchive(target, undefined)).moment);
  const restored = new Set(idsOf(dataDir, "chats"));
  const before = acknowledged.filter(({ at }) => at <= moment);
  expect(before.length).toBeGreaterThan(20);
  expect(before.filter(({ id }) => !restored.has(id))).toEqual([]);

  const other = await startParley({ dataDir, env: settings });
  onTestFinished(() => other.stop());
  for (const credential of [token, key])
    expect(await ask(other, "GET", `/api/v1/chats/${before[0]!.id}`, undefined, credential)).toMatchObject({
      id: before[0]!.id,
    });
  expect(await ask(other, "GET", "/api/v1/webhooks/service")).toMatchObject({
    url: "https://hooks.harbour.example/in",
  });
  const content = await fetch(`${other.url}/api/v1/files/${file.id}/content`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await content.text()).toContain("painted green");
  const found = await ask(other, "POST", "/api/v1/retrieval/query/collection", {
    collection_names: [base.id],
    query: "lighthouse",
  });
  expect(JSON.stringify(found)).toContain("painted green");
  // The same in a folder that is used already.
  expect(await run("restore", dataDir, [target])).toMatchObject({ code: 73 });
}, 120_000);

test("a backup is verified by a copy that runs, and leaves nothing behind", async () => {
  const target = path.join(folder, "verified.tar.zst");
  expect((await run("backup", parley.dataDir, [target])).code).toBe(0);
  const place = path.join(folder, "verify");
  mkdirSync(place);
  const good = await run("verify-backup", place, [target, "--in", place]);
  expect(good.said).toMatch(/level 1: ok[^]*level 2: ok[^]*level 3: ok[^]*is good\./);
  expect(good.code).toBe(0);
  expect(readdirSync(place)).toEqual([]);
  expect((await run("verify-backup", place, [])).code).toBe(64);
}, 120_000);

test("an administrator makes a backup, and sees when and where", async () => {
  interface Report {
    disk: { parts: Record<string, number>; free_bytes: number };
    backups: { last: { where: string; bytes: number } | null; failed: unknown };
  }
  await ask(parley, "POST", "/api/v1/machine/backups");
  const report = await vi.waitFor(
    async () => {
      const found = await ask<Report>(parley, "GET", "/api/v1/machine");
      expect(found.backups.last).not.toBeNull();
      return found;
    },
    { timeout: 30_000, interval: 100 },
  );
  const { where, bytes } = report.backups.last!;
  expect(statSync(where).size).toBe(bytes);
  expect(path.dirname(where)).toBe(path.join(parley.dataDir, "backups"));
  expect(report.disk.parts["database"]).toBeGreaterThan(100_000);
}, 240_000);

test("what is deleted gives its room back", async () => {
  const room = async () => {
    const { disk } = await ask<{ disk: { parts: Record<string, number> } }>(parley, "GET", "/api/v1/machine");
    const { database = 0, log = 0, objects = 0 } = disk.parts;
    return database + log + objects;
  };
  const compact = () => ask(parley, "POST", "/api/v1/machine/compactions");
  await compact();
  const before = await room();
  const word = () => Math.random().toString(36).slice(2, 8);
  const lines = Array.from({ length: 2000 }, () => Array.from({ length: 20 }, word).join(" "));
  const text = Array.from({ length: 70 }, (_each, index) => `${index}\n${lines.join("\n")}`).join("\n");
  const { id } = await upload("large.txt", text);
  await untilRead(id);
  await compact();
  expect(await room()).toBeGreaterThan(before + 2 * text.length);
  await ask(parley, "DELETE", `/api/v1/files/${id}`);
  // Timers take the file's objects and passages away.
  await vi.waitFor(
    async () => {
      await compact();
      expect(await room()).toBeLessThan(before * 1.2 + 2_000_000);
    },
    { timeout: 180_000, interval: 2000 },
  );
}, 300_000);

test("uploads need room on the disk", async () => {
  const set = (value: number | null) => ask(parley, "POST", "/api/v1/auths/admin/config", { MIN_FREE_DISK: value });
  await set(1_000_000_000);
  onTestFinished(() => void set(null));
  await expect(upload("small.txt", "Some words.")).rejects.toThrow(/507.*disk_full/);
  expect(await ask(parley, "GET", "/ready")).toEqual({ status: true, warnings: ["disk_low"] });
  await set(null);
  expect(await ask(parley, "GET", "/ready")).toEqual({ status: true });
});

test("a backup that is killed leaves no file under its name, and what it leaves goes with the next one", async () => {
  const dataDir = makeDataFolder(60_000_000);
  const place = path.join(folder, "killed");
  const target = path.join(place, "one.tar.zst");
  const child: ChildProcess = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/backup.ts", target],
    { cwd: root, env: { ...process.env, DATA: dataDir }, stdio: "ignore" },
  );
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const listed = () => readdirSync(place);
  await vi.waitFor(() => expect(statSync(path.join(place, listed()[0]!)).size).toBeGreaterThan(1_000_000), {
    timeout: 20_000,
    interval: 2,
  });
  child.kill("SIGKILL");
  await gone;
  expect(listed()).toEqual([expect.stringMatching(/^\.one\.tar\.zst\.part-\d+$/)]);
  expect((await run("backup", dataDir, [target])).code).toBe(0);
  expect(listed()).toEqual(["one.tar.zst"]);
  expect(readdirSync(dataDir).toSorted()).toEqual(["db", "secrets.json", "state"]);
}, 240_000);

test.runIf(hasNamespaces)("a full disk ends a backup in words, without a file", async () => {
  const dataDir = makeDataFolder(5_000_000);
  const place = path.join(folder, "full");
  mkdirSync(place);
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && "$@"; code=$?; ls -A "$0"; exit $code`;
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", "scripts/backup.ts", `${place}/one`];
  const failure = await promisify(execFile)(
    "unshare",
    ["--user", "--map-root-user", "--mount", "sh", "-c", script, place, ...command],
    { cwd: root, env: { ...process.env, DATA: dataDir } },
  ).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 74, stdout: "", stderr: expect.stringMatching(/The disk is full/) as string });
});

test("a bucket takes a backup in parts, and only those of the schedule that stay", async () => {
  const dataDir = makeDataFolder(70_000_000);
  const stored = new Map<string, Buffer>([["parley/parley-2020-01-01T00-00-00Z.tar.zst", Buffer.from("old")]]);
  const parts = new Map<string, Buffer>();
  const bucket = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://bucket");
    const name = decodeURIComponent(url.pathname.slice("/backups/".length));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=me/"))
        return response.writeHead(403).end();
      const number = url.searchParams.get("partNumber");
      if (request.method === "GET")
        return response.end([...stored.keys()].map((each) => `<Key>${each}</Key>`).join(""));
      if (url.searchParams.has("uploads")) return response.end("<UploadId>u1</UploadId>");
      if (number !== null) {
        parts.set(number, body);
        return response.writeHead(200, { etag: `"${number}"` }).end();
      }
      if (request.method === "POST") stored.set(name, Buffer.concat([...parts.values()]));
      if (request.method === "DELETE") stored.delete(name);
      return response.end();
    });
  });
  await new Promise<void>((resolve) => bucket.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void bucket.close());
  const { port } = bucket.address() as { port: number };
  const env = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: "me",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  const made = await run("backup", dataDir, ["--to", "s3://backups/parley", "--keep", "1 daily"], env);
  expect(made.said).toMatch(/to s3:\/\/backups\/parley\/parley-.*Z\.tar\.zst/);
  const [[name, bytes] = ["", Buffer.alloc(0)], ...others] = [...stored];
  expect(others).toEqual([]);
  expect(parts.size).toBeGreaterThan(2);
  expect(bytes.length).toBeGreaterThan(70_000_000);
  expect(name).toMatch(/^parley\/parley-/);
  const wrong = await run("backup", dataDir, ["--to", "s3://backups/parley"], { ...env, AWS_ACCESS_KEY_ID: "you" });
  expect(wrong).toMatchObject({ code: 69, said: expect.stringContaining("did not take the backup (403") as string });
}, 240_000);

function idsOf(dataDir: string, table: string): string[] {
  const database = new DatabaseSync(path.join(dataDir, "db/dbs/default/data"));
  const rows = database.prepare(`SELECT id FROM ${table}`).all() as { id: string }[];
  database.close();
  return rows.map(({ id }) => id);
}

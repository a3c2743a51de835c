import { execFile } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ada, signUpByApi } from "../browser/accounts.ts";
import { type Parley, startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
let parley: Parley;
beforeAll(async () => {
  parley = await startParley();
});
afterAll(() => parley?.stop());

interface Shown {
  check: string;
  found: string;
  advice: string;
  fixed: boolean;
}

function doctor(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATA: parley.dataDir, NODE_OPTIONS: "--disable-warning=ExperimentalWarning" };
  return new Promise((resolve) =>
    execFile(process.execPath, ["scripts/doctor.ts", ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    ),
  );
}
/** Without the disk, which is that of the machine. */
async function findings(...args: string[]): Promise<Shown[]> {
  const { stdout, stderr } = await doctor("--json", ...args);
  expect(stderr).toBe("");
  const { findings: found } = JSON.parse(stdout) as { findings: Shown[] };
  return found.filter(({ check }) => check !== "disk");
}

/** As nobody does: straight into the database. */
async function sql(...statements: string[]): Promise<void> {
  const { DB_AUTH_TOKEN } = JSON.parse(readFileSync(path.join(parley.dataDir, "secrets.json"), "utf8")) as Record<
    string,
    string
  >;
  const { command } = parley.processes().find((each) => each.command.includes("--http-listen-addr"))!;
  const address = /--http-listen-addr (\S+)/.exec(command)?.[1];
  const requests = ["PRAGMA foreign_keys = OFF", ...statements].map((text) => ({
    type: "execute",
    stmt: { sql: text },
  }));
  const response = await fetch(`http://${address}/v2/pipeline`, {
    method: "POST",
    headers: { authorization: `Bearer ${DB_AUTH_TOKEN}` },
    body: JSON.stringify({ requests }),
  });
  const { results } = (await response.json()) as { results: { type: string }[] };
  expect(results.filter(({ type }) => type === "error")).toEqual([]);
}

const long = (hours: number) => (Math.floor(Date.now() / 1000) - hours * 3600) * 1000;

test("finds nothing in a sound service", async () => {
  expect(await findings()).toEqual([]);
});

test("stored objects that belong to nothing, and files whose bytes are gone", async () => {
  const { token } = await signUpByApi(parley.url, ada);
  const upload = async (name: string) => {
    const form = new FormData();
    form.append("file", new Blob([`\uFEFFAll about ${name}.`], { type: "text/plain" }), name);
    const response = await fetch(`${parley.url}/api/v1/files/?process=false`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return ((await response.json()) as { id: string }).id;
  };
  const [kept, forgotten, emptied] = [
    await upload("kept.txt"),
    await upload("forgotten.txt"),
    await upload("empty.txt"),
  ];
  await sql(
    `DELETE FROM files WHERE id = '${forgotten}'`,
    `DELETE FROM dropped_blobs WHERE key = 'files/${forgotten}'`,
  );
  await parley.kill9();
  const folder = path.join(parley.dataDir, "state/r2/miniflare-R2BucketObject");
  for (const name of readdirSync(folder).filter((each) => /^[0-9a-f]{64}\.sqlite$/.test(each))) {
    const objects = new DatabaseSync(path.join(folder, name));
    objects.exec(`UPDATE _mf_objects SET uploaded = 0; DELETE FROM _mf_objects WHERE key = 'files/${emptied}'`);
    objects.close();
  }
  await parley.restart();
  const ofObjects = async (...args: string[]) => (await findings(...args)).filter(({ check }) => check === "objects");
  const found = await ofObjects();
  expect(found.map(({ found: text }) => text)).toEqual([
    expect.stringContaining(`1 files, texts or other objects are gone, for example of files/${emptied}`),
    expect.stringContaining("1 stored objects belong to nothing"),
  ]);
  await ofObjects("--fix");
  await expect.poll(async () => (await ofObjects()).length, { timeout: 100_000, interval: 2000 }).toBe(1);
  const content = await fetch(`${parley.url}/api/v1/files/${kept}/content`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await content.text()).toBe("All about kept.txt.");
});

test("finds each fault, says what it means, and mends what it can", async () => {
  const deadline = Date.now() + 3_600_000;
  await sql(
    `INSERT INTO jobs (id, kind, subject, due_at, deadline, created_at) VALUES ('j1', 'extract', 'gone', ${long(2)}, ${deadline}, 0)`,
    `INSERT INTO jobs (id, kind, subject, due_at, deadline, lease, lease_until, created_at) VALUES ('j2', 'embed', 'gone', ${long(2)}, ${deadline}, 'l', ${deadline}, 0)`,
    `INSERT INTO file_chunks (number, file_id, version, position, text, headings, "start", "end", tokens) VALUES (77, 'gone', 1, 0, 'text', '[]', 0, 4, 1)`,
    `INSERT INTO connections (id, kind, name, base_url, model_ids, tags, enabled, quirks, policy, created_at, updated_at) VALUES ('c1', 'openai', 'Harbour', 'http://x/v1', '[]', '[]', 1, '{}', '{}', 0, 0)`,
    `INSERT INTO connection_checks (connection_id, ok, reason, error, model_count, latency_ms, checked_at) VALUES ('c1', 0, 'unreachable', 'no answer', 0, 0, 0)`,
    `INSERT INTO audit_events (id, at, actor_kind, action, target_type, target_id, detail, request_id) VALUES ('a1', ${Math.floor(Date.now() / 1000) + 86_400}, 'session', 'x', 'x', 'x', '{}', 'x')`,
    `INSERT INTO schema_migrations (name, checksum, applied_at) VALUES ('9999_future', 'x', 0)`,
  );
  chmodSync(path.join(parley.dataDir, "secrets.json"), 0o644);
  const found = await findings();
  const checks = new Set(found.map(({ check }) => check));
  // The timer of the service may have mended jobs meanwhile.
  checks.delete("jobs");
  expect([...checks].toSorted()).toEqual(["clock", "connections", "passages", "permissions", "schema"]);
  expect(found.find(({ check }) => check === "connections")?.found).toContain("Harbour");
  expect(found.every(({ fixed, found: text, advice }) => !fixed && text.length > 20 && advice.length > 10)).toBe(true);
  expect((await doctor()).status).toBe(1);
  const mended = (await findings("--fix")).filter(({ fixed }) => fixed);
  expect(mended.map(({ check }) => check)).toEqual(expect.arrayContaining(["permissions", "passages"]));
  await expect
    .poll(async () => (await findings()).map(({ check }) => check).toSorted(), { timeout: 100_000, interval: 2000 })
    .toEqual(["clock", "connections", "schema"]);
});

test("wrong words are refused", async () => {
  expect(await doctor("--mend")).toMatchObject({ status: 64, stderr: expect.stringContaining("--mend") as unknown });
});

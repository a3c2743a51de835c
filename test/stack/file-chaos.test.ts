import process from "node:process";
import type { Client } from "@libsql/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileFailures } from "../../src/documents/files/extraction/extractor.ts";
import { corpus } from "../fixtures/documents/corpus.ts";
import { startChaosUpstream, type ChaosUpstream } from "./chaos-upstream.ts";
import { startParley, type Parley } from "./start-parley.ts";
import { openDatabase, readStorage, seeded } from "./stored-files.ts";

/**
 * File chaos: processes are killed (SIGKILL) at random while many files are uploaded and read, and the embedding upstream refuses,
 * breaks and dawdles. PARLEY_CHAOS_UPLOADS says how many uploads (200 for the full run), PARLEY_CHAOS_SEED which chaos.
 */
const uploads = Number(process.env["PARLEY_CHAOS_UPLOADS"] ?? 20);
const random = seeded(process.env["PARLEY_CHAOS_SEED"] ?? "harbour");
/** Seconds within which every file must have ended, from its upload. */
const deadline = 240 + 4 * uploads;
const atOnce = 5;

let parley: Parley;
let upstream: ChaosUpstream;
let token = "";
beforeAll(async () => {
  upstream = await startChaosUpstream(random);
  parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream.url,
      RAG_EMBEDDING_MODEL: "embedder",
      RAG_EMBEDDING_BATCH_SIZE: "16",
      FILE_PROCESSING_TIMEOUT: String(deadline),
    },
  });
  const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery" };
  const response = await fetch(`${parley.url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  ({ token } = (await response.json()) as { token: string });
});
afterAll(async () => {
  await parley.stop();
  await upstream.close();
});

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const call = (path: string, init: RequestInit = {}) =>
  fetch(parley.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(30_000),
  });

/** What comes back once the service is there, however often it was not. */
async function insist<T>(path: string, init: () => RequestInit = () => ({})): Promise<T> {
  const until = Date.now() + 120_000;
  for (;;) {
    const response = await call(path, init()).catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (response?.ok && text !== undefined) return JSON.parse(text) as T;
    if (response && response.status < 500 && response.status !== 429)
      throw new Error(`${path}: ${response.status} ${text}`);
    if (Date.now() > until) throw new Error(`${path} was never answered\n${parley.output.slice(-3000)}`);
    await wait(250);
  }
}

/** Kills one process of Parley after the other until it is told to stop. */
function startKilling() {
  const killed: string[] = [];
  const since: Record<string, number> = {};
  const ending = new AbortController();
  const targets = [
    // The launcher takes five ends of one within a minute for a reason to give up.
    { name: "service", pattern: /workerd serve .*--socket-addr=entry/, pause: 18_000 },
    { name: "database", pattern: /sqld /, pause: 18_000 },
    { name: "extractor", pattern: /workerd serve .*\/documents\d+\.sock/, pause: 2000 },
  ];
  const over = (async () => {
    while (!ending.signal.aborted) {
      await wait(500 + random() * 2500);
      const due = targets.filter(({ name, pause }) => Date.now() - (since[name] ?? 0) > pause);
      const target = due[Math.floor(random() * due.length)];
      const found = target && parley.processes().find(({ command }) => target.pattern.test(command));
      if (!found || ending.signal.aborted) continue;
      since[target.name] = Date.now();
      killed.push(target.name);
      process.kill(found.pid, "SIGKILL");
    }
  })();
  return {
    killed,
    async stop() {
      ending.abort();
      await over;
    },
  };
}

interface Outcome {
  id: string;
  status: string;
  code?: string;
  error?: string;
}

const word = () => ["harbour", "pilot", "crane", "tide", "mooring", "潮", "маяк"][Math.floor(random() * 7)]!;
const text = (length: number) => {
  const words: string[] = [];
  for (let at = 0; at < length; at += 7) words.push(at % 2800 === 0 ? `\n\n## ${word()} ${at}\n\n` : word());
  return words.join(" ");
};

/** Documents of every kind in turn, and texts of their own between. */
async function document(at: number): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const fixture = corpus[Math.floor(random() * corpus.length)]!;
  const made = at % 2 === 0 ? undefined : new Uint8Array(await fixture.make());
  if (made && made.length < 2_000_000) return { name: fixture.filename, bytes: made };
  return { name: `text-${at}.md`, bytes: new TextEncoder().encode(`# ${at}\n${text(500 + random() * 200_000)}`) };
}

/** One upload, repeated as clients do that got no answer. */
async function uploadOne(at: number): Promise<string> {
  const { name, bytes } = await document(at);
  const { id } = await insist<{ id: string }>("/api/v1/files/", () => {
    const form = new FormData();
    form.append("file", new Blob([bytes]), name);
    return { method: "POST", body: form };
  });
  return id;
}

async function settle(id: string): Promise<Outcome> {
  const until = Date.now() + (deadline + 120) * 1000;
  for (;;) {
    const status = await insist<Omit<Outcome, "id">>(`/api/v1/files/${id}/process/status`);
    if (status.status !== "pending") return { id, ...status };
    if (Date.now() > until) throw new Error(`${id} is pending for ever: ${JSON.stringify(status)}`);
    await wait(1000);
  }
}

const numberOf = async (db: Client, sql: string) => Number((await db.execute(sql)).rows[0]![0]);

/** What must be nobody's: all counts are 0. */
const leftovers = {
  "files that are pending": "SELECT count(*) FROM files WHERE state = 'pending'",
  jobs: "SELECT count(*) FROM jobs WHERE kind <> 'rebuild'",
  "passages without a text that counts": `SELECT count(*) FROM file_chunks c WHERE NOT EXISTS (
    SELECT 1 FROM files f WHERE f.id = c.file_id AND f.version = c.version)`,
  "files with more or fewer passages than they say": `SELECT count(*) FROM files f WHERE f.version > 0 AND f.chunk_count <> (
    SELECT count(*) FROM file_chunks c WHERE c.file_id = f.id AND c.version = f.version)`,
  "passages of completed files without a vector": `SELECT count(*) FROM file_chunks c JOIN files f ON f.id = c.file_id AND f.version = c.version
    WHERE NOT EXISTS (SELECT 1 FROM chunk_vectors v JOIN embedding_spaces s ON s.id = v.space_id AND s.state = 'serving' WHERE v.chunk = c.number)`,
  "vectors without a passage":
    "SELECT count(*) FROM chunk_vectors v WHERE NOT EXISTS (SELECT 1 FROM file_chunks c WHERE c.number = v.chunk)",
  "words without a passage":
    "SELECT count(*) FROM chunk_search_docsize d WHERE NOT EXISTS (SELECT 1 FROM file_chunks c WHERE c.number = d.id)",
  "texts that do not count": `SELECT count(*) FROM file_texts t WHERE NOT EXISTS (
    SELECT 1 FROM files f WHERE f.id = t.file_id AND f.version = t.version)`,
  uploads: "SELECT count(*) FROM uploads",
  "dropped uploads": "SELECT count(*) FROM dropped_uploads",
  "dropped bytes": "SELECT count(*) FROM dropped_blobs",
  "dropped passages": "SELECT count(*) FROM dropped_chunks",
};

test("every file ends, and nothing is left over", { timeout: 600_000 + 8000 * uploads }, async () => {
  const chaos = startKilling();
  const ids: string[] = [];
  const numbers = Array.from({ length: uploads }, (_, at) => at).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const at of numbers) ids.push(await uploadOne(at));
    }),
  );
  const mostly = new AbortController();
  let settled = 0;
  const settling = Promise.all(
    ids.map(async (id) => {
      const outcome = await settle(id);
      if (++settled > uploads * 0.8) mostly.abort();
      return outcome;
    }),
  );
  for (const until = Date.now() + 120_000; Date.now() < until && !mostly.signal.aborted;) await wait(500);
  await chaos.stop();
  upstream.calm();
  const outcomes = await settling;
  const completed = outcomes.filter(({ status }) => status === "completed");
  const failed = outcomes.filter(({ status }) => status === "failed");
  expect(completed.length + failed.length).toBe(uploads);
  for (const { code } of failed) expect(fileFailures).toContain(code);
  // What was done to them from outside makes none of them fail.
  const blamed = failed.filter(
    ({ code }) => code === "internal_error" || code === "embedding_failed" || code === "file_timeout",
  );
  process.stdout.write(`${completed.length} completed, ${failed.length} failed, killed: ${chaos.killed.join(", ")}\n`);
  expect(blamed.map(({ code, error }) => `${code}: ${error}`)).toEqual([]);
  expect(completed.length).toBeGreaterThan(uploads / 3);
  process.stdout.write(`embedding calls: ${JSON.stringify(upstream.calls)}\n`);
  expect(new Set(chaos.killed).size).toBe(3);
  expect(upstream.calls.busy + upstream.calls.broken + upstream.calls.cut).toBeGreaterThan(0);

  // A day later, for uploads that lost their senders, and when the timer has come by.
  const db = openDatabase(parley);
  await db.execute("UPDATE uploads SET expires_at = 0");
  let left: Record<string, number> = {};
  for (const until = Date.now() + 200_000; Date.now() < until; await wait(2000)) {
    left = {};
    for (const [what, sql] of Object.entries(leftovers)) {
      const count = await numberOf(db, sql);
      if (count > 0) left[what] = count;
    }
    if (Object.keys(left).length === 0) break;
  }
  expect(left).toEqual({});
  const { rows } = await db.execute(
    "SELECT 'files/' || id AS key FROM files UNION SELECT 'files/' || file_id || '/text/' || t.version FROM file_texts t JOIN files f ON f.id = file_id WHERE t.sha256 <> f.sha256",
  );
  db.close();
  await parley.kill9();
  const { keys, openUploads } = readStorage(parley.dataDir);
  expect(keys.toSorted()).toEqual(rows.map(({ key }) => String(key)).toSorted());
  expect(openUploads).toBe(0);
  await parley.restart();
});

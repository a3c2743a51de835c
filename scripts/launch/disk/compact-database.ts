import { statSync } from "node:fs";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

/**
 * compact-database.ts FILE: gives back the room of what was deleted, beside a sqld that runs. Prints how many bytes that were. It is a process
 * of its own because SQLite blocks the thread that calls it.
 */

/** A step holds the lock of writers for some milliseconds. */
const stepPages = 500;
const pauseMs = 20;
/** What is free is used again; less than this is not worth moving other pages. */
const minFreeShare = 0.2;
const minFreeBytes = 2 ** 26;
/** Turning a database into one that can be compacted in steps writes all of it at once: about 2 s for this. */
const maxWholeBytes = 2 ** 30;
/** Done in no time: so a database can be compacted in steps before it grows. */
const smallBytes = 2 ** 26;
const incremental = 2;
/** How long a step waits for those who write. It holds nothing meanwhile. */
const maxLockMs = 60_000;
/** A checkpoint waits for readers, and those who write wait for it. Readers are short. */
const maxCheckpoints = 50;
const maxCheckpointMs = 5000;
/** Pages that one step of joining the search index may write. */
const mergePages = 200;

const [file = ""] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: maxLockMs });
const before = sizeOf();
await joinSearchIndexes();
const [size, free] = [number("page_count") * number("page_size"), number("freelist_count") * number("page_size")];
const pays = free >= minFreeBytes || free >= size * minFreeShare;
if (number("auto_vacuum") !== incremental) {
  if (size <= smallBytes || (pays && size - free <= maxWholeBytes))
    database.exec(`PRAGMA auto_vacuum = ${incremental}; VACUUM`);
} else if (pays) await compactInSteps();
await truncateLog();
database.close();
process.stdout.write(String(Math.max(0, before - sizeOf())));

/** A deleted passage only marks its words; they go when their part of the index is written again. */
async function joinSearchIndexes(): Promise<void> {
  const indexes = database.prepare(
    "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5(%'",
  );
  for (const { name } of indexes.all()) {
    const table = String(name);
    const join = database.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${mergePages})`);
    const changes = database.prepare("SELECT total_changes() AS total");
    const total = () => Number(changes.get()!["total"]);
    // As the documentation of FTS5 says: fewer than two changes mean that there was nothing to do.
    for (let last = total(); ; last = total()) {
      join.run();
      if (total() - last < 2) break;
      await wait(pauseMs);
    }
  }
}

async function compactInSteps(): Promise<void> {
  for (let left = number("freelist_count"); left > 0;) {
    database.exec(`PRAGMA incremental_vacuum(${stepPages})`);
    const now = number("freelist_count");
    if (now >= left) return;
    left = now;
    await wait(pauseMs);
  }
}

/** Moves the write-ahead log into the file, which only then becomes smaller. */
async function truncateLog(): Promise<void> {
  database.exec(`PRAGMA busy_timeout = ${maxCheckpointMs}`);
  for (let tries = 0; tries < maxCheckpoints; tries++) {
    const row = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (row.busy === 0) return;
    await wait(100);
  }
}

function number(pragma: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get()!)[0]);
}

function sizeOf(): number {
  return [file, `${file}-wal`].reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0);
}

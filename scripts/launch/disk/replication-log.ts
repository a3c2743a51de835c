import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/*
 * sqld 0.24.32 keeps a log for replicas, which cannot be switched off: each page that is written goes into `wallog`, a full log into
 * `snapshots`, and after a crash the log gets a copy of the whole database. Nobody replicates here, so the log is kept empty. The layouts
 * are those of libsql-server/src/replication/primary/logger.rs and libsql-replication/src/snapshot.rs; all numbers little-endian.
 */

/** Megabytes of the log before it becomes a snapshot: the least that sqld takes. */
export const maxLogMegabytes = 1;

const pageBytes = 4096;
const snapshotHeadBytes = 48;
/** Of the number of frames in it. */
const frameCountAt = 32;

const databaseOf = (folder: string) => path.join(folder, "dbs/default");

/** To be called while sqld does not run: it then begins with an empty log, and does not copy the database into it. */
export function emptyReplicationLog(folder: string): void {
  const own = databaseOf(folder);
  if (!existsSync(path.join(own, "data"))) return;
  for (const name of ["snapshots", "to_compact", "tmp", ".sentinel"])
    rmSync(path.join(own, name), { recursive: true, force: true });
  const head = Buffer.alloc(64);
  head.write("SQLDWAL\0", "latin1");
  randomBytes(16).copy(head, 16);
  // Version of the layout, and size of a page.
  head.writeUInt32LE(2, 48);
  head.writeInt32LE(pageBytes, 52);
  writeFileSync(path.join(own, "wallog"), head, { mode: 0o600 });
}

/** Takes the pages out of the snapshots of a sqld that runs. It joins them later by what their heads say, so the heads stay. */
export function emptySnapshots(folder: string): void {
  const snapshots = path.join(databaseOf(folder), "snapshots");
  if (!existsSync(snapshots)) return;
  mkdirSync(path.join(databaseOf(folder), "tmp"), { recursive: true });
  for (const name of readdirSync(snapshots).filter((each) => each.endsWith(".snap"))) {
    const file = path.join(snapshots, name);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= snapshotHeadBytes) continue;
    const head = readHead(file);
    head.writeBigUInt64LE(0n, frameCountAt);
    const emptied = path.join(databaseOf(folder), "tmp", `${name}.empty`);
    writeFileSync(emptied, head, { mode: 0o600 });
    renameSync(emptied, file);
  }
}

function readHead(file: string): Buffer {
  const head = Buffer.alloc(snapshotHeadBytes);
  const handle = openSync(file, "r");
  try {
    readSync(handle, head, 0, snapshotHeadBytes, 0);
  } finally {
    closeSync(handle);
  }
  return head;
}

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Client, createClient } from "@libsql/client";
import type { Parley } from "./start-parley.ts";

/** What a data folder holds of files; only to be asked while nothing runs on it. */
export interface StoredFiles {
  /** Keys in object storage. */
  keys: string[];
  /** Uploads in parts that object storage has not forgotten. */
  openUploads: number;
}

/** Object storage as Miniflare keeps it. */
export function readStorage(dataDir: string): StoredFiles {
  const folder = path.join(dataDir, "state/r2/miniflare-R2BucketObject");
  const keys: string[] = [];
  let openUploads = 0;
  for (const name of readdirSync(folder).filter((each) => /^[0-9a-f]{64}\.sqlite$/.test(each))) {
    const database = new DatabaseSync(path.join(folder, name));
    keys.push(
      ...database
        .prepare("SELECT key FROM _mf_objects")
        .all()
        .map(({ key }) => String(key)),
    );
    const row = database.prepare("SELECT count(*) AS n FROM _mf_multipart_uploads WHERE state = 0").get();
    openUploads += Number(row?.["n"] ?? 0);
    database.close();
  }
  return { keys, openUploads };
}

/** The database of a Parley that runs, past the service. */
export function openDatabase(parley: Parley): Client {
  const secrets = JSON.parse(readFileSync(path.join(parley.dataDir, "secrets.json"), "utf8")) as Record<string, string>;
  const { command } = parley.processes().find((process) => process.command.includes("--http-listen-addr"))!;
  const address = /--http-listen-addr[= ](\S+)/.exec(command)![1]!;
  return createClient({ url: `http://${address}`, authToken: secrets["DB_AUTH_TOKEN"]! });
}

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed. */
export function seeded(seed: string): () => number {
  let state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface StoredObject {
  key: string;
  /** Bytes. */
  size: number;
  /** Epoch milliseconds. */
  uploaded: number;
}

/** Every object in the storage of a data folder whose bytes are there, one at a time, also beside a running service. */
export function* storedObjects(dataDir: string): Generator<StoredObject> {
  const folder = path.join(dataDir, "state/r2");
  if (!existsSync(folder)) return;
  const places = readdirSync(folder).map((name) => path.join(folder, name, "blobs"));
  // Objects that came in parts have no file of their own.
  const hasBytes = (id: unknown) => id === null || places.some((place) => existsSync(path.join(place, String(id))));
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((each) => each.endsWith(".sqlite"))) {
    const database = new DatabaseSync(path.join(folder, name), { timeout: 10_000 });
    try {
      if (!hasTable(database, "_mf_objects")) continue;
      const rows = database.prepare("SELECT key, blob_id, size, uploaded FROM _mf_objects").iterate();
      for (const { key, blob_id: id, size, uploaded } of rows)
        if (hasBytes(id)) yield { key: String(key), size: Number(size), uploaded: Number(uploaded) };
    } finally {
      database.close();
    }
  }
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;
}

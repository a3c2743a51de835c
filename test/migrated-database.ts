import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createClient, type Client } from "@libsql/client";
import { keepStatements } from "./kept-statements.ts";
import { parsedClient } from "./parsed-client.ts";

keepStatements();

const migrationsFolder = path.resolve(import.meta.dirname, "../migrations");

let template: Promise<string> | undefined;
let copies = 0;

/** A file that holds the current schema, made once in this process; a world starts from a copy of it. */
function migratedFile(): Promise<string> {
  return (template ??= (async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "parley-test-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, "template.db");
    const client = createClient({ url: `file:${file}` });
    await client.execute("CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)");
    for (const name of readdirSync(migrationsFolder)
      .filter((entry) => entry.endsWith(".sql"))
      .sort()) {
      await client.executeMultiple(readFileSync(path.join(migrationsFolder, name), "utf8"));
      await client.execute("INSERT INTO schema_migrations VALUES (?, 0)", [name.replace(/\.sql$/, "")]);
    }
    client.close();
    return file;
  })());
}

/** A migrated libSQL database of one's own, which takes only what sqld would take too. `close` deletes it. */
export async function openMigratedDatabase(): Promise<{ client: Client; close(): void }> {
  const source = await migratedFile();
  const file = path.join(path.dirname(source), `world-${++copies}.db`);
  copyFileSync(source, file);
  // One connection: calls of the driver do not wait anyway, and each further one would read the schema again.
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  // Nothing here has to survive a power cut.
  await client.execute("PRAGMA synchronous = OFF");
  await client.execute("PRAGMA journal_mode = MEMORY");
  return {
    client: parsedClient(client),
    close() {
      client.close();
      for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
    },
  };
}

import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { createClient } from "@libsql/client/http";
import { parseKeyRing } from "../src/lib/key-ring.ts";
import { exitCodes } from "./launch/start-error.ts";
import { applyMigrations, MigrationError } from "./migrate/apply-migrations.ts";
import { checkKeys, rememberKeys, WrongKeysError } from "./migrate/key-check.ts";
import { readMigrations } from "./migrate/read-migrations.ts";

/**
 * npm run migrate -- --url URL [--token TOKEN]: brings a libSQL database to the newest schema. DB_URL and DB_AUTH_TOKEN
 * say the same without being seen in the list of processes. With PARLEY_SECRET_KEYS it first looks whether they are the keys of
 * this database. `npm start` does all this by itself for its own database, and lets it wait (--after-input) until its builds are made.
 */
const { values } = parseArgs({
  options: {
    url: { type: "string" },
    token: { type: "string" },
    exclusive: { type: "boolean" },
    "after-input": { type: "boolean" },
    "new-keys": { type: "boolean" },
    // The data folder, where the database is copied before it is changed.
    snapshot: { type: "string" },
  },
});
const url = values.url ?? process.env["DB_URL"];
const token = values.token ?? process.env["DB_AUTH_TOKEN"];
if (url === undefined || url === "") {
  process.stderr.write("Which database? npm run migrate -- --url libsql://NAME.example --token TOKEN\n");
  process.exit(exitCodes.usage);
}

/** Loaded only where it is needed: most starts migrate nothing. */
async function takeSnapshot(dataDir: string, migration: string): Promise<void> {
  const { takeMigrationSnapshot } = await import("./migrate/migration-snapshot.ts");
  await takeMigrationSnapshot(dataDir, migration);
}

const client = createClient({ url, ...(token ? { authToken: token } : {}) });
try {
  const given = process.env["PARLEY_SECRET_KEYS"]?.trim();
  const ring = given ? parseKeyRing(given) : undefined;
  if (ring && !values["new-keys"]) await checkKeys(client, ring);
  const applied = await applyMigrations(client, readMigrations(path.resolve(import.meta.dirname, "../migrations")), {
    exclusive: values.exclusive ?? false,
    ready: values["after-input"] ? () => text(process.stdin) : undefined,
    beforeFirst: values.snapshot === undefined ? undefined : (name) => takeSnapshot(values.snapshot!, name),
  });
  if (ring) await rememberKeys(client, ring, values["new-keys"]);
  process.stdout.write(applied.length === 0 ? "The schema is up to date.\n" : `Applied ${applied.join(", ")}.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  const isExpected = error instanceof MigrationError || error instanceof WrongKeysError;
  process.exitCode = isExpected ? exitCodes.configuration : exitCodes.internal;
} finally {
  client.close();
}

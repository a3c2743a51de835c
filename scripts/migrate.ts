import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { createClient } from "@libsql/client/http";
import { applyMigrations, MigrationError } from "./migrate/apply-migrations.ts";
import { readMigrations } from "./migrate/read-migrations.ts";

/**
 * npm run migrate -- --url URL [--token TOKEN]: brings a libSQL database to the newest schema. DB_URL and DB_AUTH_TOKEN
 * say the same without being seen in the list of processes. `npm start` does this by itself for its own database.
 */
const { values } = parseArgs({
  options: { url: { type: "string" }, token: { type: "string" }, exclusive: { type: "boolean" } },
});
const url = values.url ?? process.env["DB_URL"];
const token = values.token ?? process.env["DB_AUTH_TOKEN"];
if (url === undefined || url === "") {
  process.stderr.write("Which database? npm run migrate -- --url libsql://NAME.example --token TOKEN\n");
  process.exit(2);
}
const client = createClient({ url, ...(token ? { authToken: token } : {}) });
try {
  const applied = await applyMigrations(
    client,
    readMigrations(path.resolve(import.meta.dirname, "../migrations")),
    values.exclusive,
  );
  process.stdout.write(applied.length === 0 ? "The schema is up to date.\n" : `Applied ${applied.join(", ")}.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof MigrationError ? error.message : String((error as Error).message)}\n`);
  process.exitCode = 1;
} finally {
  client.close();
}

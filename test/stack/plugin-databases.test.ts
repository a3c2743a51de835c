import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-plugin-databases-"));
const pipe = `import sqlite3

class Pipe:
    def pipe(self, body):
        with sqlite3.connect("/app/backend/data/visits.db") as db:
            db.execute("CREATE TABLE IF NOT EXISTS visits (who TEXT)")
            db.execute("INSERT INTO visits VALUES (?)", (body["messages"][-1]["content"],))
            return ", ".join(who for (who,) in db.execute("SELECT who FROM visits ORDER BY rowid"))
`;
let parley: Parley;
let token: string;

async function ask<T>(where: Parley, route: string, json: object = {}): Promise<T> {
  const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(where.url + route, { method: "POST", headers, body: JSON.stringify(json) });
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function visit(where: Parley, who: string): Promise<string> {
  const messages = [{ role: "user", content: who }];
  const { choices } = await ask<{ choices: { message: { content: string } }[] }>(where, "/api/chat/completions", {
    model: "visits",
    messages,
  });
  return choices[0]!.message.content;
}

/** Runs a command of the checkout, as `npm run` does. */
const run = (script: string, dataDir: string, args: string[]) =>
  promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", `scripts/${script}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, PARLEY_STOP_WITH_PARENT: "1", DATA: dataDir },
  });

beforeAll(async () => {
  parley = await startParley();
  const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery staple" };
  ({ token } = await ask<{ token: string }>(parley, "/api/v1/auths/signup", person));
  await ask(parley, "/api/v1/functions/create", { id: "visits", name: "Visits", content: pipe });
  await ask(parley, "/api/v1/functions/id/visits/toggle");
});
afterAll(async () => {
  await parley?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a plugin finds its database after a restart, also of a service that was killed", async () => {
  expect(await visit(parley, "Grace")).toBe("Grace");
  await parley.terminate();
  await parley.restart();
  expect(await visit(parley, "Alan")).toBe("Grace, Alan");
  await parley.kill9All();
  await parley.restart();
  expect(await visit(parley, "Edsger")).toBe("Grace, Alan, Edsger");
});

test("a backup has it as it was, for a service elsewhere", async () => {
  const before = await visit(parley, "Barbara");
  const backup = path.join(folder, "all.tar");
  await run("backup", parley.dataDir, [backup]);
  await visit(parley, "after the backup");
  const restored = path.join(folder, "restored");
  await run("restore", restored, [backup]);
  const elsewhere = await startParley({ dataDir: restored });
  try {
    expect(await visit(elsewhere, "Tony")).toBe(`${before}, Tony`);
  } finally {
    await elsewhere.stop();
  }
});

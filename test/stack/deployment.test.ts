import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSqld } from "../start-sqld.ts";
import { type FakeCloudflare, startFakeCloudflare } from "./fake-cloudflare.ts";

/*
 * The real scripts and the real wrangler against an account that this test plays: from nothing to a service, again, a bad version,
 * back, and away. Tests build on each other, as the deployments of one account do.
 */

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-deployment-test-"));
const ended: (() => Promise<void>)[] = [];
let cloudflare: FakeCloudflare;
let env: Record<string, string>;
/** What the deployed service answers to /health. */
let health = 200;

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ended.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Run {
  code: number;
  said: string;
  errors: string;
}

function run(script: string, args: string[] = [], more: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, "scripts", script), ...args],
      { cwd: root, env: { ...env, ...more } },
      (error, said, errors) => resolve({ code: error ? Number(error.code) : 0, said, errors }),
    );
  });
}

const stored = () => parseEnv(readFileSync(path.join(folder, "deploy.env"), "utf8"));
const deployed = () =>
  Object.fromEntries(
    [...cloudflare.scripts].map(
      ([
        name,
        {
          deployed: [id],
        },
      ]) => [name, id],
    ),
  );
const workers = ["parley-plugin-host", "parley-passwords", "parley-extractor", "parley"];

beforeAll(async () => {
  cloudflare = await startFakeCloudflare();
  ended.push(() => cloudflare.close());
  const url = await listen(createServer((_, response) => void response.writeHead(health).end('{"status":true}')));
  env = {
    PATH: process.env["PATH"] ?? "",
    // Nobody's sign-in.
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: process.env["TMPDIR"] ?? tmpdir(),
    // That of with-node.sh: scripts and wrangler, which are started 30 times, are then not compiled each time.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    DEPLOY_ENV: path.join(folder, "deploy.env"),
    CLOUDFLARE_API_BASE_URL: cloudflare.url,
    WEBUI_URL: url,
  };
});
afterAll(async () => {
  for (const end of ended.toReversed()) await end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test("a dry run without an account shows every step, and builds every Worker within its budget", async () => {
  const { code, said } = await run("deploy.ts", ["--dry-run"], { CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:1" });
  expect({ code, said }).toMatchObject({ code: 0 });
  const lines = said.split("\n");
  expect(lines[0]).toContain("run npx wrangler login, or set CLOUDFLARE_API_TOKEN");
  const steps = lines.map((line) => line.split(":")[0]);
  expect(steps).toEqual([
    "Account",
    "Plan",
    "Bucket parley",
    ...["extract", "embed", "webhooks"].flatMap((name) => [`Queue parley-${name}-dead`, `Queue parley-${name}`]),
    "Database",
    "Key ring",
    "Schema",
    ...workers.map((name) => `Worker ${name}`),
    "Settings of earlier deployments",
    "Smoke levels",
    ...workers.map((name) => `Built ${name}`),
    "",
  ]);
  expect(said).toMatch(/^Built parley: \d+ KB gzipped of 1150$/m);
  expect(cloudflare.changes).toEqual([]);
});

test("without a database nothing is deployed, and what was created stays for the next try", async () => {
  env["CLOUDFLARE_API_TOKEN"] = "token-of-the-account";
  const { code, errors } = await run("deploy.ts");
  expect(errors).toMatch(/^There is no database yet\. Set DB_URL and DB_AUTH_TOKEN .* or TURSO_ORGANIZATION/);
  expect(code).toBe(78);
  expect(cloudflare.scripts.size).toBe(0);
  expect([...cloudflare.buckets]).toEqual(["parley"]);
});

test("an empty account gets all there is to have, the database at Turso too; nothing secret is said", async () => {
  // As a hoster gives it out: empty, with a token.
  const database = await startSqld(path.join(folder, "data"));
  ended.push(database.stop);
  const asked: string[] = [];
  const turso = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    // libsql:// means TLS, which the database of a test does not have.
    const answer = request.url?.endsWith("/tokens")
      ? { jwt: database.token }
      : { database: { Hostname: `${database.host}/?tls=0` } };
    response.end(JSON.stringify(answer));
  });
  env["TURSO_API_BASE_URL"] = await listen(turso);
  const { code, said, errors } = await run("deploy.ts", [], {
    TURSO_ORGANIZATION: "harbour",
    TURSO_API_TOKEN: "token-of-turso",
    ENABLE_SIGNUP: "false",
  });
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(asked).toEqual([
    "POST /v1/organizations/harbour/databases Bearer token-of-turso",
    "POST /v1/organizations/harbour/databases/parley/auth/tokens Bearer token-of-turso",
  ]);
  expect([...cloudflare.scripts.keys()]).toEqual(workers);
  const service = cloudflare.scripts.get("parley")!;
  const { PARLEY_SECRET_KEYS: ring = "", DB_AUTH_TOKEN: token = "" } = stored();
  expect(Object.fromEntries(service.secrets)).toEqual({
    DB_URL: stored()["DB_URL"],
    DB_AUTH_TOKEN: database.token,
    PARLEY_SECRET_KEYS: ring,
    ENABLE_SIGNUP: "false",
    WEBUI_URL: env["WEBUI_URL"],
  });
  expect(service.crons).toEqual(["* * * * *"]);
  expect(Object.fromEntries(cloudflare.consumers)).toEqual(
    Object.fromEntries(
      ["extract", "embed", "webhooks"].map((name) => [
        `parley-${name}`,
        { script: "parley", deadLetterQueue: `parley-${name}-dead` },
      ]),
    ),
  );
  expect(statSync(path.join(folder, "deploy.env")).mode & 0o777).toBe(0o600);
  for (const secret of [ring, token, "token-of-turso", "token-of-the-account"]) expect(said).not.toContain(secret);
  expect(said).toMatch(/^level 1: ok/m);
});

test("again: nothing is created, keys stay, and a setting that is no longer given goes", async () => {
  const ring = stored()["PARLEY_SECRET_KEYS"];
  cloudflare.changes.length = 0;
  const { code, said, errors } = await run("deploy.ts");
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(said).toContain("The schema is up to date.");
  expect(cloudflare.changes.filter((change) => /buckets|POST \/queues$/.test(change))).toEqual([]);
  const { secrets } = cloudflare.scripts.get("parley")!;
  expect(secrets.get("PARLEY_SECRET_KEYS")).toBe(ring);
  expect(secrets.has("ENABLE_SIGNUP")).toBe(false);
});

test("a version that does not answer is taken back, and the one before it can be had again by hand", async () => {
  const good = deployed();
  health = 503;
  const { code, errors } = await run("deploy.ts", ["--wait", "0"]);
  expect(code).toBe(69);
  expect(errors).toContain("Going back to the versions that ran before.");
  expect(deployed()).toEqual(good);
  health = 200;
  const { code: rolledBack } = await run("deploy.ts", ["--rollback"]);
  expect(rolledBack).toBe(0);
  for (const name of workers) expect(deployed()[name]).not.toBe(good[name]);
});

test("keys that are lost are not replaced", async () => {
  const { DB_URL = "", DB_AUTH_TOKEN = "" } = stored();
  const lost = { DEPLOY_ENV: path.join(folder, "lost.env"), DB_URL, DB_AUTH_TOKEN };
  const { code, errors } = await run("deploy.ts", [], lost);
  expect(errors).toMatch(/^The deployed service has a key ring, and .*lost\.env has none\./);
  expect(code).toBe(66);
});

test("a plan without isolates for plugins is named, and the service is left as it is", async () => {
  const before = deployed()["parley"];
  cloudflare.refusals.set("parley-plugin-host", {
    code: 10_195,
    message: "Binding LOADER of type worker_loader is not available on your plan",
  });
  const { code, errors } = await run("deploy.ts");
  cloudflare.refusals.clear();
  expect(code).toBe(69);
  expect(errors).toContain("which need the plan Workers Paid");
  expect(deployed()["parley"]).toBe(before);
});

test("undeploy deletes the Workers, and the data only when that is said", async () => {
  const unsaid = await run("undeploy.ts");
  expect(unsaid).toMatchObject({ code: 64, errors: "Say --yes to delete the Workers of Harbour.\n" });
  expect(cloudflare.scripts.size).toBe(4);
  expect((await run("undeploy.ts", ["--yes"])).code).toBe(0);
  expect([cloudflare.scripts.size, cloudflare.buckets.size, cloudflare.queues.size]).toEqual([0, 1, 6]);
  const all = await run("undeploy.ts", ["--yes", "--data"]);
  expect(all.code).toBe(0);
  expect(all.said).toContain("Worker parley: was not there");
  expect([cloudflare.buckets.size, cloudflare.queues.size]).toEqual([0, 0]);
});

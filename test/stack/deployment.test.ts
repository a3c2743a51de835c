import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { findFreePort } from "../../scripts/launch/ports.ts";

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-deployment-test-"));
const started: ChildProcess[] = [];

afterAll(async () => {
  for (const child of started.toReversed()) {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGINT");
    await gone;
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  return child;
}

/** Starts `npm run database` and takes the lines it prints for .dev.vars. */
async function startDatabase(): Promise<string> {
  const child = start(["scripts/database.ts"], { DATA: path.join(folder, "data") });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    if (/^[A-Z_]+='/.test(line)) lines.push(line);
    if (line.startsWith("PARLEY_SECRET_KEYS=")) break;
  }
  child.stdout?.resume();
  return `${lines.join("\n")}\n`;
}

test("wrangler dev serves the same API and UI from the same wrangler.toml, against a running database", async () => {
  const variables = path.join(folder, "dev.vars");
  writeFileSync(variables, await startDatabase());
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [
    "dev",
    "-c",
    "wrangler.toml",
    "-c",
    "workers/passwords/wrangler.toml",
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--show-interactive-dev-session=false",
  ];
  const files = ["--env-file", variables, "--persist-to", path.join(folder, "state")];
  const wrangler = start([path.join(root, "node_modules/wrangler/bin/wrangler.js"), ...args, ...files], {
    CI: "1",
    WRANGLER_SEND_METRICS: "false",
  });
  wrangler.stdout?.resume();
  wrangler.stderr?.resume();
  await vi.waitFor(async () => expect((await fetch(`${url}/health`)).status).toBe(200), {
    timeout: 50_000,
    interval: 250,
  });

  const account = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" };
  const signedUp = await fetch(`${url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  expect(signedUp.status).toBe(200);
  const { token } = (await signedUp.json()) as { token: string };
  const me = await fetch(`${url}/api/v1/auths/`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ email: account.email, role: "admin" });

  const page = await fetch(`${url}/c/some-page-of-the-ui`);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect((await fetch(`${url}/api/nothing-here`)).status).toBe(404);
});

test("every Worker can be deployed, the service within its budget", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/deploy-check.ts"], { cwd: root });
  expect(stdout).toMatch(/^wrangler\.toml: \d+ KB gzipped of 1000$/m);
});

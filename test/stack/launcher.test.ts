import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Parley, type RunningProcess, StartFailure, listBelow, startParley } from "./start-parley.ts";

/** Well under a second on a machine of its own; here others may take their share. */
const soonMs = 10_000;

const password = "correct horse battery staple";

async function post(url: string, body: object): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}
const signUp = (url: string, email: string) => post(`${url}/api/v1/auths/signup`, { name: "Ada", email, password });
const signIn = (url: string, email: string) => post(`${url}/api/v1/auths/signin`, { email, password });

/** Those of the processes that still run the same command: ids are given again. */
function alive(processes: RunningProcess[]): RunningProcess[] {
  const commands = new Map(
    execFileSync("ps", ["-A", "-o", "pid=,command="], { encoding: "utf8" })
      .split("\n")
      .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
      .filter((found) => found !== null)
      .map(([, pid, command]) => [Number(pid), command]),
  );
  return processes.filter(({ pid, command }) => commands.get(pid) === command);
}

function isListening(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.once("connect", () => socket.destroy());
  });
}

const find = (parley: Parley, name: string) => {
  const found = parley.processes().find(({ command }) => command.includes(name));
  if (!found) throw new Error(`no ${name} among ${JSON.stringify(parley.processes())}`);
  return found;
};

describe("a running Parley", () => {
  let parley: Parley;
  beforeAll(async () => {
    parley = await startParley({ isFirst: true });
    await signUp(parley.url, "ada@example.com");
  });
  afterAll(() => parley.stop());

  test("says in its last line where it is reached, and is healthy there", async () => {
    expect(parley.output.trim().split("\n").at(-1)).toMatch(/^\S+Z info {2}launcher Parley is ready on /);
    expect(parley.output.trim().endsWith(` ${parley.url}`)).toBe(true);
    expect(parley.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  });

  test("keeps its secrets and data to its own user", () => {
    expect(statSync(path.join(parley.dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(parley.dataDir, "db")).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(parley.dataDir, "state")).mode & 0o777).toBe(0o700);
  });

  test("lets nobody on the machine read its database without the token of the data folder", async () => {
    const [, address] = /--http-listen-addr (\S+)/.exec(find(parley, "sqld").command) ?? [];
    const body = JSON.stringify({ requests: [{ type: "execute", stmt: { sql: "SELECT email FROM users" } }] });
    const stranger = await fetch(`http://${address}/v2/pipeline`, { method: "POST", body });
    expect(stranger.status).toBe(401);
    const { DB_AUTH_TOKEN } = JSON.parse(readFileSync(path.join(parley.dataDir, "secrets.json"), "utf8")) as Record<
      string,
      string
    >;
    const headers = { authorization: `Bearer ${DB_AUTH_TOKEN}` };
    const owner = await fetch(`http://${address}/v2/pipeline`, { method: "POST", headers, body });
    expect(await owner.text()).toContain("ada@example.com");
  });

  test("shows no secret in the list of processes", () => {
    const secrets = JSON.parse(readFileSync(path.join(parley.dataDir, "secrets.json"), "utf8")) as Record<
      string,
      string
    >;
    const commands = parley.processes().map(({ command }) => command);
    for (const secret of Object.values(secrets)) expect(commands.join("\n")).not.toContain(secret);
  });

  test.each([
    ["sqld", "sqld"],
    ["workerd", "socket-addr=entry="],
  ])("starts %s again when it dies, at the same address", async (name, part) => {
    const dead = find(parley, part);
    process.kill(dead.pid, "SIGKILL");
    await vi.waitFor(() => expect(parley.output).toContain(`${name} is running again.`), {
      timeout: 30_000,
      interval: 50,
    });
    expect(find(parley, part).pid).not.toBe(dead.pid);
    await vi.waitFor(async () => expect(await signIn(parley.url, "ada@example.com")).toBe(200), {
      timeout: 20_000,
      interval: 100,
    });
  });

  test("refuses a second start on its data folder and says who has it", async () => {
    const failure = await startParley({ dataDir: parley.dataDir }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartFailure);
    expect((failure as StartFailure).code).toBe(75);
    expect((failure as StartFailure).output).toContain(
      `The data folder ${parley.dataDir} is in use by another Parley process (process `,
    );
    expect((failure as StartFailure).output).toContain(parley.url);
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  });

  test("lives beside a second one, and neither knows the other's people", async () => {
    const other = await startParley();
    try {
      expect(other.url).not.toBe(parley.url);
      expect(await signIn(other.url, "ada@example.com")).toBeGreaterThanOrEqual(400);
      expect(await signUp(other.url, "grace@example.com")).toBe(200);
      expect(await signIn(parley.url, "grace@example.com")).toBeGreaterThanOrEqual(400);
      expect(await signIn(parley.url, "ada@example.com")).toBe(200);
    } finally {
      await other.stop();
    }
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
  });
});

describe("stopping and killing", () => {
  const started: Parley[] = [];
  const start = async () => {
    const parley = await startParley();
    started.push(parley);
    return parley;
  };
  afterEach(async () => {
    for (const parley of started.splice(0)) await parley.stop();
  });

  test("one Ctrl-C ends everything soon, also with connections open", async () => {
    const parley = await start();
    const processes = parley.processes();
    expect(processes.length).toBeGreaterThanOrEqual(3);
    const open = createConnection(Number(new URL(parley.url).port), "127.0.0.1");
    open.on("error", () => undefined);
    open.write("POST /api/v1/auths/signin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
    const begin = performance.now();
    await parley.stop();
    expect(performance.now() - begin).toBeLessThan(soonMs);
    open.destroy();
    await vi.waitFor(() => expect(alive(processes)).toEqual([]), { timeout: soonMs });
    expect(await isListening(parley.url)).toBe(false);
  });

  test("kill -9 leaves nothing running, and the next start finds the data", async () => {
    const parley = await start();
    expect(await signUp(parley.url, "ada@example.com")).toBe(200);
    const processes = parley.processes();
    await parley.kill9();
    await vi.waitFor(() => expect(alive(processes)).toEqual([]), { timeout: soonMs });
    expect(await isListening(parley.url)).toBe(false);

    const { url } = parley;
    await parley.restart();
    expect(parley.url).toBe(url);
    expect(await signIn(parley.url, "ada@example.com")).toBe(200);
  });

  test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("%s to npm itself ends everything soon", async (signal) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "parley-npm-test-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const npm = spawn("npm", ["start"], {
      env: { ...process.env, PORT: "0", DATA: dataDir },
      stdio: ["ignore", "pipe", "pipe"],
    });
    npm.stderr.resume();
    let url = "";
    for await (const line of createInterface({ input: npm.stdout })) {
      url = /Parley is ready on (\S+)$/.exec(line)?.[1] ?? "";
      if (url !== "") break;
    }
    npm.stdout.resume();
    const processes = listBelow(npm.pid);
    expect(processes.map(({ command }) => command).join()).toMatch(/workerd serve/);
    npm.kill(signal);
    await vi.waitFor(() => expect(alive(processes)).toEqual([]), { timeout: soonMs });
    expect(await isListening(url)).toBe(false);
  });

  test("kill -9 of launcher and guard together is cleared up by the next start", async () => {
    const parley = await start();
    // A process for passwords, which starts only when it is needed.
    const signedUp = await fetch(`${parley.url}/api/v1/auths/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada", email: "ada@harbour.example", password: "correct horse battery" }),
    });
    expect(signedUp.status).toBe(200);
    const children = parley.processes().filter(({ command }) => /sqld|workerd serve/.test(command));
    expect(children).toHaveLength(3);
    onTestFinished(() => {
      for (const { pid } of alive(children)) process.kill(pid, "SIGKILL");
    });
    const scratch = /entry=unix:(\S+)\/control\.sock/.exec(find(parley, "entry=unix:").command)?.[1] ?? "";
    const guard = find(parley, "guard.sh");
    process.kill(guard.pid, "SIGSTOP");
    await parley.kill9();
    process.kill(guard.pid, "SIGKILL");
    expect(alive(children)).toHaveLength(3);
    expect(existsSync(scratch)).toBe(true);
    // They still hold the port; the new one finds them by the notes in the data folder.
    await parley.restart();
    await vi.waitFor(() => expect(alive(children)).toEqual([]), { timeout: soonMs });
    expect((await fetch(`${parley.url}/health`)).status).toBe(200);
    expect(existsSync(scratch)).toBe(false);
  });

  test("a guard that was killed is replaced and guards what already ran", async () => {
    const parley = await start();
    const children = parley.processes().filter(({ command }) => /sqld|workerd serve/.test(command));
    const guard = find(parley, "guard.sh");
    process.kill(guard.pid, "SIGKILL");
    await vi.waitFor(() => expect(find(parley, "guard.sh").pid).not.toBe(guard.pid), { timeout: soonMs });
    // From its first moment on: the launcher could be killed before it has told it anything.
    const { command } = find(parley, "guard.sh");
    for (const { pid } of children) expect(command.split(" ")).toContain(String(pid));
    await parley.kill9();
    await vi.waitFor(() => expect(alive(children)).toEqual([]), { timeout: soonMs });
  });
});

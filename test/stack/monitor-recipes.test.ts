import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { runHealthLevels, toPrometheus } from "../../monitor/parley-smoke.mjs";
import { readBlocks } from "../docs/read-blocks.ts";
import { type Parley, startParley } from "./start-parley.ts";

/*
 * The recipes of docs/monitors.md, copied from the page and run against a started service, as far as that goes without the
 * products themselves.
 */

const root = path.resolve(import.meta.dirname, "../..");
const recipes = new Map(
  readBlocks("docs/monitors.md").flatMap(({ mark, text }) =>
    mark.startsWith("recipe: ") ? [[mark.slice("recipe: ".length), text] as const] : [],
  ),
);
const recipe = (name: string) => {
  const text = recipes.get(name);
  if (text === undefined) throw new Error(`docs/monitors.md has no ${name}`);
  return text;
};

let parley: Parley;
let upstream: Server;
let admin: string;
let key: string;
let folder: string;

/** What a model of the page is called. */
const model = "gpt-5-mini";

async function call<T>(method: string, route: string, body?: object, token = admin): Promise<T> {
  const response = await fetch(parley.url + route, {
    method,
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

beforeAll(async () => {
  // A provider that repeats the last word it was told.
  upstream = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const json = (value: object) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
      if (request.url === "/v1/models") return json({ object: "list", data: [{ id: model, object: "model" }] });
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const content = `${messages.at(-1)?.content.split(" ").at(-1)}`;
      const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
      return json({ id: "c1", object: "chat.completion", created: 1, model, choices: [choice] });
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
  parley = await startParley({ env: { OPENAI_API_BASE_URLS: base, ENABLE_API_KEYS: "true" } });
  const person = { name: "Ada", email: "ada@harbour.example", password: "correct horse battery staple" };
  ({ token: admin } = await call<{ token: string }>("POST", "/api/v1/auths/signup", person, ""));
  const account = { name: "Monitor", free_probes: 60 };
  const { id } = await call<{ id: string }>("POST", "/api/v1/users/service_accounts", account);
  const fields = { name: "all", allowed_endpoints: "GET /api/models, POST /api/chat/completions" };
  ({ api_key: key } = await call<{ api_key: string }>("POST", `/api/v1/users/${id}/api_keys`, fields));
});
afterAll(async () => {
  await parley?.stop();
  upstream?.closeAllConnections();
  upstream?.close();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-recipes-"));
  mkdirSync(path.join(folder, "ci"));
  for (const file of ["parley-smoke.mjs", "parley-smoke.sh"])
    copyFileSync(path.join(root, "monitor", file), path.join(folder, "ci", file));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a program in the folder, with Node among the programs that there are. */
function run(file: string, args: string[], env: Record<string, string>): Promise<{ code: number; out: string }> {
  const programs = `${path.dirname(process.execPath)}:${process.env["PATH"]}`;
  return new Promise((resolve) => {
    const child = execFile(file, args, { cwd: folder, env: { PATH: programs, ...env } }, (_error, out, error) =>
      resolve({ code: child.exitCode ?? -1, out: out + error }),
    );
  });
}

test("Uptime Kuma: the headers and the body of level 3 bring an answer with the keyword, marked as a free probe", async () => {
  const headers = JSON.parse(recipe("kuma-headers.json").replace("sk-...", key)) as Record<string, string>;
  const models = await fetch(`${parley.url}/api/models`, { headers });
  expect(((await models.json()) as { data: unknown[] }).data.length > 0).toBe(true);
  const answer = await fetch(`${parley.url}/api/chat/completions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: recipe("kuma-body.json"),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("pong")]);
  const { calls } = await call<{ calls: object[] }>("GET", "/api/v1/usage/admin/calls");
  expect(calls[0]).toMatchObject({ is_probe: true, is_free: true, user_name: "Monitor" });
});

describe("Grafana's script", () => {
  /** k6's two modules, as far as the script uses them; a request is curl's. */
  const modules = {
    "k6/index.mjs": `export const check = (value, checks) => Object.entries(checks).every(([name, holds]) => {
      const ok = holds(value); console.log((ok ? "ok " : "FAILED ") + name); return ok; });
      export const fail = (why) => { throw new Error(why); };`,
    "k6/http.mjs": `import { execFileSync } from "node:child_process";
      const ask = (args, url, { headers = {} }) => {
        const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", name + ": " + value]);
        const text = execFileSync("curl", ["-s", "-w", "\\n%{http_code}", "--max-time", "20", ...sent, ...args, url], { encoding: "utf8" });
        const at = text.lastIndexOf("\\n");
        return { status: Number(text.slice(at + 1)), json: () => JSON.parse(text.slice(0, at)) };
      };
      export default { get: (url, options) => ask([], url, options), post: (url, body, options) => ask(["-d", body], url, options) };`,
    "k6/package.json": JSON.stringify({ name: "k6", exports: { ".": "./index.mjs", "./http": "./http.mjs" } }),
  };
  async function runScript(env: Record<string, string>) {
    mkdirSync(path.join(folder, "node_modules/k6"), { recursive: true });
    for (const [name, text] of Object.entries(modules)) writeFileSync(path.join(folder, "node_modules", name), text);
    writeFileSync(path.join(folder, "parley.mjs"), recipe("parley.js"));
    writeFileSync(
      path.join(folder, "run.mjs"),
      'globalThis.__ENV = process.env; (await import("./parley.mjs")).default();',
    );
    return run(process.execPath, ["run.mjs"], { PARLEY_URL: parley.url, PARLEY_MODEL: model, ...env });
  }

  test("passes all checks", async () => {
    const { code, out } = await runScript({ PARLEY_KEY: key });
    expect([code, out.trim().split("\n")]).toEqual([
      0,
      ["ok 1: the service is up", "ok 2: models are listed", "ok 3: a model answers"],
    ]);
  });

  test("fails at the level that does", async () => {
    expect(await runScript({ PARLEY_KEY: "sk-wrong" })).toMatchObject({
      code: 1,
      out: expect.stringContaining("level 2"),
    });
    expect((await runScript({ PARLEY_KEY: key, PARLEY_MODEL: "nothing" })).out).toContain("level 3");
  });
});

interface Module {
  http: {
    method?: string;
    valid_status_codes: number[];
    authorization?: { credentials_file: string };
    headers?: Record<string, string>;
    body?: string;
    fail_if_body_not_matches_regexp?: string[];
  };
}

/** Go's `(?i)` is a flag here. */
const matches = (pattern: string, text: string) =>
  new RegExp(pattern.replace("(?i)", ""), pattern.startsWith("(?i)") ? "i" : "").test(text);

describe("the blackbox exporter", () => {
  const { modules } = parse(recipe("blackbox.yml")) as { modules: Record<string, Module> };
  const { scrape_configs: jobs } = parse(recipe("prometheus.yml")) as {
    scrape_configs: { static_configs: { targets: string[]; labels: Record<string, string> }[] }[];
  };
  const targets = jobs.flatMap((job) => job.static_configs);

  test("has a module for each target, whose request brings success", async () => {
    expect(targets.map(({ labels }) => labels["level"])).toEqual(["1", "2", "3"]);
    for (const { targets: addresses, labels } of targets) {
      const { http } = modules[labels["__param_module"]!]!;
      const address = addresses[0]!.replace("https://parley.example.com", parley.url);
      const response = await fetch(address, {
        method: http.method ?? "GET",
        headers: { ...http.headers, ...(http.authorization ? { authorization: `Bearer ${key}` } : {}) },
        ...(http.body === undefined ? {} : { body: http.body }),
      });
      expect(http.valid_status_codes).toContain(response.status);
      const text = await response.text();
      for (const pattern of http.fail_if_body_not_matches_regexp ?? []) expect(matches(pattern, text)).toBe(true);
    }
  });

  test("does not take an empty list or another word for success", () => {
    const [models] = modules["parley_models"]!.http.fail_if_body_not_matches_regexp!;
    expect(matches(models!, '{"data": [], "object": "list"}')).toBe(false);
    expect(matches(models!, '{ "data" : [ {"id": "a"} ] }')).toBe(true);
    const [answer] = modules["parley_answer"]!.http.fail_if_body_not_matches_regexp!;
    expect(matches(answer!, '{"message":{"content":"ping"},"note":"pong"}')).toBe(false);
    expect(matches(answer!, '{"message":{"content": "Pong!"}}')).toBe(true);
  });

  test("its alerts are about metrics that there are", async () => {
    const report = await runHealthLevels({ url: parley.url, key, model, word: "pong", timeoutMs: 10_000 });
    const own = [...toPrometheus(report).matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1]);
    // Of the exporter itself.
    const known = new Set([...own, "probe_success", "probe_duration_seconds", "probe_ssl_earliest_cert_expiry"]);
    const { groups } = parse(recipe("parley-probe-alerts.yml")) as { groups: { rules: { expr: string }[] }[] };
    const used = groups.flatMap(({ rules }) =>
      rules.flatMap(({ expr }) => expr.match(/\b(?:probe|parley_smoke)_\w+/g)!),
    );
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});

test("GitHub's job passes, keeps a report, and fails with the level", async () => {
  interface Step {
    run?: string;
    env?: Record<string, string>;
  }
  const { jobs } = parse(recipe("github-actions.yml")) as { jobs: { smoke: { steps: Step[] } } };
  const step = jobs.smoke.steps.find(({ run: command }) => command !== undefined)!;
  expect(Object.keys(step.env!)).toEqual(["PARLEY_URL", "PARLEY_KEY"]);
  const env = { PARLEY_URL: parley.url, PARLEY_KEY: key };
  expect((await run("bash", ["-e", "-c", step.run!], env)).code).toBe(0);
  expect(JSON.parse(readFileSync(path.join(folder, "parley-report.json"), "utf8"))).toMatchObject({ ok: true, model });
  expect((await run("bash", ["-e", "-c", step.run!], { ...env, PARLEY_KEY: "sk-wrong" })).code).toBe(2);
});

test("GitLab's job passes, and fails with the level", async () => {
  const { "parley-smoke": job } = parse(recipe("gitlab-ci.yml")) as { "parley-smoke": { script: string[] } };
  const env = { PARLEY_URL: parley.url, PARLEY_KEY: key };
  const { code, out } = await run("sh", ["-e", "-c", job.script.join("\n")], env);
  expect([code, out.trim().split("\n")]).toEqual([0, expect.objectContaining({ length: 3 })]);
  expect((await run("sh", ["-e", "-c", job.script.join("\n")], { ...env, PARLEY_KEY: "sk-wrong" })).code).toBe(2);
});

test("the probes of Kubernetes are answered, and its job runs", async () => {
  interface Probe {
    httpGet?: { path: string; port: string };
    tcpSocket?: { port: string };
  }
  const [pod, job] = parseAllDocuments(recipe("kubernetes.yaml")).map((document) => document.toJS() as unknown) as [
    { spec: { containers: { startupProbe: Probe; readinessProbe: Probe; livenessProbe: Probe }[] } },
    {
      spec: {
        jobTemplate: { spec: { template: { spec: { containers: { command: string[]; env: { name: string }[] }[] } } } };
      };
    },
  ];
  const { startupProbe, readinessProbe, livenessProbe } = pod.spec.containers[0]!;
  for (const probe of [startupProbe, readinessProbe])
    expect((await fetch(parley.url + probe.httpGet!.path)).status).toBe(200);
  expect(livenessProbe.tcpSocket).toEqual({ port: "http" });
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(new URL(parley.url).port), "127.0.0.1", () => resolve(void socket.destroy()));
    socket.on("error", reject);
  });
  const { command, env } = job.spec.jobTemplate.spec.template.spec.containers[0]!;
  expect(env.map(({ name }) => name)).toEqual(["PARLEY_URL", "PARLEY_KEY"]);
  const args = command.slice(1).map((arg) => arg.replace("/smoke/", "ci/"));
  const { code, out } = await run(command[0]!, args, { PARLEY_URL: parley.url, PARLEY_KEY: key });
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true })]);
});

test("systemd's unit runs the file, with the key as a credential", async () => {
  const line = /^ExecStart=(.*)$/m.exec(recipe("parley-smoke.service"))![1]!;
  writeFileSync(path.join(folder, "key"), `${key}\n`);
  const command = line
    .replace("/usr/bin/node", process.execPath)
    .replace("/opt/parley/monitor/", "ci/")
    .replace("http://127.0.0.1:8080", parley.url)
    .replace("%d/", `${folder}/`)
    .split(" ");
  expect(await run(command[0]!, command.slice(1), {})).toMatchObject({ code: 0 });
});

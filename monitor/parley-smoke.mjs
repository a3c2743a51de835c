#!/usr/bin/env node
/**
 * The three levels of health of a Parley service, for monitors and CI. One file without dependencies, for Node 20 or newer, Deno and Bun:
 *
 *   node parley-smoke.mjs --url https://parley.example --key-file /run/parley-key
 *
 * Exit codes: 0 all levels passed; 1, 2 or 3 the first level that failed; 64 called wrongly; 74 a file cannot be read or written.
 */
import { realpathSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/**
 * @typedef {object} SmokeOptions
 * @property {string} url Base address without a slash at the end.
 * @property {string} key API key or token; without one levels 2 and 3 fail.
 * @property {string} [model] The first model of the list when absent.
 * @property {string} word What the model is asked to repeat.
 * @property {number} timeoutMs Of each level.
 * @property {1 | 2 | 3} [upTo] Stops after this level; 3 when absent.
 * @property {number} [maxTokens] How many tokens the model may write; no limit is sent when absent.
 */

/**
 * @typedef {object} LevelReport
 * @property {1 | 2 | 3} level
 * @property {string} name
 * @property {"ok" | "failed" | "skipped"} state `skipped`: one before it failed, or it was not asked for.
 * @property {number | null} duration_ms
 * @property {string | null} message What was found, or why the level failed.
 */

/**
 * What `--json` prints; report.schema.json describes it.
 * @typedef {object} SmokeReport
 * @property {1} version
 * @property {string} url
 * @property {string} started_at
 * @property {number} duration_ms
 * @property {boolean} ok
 * @property {1 | 2 | 3 | null} failed_level
 * @property {number | null} models How many models are listed.
 * @property {string | null} model Which model was asked.
 * @property {LevelReport[]} levels
 */

/** The service marks calls with this header in its ledger, so that reports tell them from those of people. */
const probeHeaders = { "x-parley-probe": "1" };

/** A level that was asked and did not pass; the message says why. */
class LevelFailure extends Error {}

/** The program was called wrongly, or a file cannot be used. */
class UsageError extends Error {
  /** @param {string} message @param {number} exitCode */
  constructor(message, exitCode = 64) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The levels in order; stops at the first failure, because later levels depend on it.
 * @param {SmokeOptions} options
 * @param {(level: LevelReport) => void} [tell] gets each level that ran, as soon as it is over
 * @returns {Promise<SmokeReport>}
 */
export async function runHealthLevels(options, tell = () => undefined) {
  const startedAt = new Date();
  const begin = performance.now();
  /** @type {{models: number | null, model: string | null}} */
  const found = { models: null, model: options.model ?? null };
  const checks = [
    { name: "the service is up", check: () => checkHealth(options) },
    {
      name: "models are listed",
      async check() {
        const ids = await listModels(options);
        found.models = ids.length;
        found.model ??= ids[0] ?? null;
        return `${ids.length} listed`;
      },
    },
    { name: "a model answers", check: () => complete(options, found.model ?? "") },
  ];
  /** @type {LevelReport[]} */
  const levels = [];
  /** @type {1 | 2 | 3 | null} */
  let failed = null;
  for (const [at, { name, check }] of checks.entries()) {
    const level = /** @type {1 | 2 | 3} */ (at + 1);
    if (failed !== null || level > (options.upTo ?? 3)) {
      levels.push({ level, name, state: "skipped", duration_ms: null, message: null });
      continue;
    }
    const levelBegin = performance.now();
    /** @type {Pick<LevelReport, "state" | "message">} */
    let outcome;
    try {
      outcome = { state: "ok", message: await check() };
    } catch (error) {
      outcome = { state: "failed", message: explain(error, options) };
      failed = level;
    }
    const report = { level, name, ...outcome, duration_ms: Math.round(performance.now() - levelBegin) };
    levels.push(report);
    tell(report);
  }
  return {
    version: 1,
    url: options.url,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(performance.now() - begin),
    ok: failed === null,
    failed_level: failed,
    ...found,
    levels,
  };
}

/**
 * One line for people.
 * @param {LevelReport} report
 */
export function levelLine({ level, name, state, duration_ms: duration, message }) {
  return state === "ok"
    ? `level ${level}: ok, ${name} (${message}), ${duration} ms`
    : `level ${level}: FAILED, ${message}, ${duration} ms`;
}

/** @param {SmokeOptions} options */
async function checkHealth(options) {
  const { status } = await request(options, "/health");
  return `HTTP ${status}`;
}

/** @param {SmokeOptions} options */
async function listModels(options) {
  const { json } = await request(options, "/api/models", { headers: authorization(options) });
  const data = /** @type {{data?: unknown} | undefined} */ (json)?.data;
  if (!Array.isArray(data)) throw new LevelFailure("the answer has no array `data`");
  if (data.length === 0)
    throw new LevelFailure("no model is listed: no provider can be reached, or this account has no access to models");
  return data.map((entry) => String(entry?.id));
}

/** @param {SmokeOptions} options @param {string} model */
async function complete(options, model) {
  const { json } = await request(options, "/api/chat/completions", {
    method: "POST",
    headers: { ...authorization(options), ...probeHeaders, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      stream: false,
      temperature: 0,
      ...(options.maxTokens === undefined ? {} : { max_tokens: options.maxTokens }),
      messages: [{ role: "user", content: `Reply with this one word and nothing else: ${options.word}` }],
    }),
  });
  const choice = /** @type {{choices?: {finish_reason?: unknown, message?: {content?: unknown}}[]} | undefined} */ (
    json
  )?.choices?.[0];
  const reply = choice?.message?.content;
  const wasCut = choice?.finish_reason === "length" ? ": its answer was cut, a larger --max-tokens may help" : "";
  if (typeof reply !== "string") throw new LevelFailure(`${model} sent no message${wasCut}`);
  if (!reply.toLowerCase().includes(options.word.toLowerCase())) {
    throw new LevelFailure(
      `the reply of ${model} does not contain "${options.word}"${wasCut}: ${JSON.stringify(reply.slice(0, 200))}`,
    );
  }
  return model;
}

/** @param {SmokeOptions} options @returns {Record<string, string>} */
function authorization({ key }) {
  return key === "" ? {} : { authorization: `Bearer ${key}` };
}

/**
 * @param {SmokeOptions} options
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<{status: number, json: unknown}>}
 */
async function request(options, path, init = {}) {
  const response = await fetch(options.url + path, { ...init, signal: AbortSignal.timeout(options.timeoutMs) });
  const body = await response.text();
  if (response.status !== 200)
    throw new LevelFailure(`HTTP ${response.status} from ${path}: ${body.slice(0, 300).trim() || "empty answer"}`);
  try {
    return { status: response.status, json: JSON.parse(body) };
  } catch {
    return { status: response.status, json: undefined };
  }
}

/** @param {unknown} error @param {SmokeOptions} options */
function explain(error, options) {
  if (error instanceof LevelFailure) return error.message.replace(/\s+/g, " ");
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${options.timeoutMs / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return `${error.message}${cause === "" || error.message.includes(cause) ? "" : ` (${cause})`}`.replace(/\s+/g, " ");
}

/**
 * The report in the text format of Prometheus, for the folder of a node exporter's textfile collector.
 * @param {SmokeReport} report
 */
export function toPrometheus(report) {
  const escaped = report.url.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
  const url = `url="${escaped}"`;
  const ran = report.levels.filter(({ state }) => state !== "skipped");
  /** @type {[name: string, help: string, samples: [labels: string, value: number][]][]} */
  const metrics = [
    ["parley_smoke_ok", "Whether all levels of health passed.", [[url, report.ok ? 1 : 0]]],
    ["parley_smoke_failed_level", "The first level that failed, 0 for none.", [[url, report.failed_level ?? 0]]],
    [
      "parley_smoke_level_ok",
      "Whether the level passed. A level after one that failed is not there.",
      ran.map(({ level, state }) => [`${url},level="${level}"`, state === "ok" ? 1 : 0]),
    ],
    [
      "parley_smoke_level_duration_seconds",
      "How long the level took.",
      ran.map(({ level, duration_ms: duration }) => [`${url},level="${level}"`, (duration ?? 0) / 1000]),
    ],
    ["parley_smoke_models", "How many models are listed.", report.models === null ? [] : [[url, report.models]]],
    [
      "parley_smoke_last_run_timestamp_seconds",
      "When the levels were last asked.",
      [[url, Math.round(Date.parse(report.started_at) / 1000)]],
    ],
  ];
  return metrics
    .filter(([, , samples]) => samples.length > 0)
    .map(
      ([name, help, samples]) =>
        `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${samples.map(([labels, value]) => `${name}{${labels}} ${value}\n`).join("")}`,
    )
    .join("");
}

/**
 * In place at once: a collector never reads half a file. The temporary file's name does not end in .prom, so it is not collected.
 * @param {string} file @param {string} text
 */
async function replaceFile(file, text) {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new UsageError(`cannot write ${file}: ${error instanceof Error ? error.message : error}`, 74);
  }
}

const help = `Usage: parley-smoke --url URL [options]

  --url URL            address of the service, with its base path; PARLEY_URL when left out, or http://127.0.0.1:8080
  --key KEY            API key; better in PARLEY_KEY or in a file, where the list of processes does not show it
  --key-file FILE      reads the key from a file
  --model MODEL        which model level 3 asks; the first of the list when left out
  --word WORD          what the model is asked to repeat; pong when left out
  --max-tokens NUMBER  how many tokens the model may write; 512 when left out, 0 sends no limit
  --timeout SECONDS    of each level; 60 when left out
  --level 1|2|3        stops after this level
  --json               prints a report as JSON instead of a line for each level
  --prometheus FILE    also writes the report for a node exporter, such as /var/lib/node_exporter/parley.prom
  --help               prints this

Exit codes: 0 all passed; 1, 2, 3 the first level that failed; 64 wrong arguments; 74 a file cannot be read or written.
`;

/**
 * @param {string[]} args
 * @returns {Promise<{options: SmokeOptions, json: boolean, prometheus: string | undefined} | undefined>} undefined for --help
 */
async function readArguments(args) {
  const { values } = parse(args);
  if (values.help) return undefined;
  const address = values.url ?? process.env["PARLEY_URL"] ?? "http://127.0.0.1:8080";
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UsageError(`--url is "${address}", expected an http or https address`);
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 3600)) throw new UsageError(`--timeout is "${values.timeout}", expected seconds`);
  if (values.word === "") throw new UsageError("--word is empty, expected a word for the model to repeat");
  if (!/^[123]$/.test(values.level)) throw new UsageError(`--level is "${values.level}", expected 1, 2 or 3`);
  if (!/^\d{1,9}$/.test(values["max-tokens"]))
    throw new UsageError(`--max-tokens is "${values["max-tokens"]}", expected a number`);
  const maxTokens = Number(values["max-tokens"]);
  return {
    options: {
      url: new URL(address).href.replace(/\/+$/, ""),
      key: await readKey(values.key, values["key-file"]),
      word: values.word,
      timeoutMs: seconds * 1000,
      upTo: /** @type {1 | 2 | 3} */ (Number(values.level)),
      ...(maxTokens === 0 ? {} : { maxTokens }),
      ...(values.model === undefined ? {} : { model: values.model }),
    },
    json: values.json,
    prometheus: values.prometheus,
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        url: { type: "string" },
        key: { type: "string" },
        "key-file": { type: "string" },
        model: { type: "string" },
        word: { type: "string", default: "pong" },
        "max-tokens": { type: "string", default: "512" },
        timeout: { type: "string", default: "60" },
        level: { type: "string", default: "3" },
        json: { type: "boolean", default: false },
        prometheus: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string | undefined} key @param {string | undefined} file */
async function readKey(key, file) {
  if (key !== undefined && file !== undefined) throw new UsageError("--key and --key-file exclude each other");
  if (file === undefined) return (key ?? process.env["PARLEY_KEY"] ?? "").trim();
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`, 74);
  }
}

/**
 * The program.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function main(args) {
  try {
    const read = await readArguments(args);
    if (read === undefined) {
      process.stdout.write(help);
      return 0;
    }
    const { options, json, prometheus } = read;
    const report = await runHealthLevels(options, (level) => {
      if (!json) process.stdout.write(`${levelLine(level)}\n`);
    });
    if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    if (prometheus !== undefined) await replaceFile(prometheus, toPrometheus(report));
    return report.failed_level ?? 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

/** Whether this file is the program, not a part of another one. Node says so by itself only from 24.2 on. */
function isProgram() {
  const { main: isMain } = /** @type {{main?: boolean}} */ (import.meta);
  if (isMain !== undefined) return isMain;
  const [, started] = process.argv;
  return started !== undefined && realpathSync(started) === fileURLToPath(import.meta.url);
}

if (isProgram()) process.exitCode = await main(process.argv.slice(2));

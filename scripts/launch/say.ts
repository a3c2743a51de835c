import process from "node:process";
import { hideSecrets } from "../../src/lib/hide-secrets.ts";
import {
  isLogged,
  type LogEntry,
  type LogFormat,
  logFormats,
  type LogLevel,
  logLevels,
  renderLine,
} from "../../src/lib/log-line.ts";

interface Output {
  format: LogFormat;
  threshold: LogLevel;
  /** A person looks at the start in a terminal: its lines come as they are. */
  isFriendly: boolean;
}

/** Undefined in tools, which tell a person what they do. */
let log: Output | undefined;

/** From now on everything is a line of the log, by LOG_FORMAT and LOG_LEVEL; wrong ones are told by what checks the settings. */
export function beginLog(env: NodeJS.ProcessEnv): void {
  const format = logFormats.find((each) => each === env["LOG_FORMAT"]?.trim()) ?? "text";
  const threshold = logLevels.find((each) => each === env["LOG_LEVEL"]?.trim()) ?? "info";
  log = { format, threshold, isFriendly: format === "text" && process.stdout.isTTY };
}

/** The start is over: a terminal too gets lines with their time. */
export function endFriendlyLines(): void {
  if (log) log.isFriendly = false;
}

/**
 * Prints one line for the person who started Parley.
 * @param known a part of it that is no secret, though it may look like one: the service's own address
 */
export function say(line: string, known?: string): void {
  tell("info", line, known);
}

/** As `say`, for errors. */
export function complain(line: string, level: LogLevel = "error"): void {
  tell(level, line);
}

function tell(level: LogLevel, line: string, known?: string): void {
  if (log === undefined || log.isFriendly) return put(level, line);
  const message = known === undefined ? hideSecrets(line) : line.split(known).map(hideSecrets).join(known);
  logEntry({ time: new Date().toISOString(), level, part: "launcher", message });
}

/** Writes a line that a part of the service has said; tools do not. */
export function logEntry(entry: LogEntry): void {
  if (log === undefined || !isLogged(entry.level, log.threshold)) return;
  const { format } = log;
  // As text, each line has its time and level.
  const messages =
    format === "text" ? entry.message.split("\n").filter((line) => line.trim() !== "") : [entry.message.trim()];
  for (const message of messages) put(entry.level, renderLine({ ...entry, message }, format));
}

function put(level: LogLevel, line: string): void {
  (level === "error" || level === "warn" ? process.stderr : process.stdout).write(`${line}\n`);
}

/** Keeps the service running if the reader of its output ends (`npm start | head`). */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Runs a step of the start and prints it with its duration. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  say(`  ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  return result;
}

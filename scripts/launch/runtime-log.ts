import { hideSecrets } from "../../src/lib/hide-secrets.ts";
import { type LogEntry, type LogLevel, logLevels } from "../../src/lib/log-line.ts";
import { logEntry } from "./say.ts";

/** The runtime's own words that mean nothing to a person: the fence at work, and its startup cache. */
const noise = /is not allowed|failed to lookup address|NOSENTRY|disconnected:/;

/** Writes one line of workerd's output: the Workers' own log, and what the runtime says itself. */
export function printRuntimeLine(line: string): void {
  if (line.trim() === "") return;
  const said = parse(line);
  const message = String(said?.["message"] ?? line);
  const own = said?.["source"] === undefined ? parse(message) : undefined;
  if (own !== undefined && isEntry(own)) {
    logEntry(own);
    return;
  }
  const level = levelOf(said?.["level"]) ?? "error";
  const isRuntime = said === undefined || said["source"] !== undefined;
  logEntry({
    time: new Date().toISOString(),
    // Only what somebody looks for who looks for a fault.
    level: isRuntime && (level === "info" || noise.test(message)) ? "debug" : level,
    part: isRuntime ? "runtime" : "service",
    message: hideSecrets(message),
  });
}

/** What sqld says at each of its ends. */
const databaseNoise = /server loop exited/;

/** As sqld writes it: time, level, the place in its sources, text. */
const databaseLine = /^\s*(?:\d{4}-\S+Z\s+)?(ERROR|WARN|INFO|DEBUG|TRACE)\s+(.*)$/;

/** Writes one line of sqld's output. @param serves while it does not, the launcher tells what is wrong */
export function printDatabaseLine(line: string, serves: boolean): void {
  if (line.trim() === "") return;
  const [, level = "WARN", message = line] = databaseLine.exec(line) ?? [];
  logEntry({
    time: new Date().toISOString(),
    level: !serves || databaseNoise.test(message) ? "debug" : (levelOf(level.toLowerCase()) ?? "debug"),
    part: "database",
    message: hideSecrets(message),
  });
}

const levelOf = (level: unknown): LogLevel | undefined => logLevels.find((each) => each === level);

const isEntry = (value: Record<string, unknown>): value is LogEntry =>
  levelOf(value["level"]) !== undefined && ["time", "part", "message"].every((name) => typeof value[name] === "string");

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

import { hideSecrets, isSecretName } from "./hide-secrets.ts";
import { isLogged, type LogLevel, renderLine } from "./log-line.ts";

/** Lines of the log; `fields` never contain secrets, message texts or tokens. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Of the whole isolate, as its console is. */
const written = { threshold: "info" as LogLevel, secrets: [] as readonly string[] };

/** @param secrets values of the environment that are in no line, wherever they come from */
export function configureLog(threshold: LogLevel, secrets: readonly string[]): void {
  written.threshold = threshold;
  written.secrets = secrets;
}

const maxDepth = 6;
const maxText = 8000;

const withoutKnown = (text: string) => written.secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);

/** It looks like a secret and is none. */
function isTraceId(name: string, value: unknown): value is string {
  return name === "trace_id" && typeof value === "string" && /^[\da-f]{32}$/.test(value);
}

/** A value as JSON takes it, without secrets. JSON drops the cause of errors, so it is written explicitly: name, message and stack. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return hideSecrets(withoutKnown(value.slice(0, maxText)));
  }
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth >= maxDepth) return "…";
  if (value instanceof Error) {
    return {
      name: value.name,
      message: plain(value.message, depth),
      stack: plain(value.stack, depth),
      ...(value.cause ? { cause: plain(value.cause, depth + 2) } : {}),
    };
  }
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (isSecretName(name)) return [name, "…"];
      return [name, isTraceId(name, each) ? withoutKnown(each) : plain(each, depth + 1)];
    }),
  );
}

/** As JSON; on one machine the launcher turns it into the form that LOG_FORMAT names. */
function write(level: LogLevel, say: (line: string) => void) {
  return (message: string, fields: Record<string, unknown> = {}) => {
    if (!isLogged(level, written.threshold)) return;
    const time = new Date().toISOString();
    const shown = plain(fields) as Record<string, unknown>;
    say(renderLine({ ...shown, time, level, part: "service", message: String(plain(message)) }, "json"));
  };
}

export const consoleLog: Log = {
  debug: write("debug", (line) => console.log(line)),
  info: write("info", (line) => console.log(line)),
  warn: write("warn", (line) => console.warn(line)),
  error: write("error", (line) => console.error(line)),
};

/** The same log, with fields in each line: the id of a request. */
export function logWith(log: Log, fields: Record<string, unknown>): Log {
  const more = (level: LogLevel) => (message: string, own?: Record<string, unknown>) =>
    log[level](message, { ...own, ...fields });
  return { debug: more("debug"), info: more("info"), warn: more("warn"), error: more("error") };
}

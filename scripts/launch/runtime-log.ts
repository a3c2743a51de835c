import { complain, say } from "./say.ts";

interface LogEntry {
  level: string;
  message: string;
  /** Set on what the runtime itself says, absent on what a Worker logs. */
  source?: string;
}

/** The runtime's own words that mean nothing to a person: the fence at work, and its startup cache. */
const noise = /is not allowed|failed to lookup address|NOSENTRY|disconnected:/;

/** Prints one line of workerd's output: the Workers' own logs, and important lines of the runtime. */
export function printRuntimeLine(line: string): void {
  const entry = parse(line);
  if (entry === undefined) {
    if (line.trim() !== "") complain(line);
    return;
  }
  if (entry.source !== undefined && (noise.test(entry.message) || entry.level === "info" || entry.level === "debug"))
    return;
  if (entry.level === "error" || entry.level === "warn") complain(entry.message);
  else say(entry.message);
}

function parse(line: string): LogEntry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value = JSON.parse(line) as Partial<LogEntry>;
    if (typeof value.level !== "string" || typeof value.message !== "string") return undefined;
    return value as LogEntry;
  } catch {
    return undefined;
  }
}

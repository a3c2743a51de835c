/** From what must be seen to what only helps to find a fault. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** What one line of the log says. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  time: string;
  level: LogLevel;
  /** Which part of the service says it. */
  part: string;
  message: string;
  [field: string]: unknown;
}

/** Whether a line is important enough to be written. */
export function isLogged(level: LogLevel, threshold: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(threshold);
}

/** One line, without its end. As text: time, level, part, message, then `name=value` for each field. */
export function renderLine({ time, level, part, message, ...fields }: LogEntry, format: LogFormat): string {
  if (format === "json") return JSON.stringify({ time, level, part, message, ...fields });
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${renderValue(value)}`);
  return [time, level.padEnd(5), part, oneLine(message), ...shown].join(" ");
}

const oneLine = (text: string) => text.trim().replaceAll(/\s*[\r\n]+\s*/g, " | ");

function renderValue(value: unknown): string {
  return typeof value === "string" && /^[\w./:@…-]+$/.test(value) ? value : (JSON.stringify(value) ?? "null");
}

/** Structured lines on standard output; `fields` never contain secrets, message texts or tokens. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** JSON drops the cause of errors, so it is written explicitly: name, message and stack, three levels deep. */
function plain(value: unknown, depth = 0): unknown {
  if (!(value instanceof Error)) return value;
  return {
    name: value.name,
    message: value.message,
    stack: value.stack,
    ...(value.cause && depth < 3 ? { cause: plain(value.cause, depth + 1) } : {}),
  };
}

function line(level: string, message: string, fields: Record<string, unknown> = {}): string {
  const shown = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, plain(value)]));
  return JSON.stringify({ level, message, ...shown });
}

export const consoleLog: Log = {
  info: (message, fields) => console.log(line("info", message, fields)),
  warn: (message, fields) => console.warn(line("warn", message, fields)),
  error: (message, fields) => console.error(line("error", message, fields)),
};

/**
 * Whether the error is a broken unique constraint; with `column` (`table.column`), of that column.
 * libSQL names the columns in the message only: `UNIQUE constraint failed: users.email`.
 */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if (/UNIQUE constraint failed|PRIMARY KEY constraint/i.test(current.message)) return column === undefined || current.message.includes(column);
  }
  return false;
}

/** Whether the error says that a row refers to one that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 4; current = current.cause, depth++) {
    if (/FOREIGN KEY constraint failed/i.test(current.message)) return true;
  }
  return false;
}

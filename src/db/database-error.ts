/** Drizzle wraps what libSQL says, and libSQL says what broke in words only; so all messages of the chain are looked at. */
function says(error: unknown, pattern: RegExp): string | undefined {
  for (
    let current: unknown = error, depth = 0;
    current instanceof Error && depth < 4;
    current = current.cause, depth++
  ) {
    if (pattern.test(current.message)) return current.message;
  }
  return undefined;
}

/** Whether a unique constraint failed; with `column` (`table.column`), that of the column. */
export function isUniqueViolation(error: unknown, column = ""): boolean {
  return says(error, /UNIQUE constraint failed|PRIMARY KEY constraint/i)?.includes(column) ?? false;
}

/** Whether a column (`table.column`) that cannot be empty was. */
export function isMissingValue(error: unknown, column: string): boolean {
  return says(error, /NOT NULL constraint failed/i)?.includes(column) ?? false;
}

/** Whether a foreign key constraint failed. */
export function isForeignKeyViolation(error: unknown): boolean {
  return says(error, /FOREIGN KEY constraint failed/i) !== undefined;
}

/** Whether any constraint failed: the rows are wrong, not the database. */
export function isConstraintViolation(error: unknown): boolean {
  return says(error, /constraint failed|SQLITE_CONSTRAINT/i) !== undefined;
}

/** Whether the database rejected the work because it was busy, before any of it was done: it can be retried. */
export function isBusy(error: unknown): boolean {
  return says(error, /SQLITE_BUSY|database is locked|HTTP status 429/) !== undefined;
}

export function isMissingTable(error: unknown): boolean {
  return says(error, /no such table/i) !== undefined;
}

/** Whether the answer would have been larger than the database sends. */
export function isTooLarge(error: unknown): boolean {
  return says(error, /RESPONSE_TOO_LARGE/) !== undefined;
}

/** Whether a trigger refused to delete something that a legal hold keeps. */
export function isLegalHold(error: unknown): boolean {
  return says(error, /LEGAL_HOLD/) !== undefined;
}

/** Whether a value was larger than the database takes (db/value-size.ts). */
export function isTooLargeForValue(error: unknown): boolean {
  return says(error, /string or blob too big/) !== undefined;
}

/** Whether there was no room for the write on the disk. */
export function isDiskFull(error: unknown): boolean {
  return says(error, /SQLITE_FULL|database or disk is full/i) !== undefined;
}

/** Whether the write took too long and was stopped: by us (workers/database/time-writes.ts), or by sqld itself. */
export function isStopped(error: unknown): boolean {
  return says(error, /WRITE_TIMEOUT|TRANSACTION_TIMEOUT/) !== undefined;
}

import { createRequire } from "node:module";

/** A prepared statement of `libsql`, as far as `@libsql/client` uses it. */
interface Statement {
  safeIntegers(on: boolean): unknown;
  /** @throws for one that returns no rows */
  raw(on: boolean): unknown;
  columns(): unknown;
  all(args: unknown): unknown[];
  run(args: unknown): unknown;
}

interface Database {
  prepare(sql: string): Statement;
  close(): void;
}

/** After these, what was prepared before may be out of date. */
const changesSchema = /^\s*(?:CREATE|DROP|ALTER|ATTACH|DETACH|PRAGMA|VACUUM)\b/i;

const kept = new WeakMap<Database, Map<string, Statement>>();

/**
 * The driver prepares each statement anew, which took almost half of what tests spent on the database. A world says the same
 * few hundred texts again and again: its connection keeps them prepared.
 */
export function keepStatements(): void {
  const ofClient = createRequire(createRequire(import.meta.url).resolve("@libsql/client"));
  const { prototype } = ofClient("libsql") as { prototype: Database };
  const { prepare, close } = prototype;
  prototype.prepare = function (sql) {
    if (changesSchema.test(sql)) {
      kept.delete(this);
      return prepare.call(this, sql);
    }
    const statements = kept.get(this) ?? new Map<string, Statement>();
    kept.set(this, statements);
    let statement = statements.get(sql);
    if (!statement) {
      statement = remembering(prepare.call(this, sql), () => statements.delete(sql));
      statements.set(sql, statement);
    }
    return statement;
  };
  prototype.close = function () {
    kept.delete(this);
    close.call(this);
  };
}

/** @param forget called when it has failed: it may be in the middle of its rows */
function remembering(statement: Statement, forget: () => void): Statement {
  statement.safeIntegers(true);
  let returnsNothing: unknown;
  try {
    statement.raw(true);
  } catch (error) {
    returnsNothing = error;
  }
  const columns = returnsNothing === undefined ? statement.columns() : undefined;
  const careful = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      forget();
      throw error;
    }
  };
  return {
    safeIntegers: () => undefined,
    raw() {
      if (returnsNothing !== undefined) throw returnsNothing;
    },
    columns: () => columns,
    all: (args) => careful(() => statement.all(args)),
    run: (args) => careful(() => statement.run(args)),
  };
}

import { Buffer } from "node:buffer";
import {
  LibsqlBatchError,
  LibsqlError,
  type Client,
  type InStatement,
  type ResultSet,
  type Row,
} from "@libsql/client/web";
import { isReadOnly } from "../../src/db/is-read-only.ts";
import { valuesOfRow } from "../../src/db/map-rows.ts";
import { withMethods } from "../../src/db/with-methods.ts";

/** What a statement answered, in Hrana's JSON. https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md */
interface HranaResult {
  cols: { name: string | null }[];
  rows: HranaValue[][];
}

interface HranaValue {
  type: "null" | "integer" | "float" | "text" | "blob";
  value?: string | number;
  base64?: string;
}

interface HranaError {
  message: string;
  code?: string;
}

interface HranaStatement {
  sql: string;
  args?: HranaValue[];
  want_rows: boolean;
}

interface BatchResult {
  step_results: (HranaResult | null)[];
  step_errors: (HranaError | null)[];
}

interface HranaAnswer<Result> {
  results: [{ response: { result: Result } } | { error: HranaError }, ...unknown[]];
}

/**
 * The client, but reads go to the gate without it: it makes a stream, a request and an answer for each, and describes every value of
 * a row (measured: a third of the processor time of a page of chats). Where all are reads, it is not even made.
 * @param open makes the client
 * @param pipeline runs a Hrana pipeline that only reads at the gate; undefined where it has to be sent by the client
 */
export function readAtGate(open: () => Client, pipeline: (body: string) => Promise<string | undefined>): Client {
  async function ask<Result>(request: Record<string, unknown>): Promise<Result | undefined> {
    const answer = await pipeline(JSON.stringify({ requests: [request, { type: "close" }] }));
    if (!answer) return undefined;
    const [first] = (JSON.parse(answer) as HranaAnswer<Result>).results;
    if ("error" in first) throw errorOf(first.error);
    return first.response.result;
  }

  const execute: Client["execute"] = async (statement: InStatement): Promise<ResultSet> => {
    const stmt = readOf(statement);
    const result = stmt && (await ask<HranaResult>({ type: "execute", stmt }));
    return result ? resultOf(result) : open().execute(statement);
  };

  const batch: Client["batch"] = async (statements, mode): Promise<ResultSet[]> => {
    const reads = statements.flatMap((each) => (Array.isArray(each) ? [] : (readOf(each) ?? [])));
    const isRead = mode === "read" && reads.length === statements.length;
    const result = isRead && (await ask<BatchResult>({ type: "batch", batch: { steps: stepsOf(reads) } }));
    if (!result) return open().batch(statements, mode);
    const failed = result.step_errors.findIndex((error) => error !== null);
    if (failed !== -1) throw errorOf(result.step_errors[failed]!, failed > reads.length ? -1 : failed - 1);
    return reads.map((_, at) => resultOf(result.step_results[at + 1]!));
  };
  return withMethods(open, { execute, batch });
}

/** In one transaction, so all see the same state. */
function stepsOf(reads: readonly HranaStatement[]): object[] {
  const control = (sql: string): HranaStatement => ({ sql, want_rows: false });
  const inside = [control("BEGIN TRANSACTION READONLY"), ...reads, control("COMMIT")];
  const steps = inside.map((stmt, at) => (at === 0 ? { stmt } : { stmt, condition: { type: "ok", step: at - 1 } }));
  const isOpen = { type: "not", cond: { type: "ok", step: inside.length - 1 } };
  return [...steps, { stmt: control("ROLLBACK"), condition: isOpen }];
}

/** @param at which statement of a batch it is; -1 for none of them */
function errorOf({ message, code = "UNKNOWN" }: HranaError, at = -1): LibsqlError {
  return at === -1 ? new LibsqlError(message, code) : new LibsqlBatchError(message, at, code);
}

/** As Hrana has it; undefined for what the client itself has to send. */
function readOf(statement: InStatement): HranaStatement | undefined {
  if (typeof statement === "string" || !Array.isArray(statement.args) || !isReadOnly(statement.sql)) return undefined;
  const args: HranaValue[] = [];
  for (const value of statement.args) {
    if (typeof value === "string") args.push({ type: "text", value });
    // As the client does: all numbers are floats, and columns of integers make integers of them.
    else if (typeof value === "number" && Number.isFinite(value)) args.push({ type: "float", value });
    else if (typeof value === "boolean") args.push({ type: "integer", value: value ? "1" : "0" });
    else if (value === null) args.push({ type: "null" });
    else return undefined;
  }
  return { sql: statement.sql, args, want_rows: true };
}

function resultOf({ cols, rows }: HranaResult): ResultSet {
  const columns = cols.map(({ name }) => name ?? "");
  // Of two columns with one name it is the first. As with the client, none is called as what a row has anyway.
  const own = new Set(["length", ...columns.keys()].map(String));
  const names = columns.flatMap((name, at) =>
    cols[at]!.name === null || own.has(name) || columns.indexOf(name) < at ? [] : [[name, at] as const],
  );
  GateRow.reach(columns.length);
  return {
    columns,
    columnTypes: [],
    rows: rows.map((values) => new GateRow(names, values.map(valueOf)) as unknown as Row),
    rowsAffected: 0,
    lastInsertRowid: undefined,
    toJSON: () => ({ columns, rows }),
  };
}

function valueOf({ type, value, base64 }: HranaValue): Row[string] {
  if (type === "integer") {
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large for a number`);
    return number;
  }
  if (type === "blob") return new Uint8Array(Buffer.from(base64!, "base64")).buffer;
  return value ?? null;
}

/** The values by the names of their columns; by their numbers and as a list too, but these are not its own keys. */
class GateRow {
  [name: string]: unknown;
  readonly #values: Row[string][];

  constructor(names: readonly (readonly [name: string, at: number])[], values: Row[string][]) {
    this.#values = values;
    for (const [name, at] of names) {
      if (name in GateRow.prototype)
        Object.defineProperty(this, name, { value: values[at], enumerable: true, configurable: true, writable: true });
      else this[name] = values[at];
    }
  }

  static #reached = 0;

  /** To be called before rows with so many columns are made. */
  static reach(count: number): void {
    for (; this.#reached < count; this.#reached++) {
      const at = this.#reached;
      Object.defineProperty(this.prototype, at, {
        get(this: GateRow) {
          return this.#values[at];
        },
      });
    }
  }

  get length(): number {
    return this.#values.length;
  }

  get [valuesOfRow](): readonly unknown[] {
    return this.#values;
  }
}

import { Buffer } from "node:buffer";
import { LibsqlError, type Client, type InStatement, type ResultSet, type Row } from "@libsql/client/web";
import { isReadOnly } from "../../src/db/is-read-only.ts";
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

interface HranaAnswer {
  results: [{ response: { result: HranaResult } } | { error: { message: string; code?: string } }, ...unknown[]];
}

/**
 * The client, but single reads go to the gate without it: it makes a stream, a request and an answer for each, and describes every
 * value of a row (measured: a third of the processor time of a page of chats).
 * @param pipeline runs a Hrana pipeline at the gate; undefined where it has to be sent by the client
 */
export function readAtGate(client: Client, pipeline: (body: string) => Promise<string | undefined>): Client {
  const execute: Client["execute"] = async (statement: InStatement): Promise<ResultSet> => {
    const stmt = readOf(statement);
    const answer =
      stmt && (await pipeline(JSON.stringify({ requests: [{ type: "execute", stmt }, { type: "close" }] })));
    if (!answer) return client.execute(statement);
    const [first] = (JSON.parse(answer) as HranaAnswer).results;
    if ("error" in first) throw new LibsqlError(first.error.message, first.error.code ?? "UNKNOWN");
    return resultOf(first.response.result);
  };
  return withMethods(client, { execute });
}

/** As Hrana has it; undefined for what the client itself has to send. */
function readOf(statement: InStatement): { sql: string; args: HranaValue[]; want_rows: true } | undefined {
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

/** The values by the names of their columns; by their numbers too, but these are not listed. */
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
}

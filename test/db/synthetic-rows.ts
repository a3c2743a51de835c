import type { Client, InValue } from "@libsql/client";

interface Column {
  name: string;
  type: string;
  isRequired: boolean;
  isKey: boolean;
  /** Table and column that it points to. */
  target: { table: string; column: string } | undefined;
}

export interface SyntheticTable {
  name: string;
  columns: Column[];
}

/** Rows of every table: enough to tell them apart. */
const rowsPerTable = 2;
/** A moment of the past, so that nothing is due or new. */
const moment = 1_700_000_000;

/** The tables that hold data, those that others point to first. Full-text indexes and their parts are made by triggers. */
export async function listTables(client: Client): Promise<SyntheticTable[]> {
  const { rows } = await client.execute(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'schema_%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'libsql_%' ORDER BY name",
  );
  const virtual = rows.filter(({ sql }) => /^CREATE VIRTUAL/i.test(String(sql))).map(({ name }) => String(name));
  const names = rows
    .map(({ name }) => String(name))
    .filter((name) => !virtual.some((index) => name === index || name.startsWith(`${index}_`)));
  const tables: SyntheticTable[] = [];
  for (const name of names) {
    const [{ rows: columns }, { rows: keys }] = await Promise.all([
      client.execute(`SELECT * FROM pragma_table_info('${name}')`),
      client.execute(`SELECT * FROM pragma_foreign_key_list('${name}')`),
    ]);
    tables.push({
      name,
      columns: columns.map((column) => {
        const key = keys.find(({ from }) => from === column["name"]);
        return {
          name: String(column["name"]),
          type: String(column["type"]).toUpperCase(),
          isRequired: column["notnull"] === 1 && column["dflt_value"] === null,
          isKey: column["pk"] !== 0,
          target: key && { table: String(key["table"]), column: String(key["to"] ?? "id") },
        };
      }),
    });
  }
  return inOrder(tables);
}

function inOrder(tables: SyntheticTable[]): SyntheticTable[] {
  const placed: SyntheticTable[] = [];
  let left = tables;
  while (left.length > 0) {
    const isReady = ({ name, columns }: SyntheticTable) =>
      columns.every(
        ({ target }) => !target || target.table === name || placed.some((table) => table.name === target.table),
      );
    const ready = left.filter(isReady);
    // A circle: rows point to each other, and foreign keys are looked at in the end.
    placed.push(...(ready.length > 0 ? ready : left));
    left = ready.length > 0 ? left.filter((table) => !ready.includes(table)) : [];
  }
  return placed;
}

/**
 * Writes rows into every table, by its shape alone: keys that fit, times of the past, and a value of its own in each other column
 * that needs one.
 */
export async function fillTables(client: Client, tables: readonly SyntheticTable[]): Promise<void> {
  await client.execute("PRAGMA foreign_keys = OFF");
  for (const table of tables) {
    for (let row = 1; row <= rowsPerTable; row++) {
      const columns = table.columns.filter(({ isRequired, isKey, target }) => isRequired || isKey || target);
      const values = columns.map((column) => valueOf(tables, table, column, row));
      await client.execute({
        // Triggers may have made the row already.
        sql: `INSERT OR IGNORE INTO "${table.name}" (${columns.map(({ name }) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
        args: values,
      });
    }
  }
}

function valueOf(tables: readonly SyntheticTable[], table: SyntheticTable, column: Column, row: number): InValue {
  const { name, type, target } = column;
  if (target) {
    // The first of all has nobody above it.
    if (target.table === table.name) return null;
    const to = tables.find((other) => other.name === target.table)!;
    return valueOf(
      tables,
      to,
      to.columns.find((other) => other.name === target.column)!,
      row,
    );
  }
  const isId = column.isKey && (name === "id" || table.columns.filter(({ isKey }) => isKey).length === 1);
  if (isId) return type.includes("INT") ? row : `${table.name}-${row}`;
  if (/_at$|^at$|^expires|^day$/.test(name)) return moment + row;
  if (type.includes("INT")) return row;
  if (type === "REAL") return row / 2;
  if (type.includes("BLOB")) return new Uint8Array(16).fill(row).buffer;
  return JSON.stringify({ [`${table.name}.${name}`]: row });
}

/** A row of the database that is read. JSON columns are text in SQLite, and values in Postgres: see `read-values.ts`. */
export type Row = Readonly<Record<string, unknown>>;

/** The database of another product, which is only read. All reads see the same moment. */
export interface RowSource {
  /** The columns that the table has; none for a table that there is not. */
  columns(table: string): Promise<ReadonlySet<string>>;
  /** All rows in the order of `by` (the primary key), a few at a time in memory, however large they are. */
  rows(table: string, by?: string): AsyncIterable<Row>;
  /** The rows whose column has one of these values, in the order of `by`. For a page of parents, not for a whole table. */
  rowsOf(table: string, column: string, values: readonly string[], by?: string): Promise<Row[]>;
  count(table: string): Promise<number>;
}

/** Bytes that are about to be read. */
export interface OpenFile {
  size: number;
  /** Browsers send no streams. */
  body: ReadableStream<Uint8Array> | Blob;
  /** Reads all of it once more, where that is possible. Hexadecimal. */
  sha256?: () => Promise<string>;
}

/** Bytes that belong to rows: a folder, or a bucket. */
export interface Uploads {
  /** Undefined where there is no such file. @param path as the row has it: relative, absolute, or an address of a bucket */
  open(path: string): Promise<OpenFile | undefined>;
}

/** A record for `POST /api/v1/imports/{id}/records` (src/imports/schema.ts). */
export interface ImportedRecord {
  kind: string;
  id: string;
  [field: string]: unknown;
}

/** A file for `PUT /api/v1/imports/{id}/files/{file}`. */
export interface ImportedFile {
  id: string;
  person_id: string;
  name: string;
  content_type?: string;
  /** Epoch seconds. */
  created_at?: number;
  /** What is kept with it, as JSON. */
  meta?: string;
  /** What is different from the source: a sentence for the report. */
  note?: string;
}

/** What a row of the source becomes. */
export type Translated =
  | { record: ImportedRecord }
  | { file: ImportedFile; open: () => Promise<OpenFile | undefined> }
  /** Not sent at all; the report has it. */
  | { leftOut: { kind: string; id: string; reason: string } };

export interface Reading {
  source: RowSource;
  uploads: Uploads;
  /** Opens what the source has sealed, where it was given. */
  secret?: string | undefined;
}

/** Reads one kind of thing. */
export interface Reader {
  /** As `--only` names it: `people`. */
  name: string;
  /** The tables that are counted for the progress. */
  tables: readonly string[];
  /** How many records one request may send, where each takes long. */
  maxRecords?: number;
  read(reading: Reading): AsyncIterable<Translated>;
}

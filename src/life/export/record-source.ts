import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";

/** What is exported. */
export interface Extent {
  /** Whose data; null for that of the whole service. */
  personId: string | null;
  /** Whether sealed secrets go along in the clear. */
  withSecrets: boolean;
}

export type ExportedRecord = Record<string, unknown>;

/** Where the records of a kind come from. */
export interface RecordSource {
  /** SQL that makes the JSON of a record. */
  row: SQL;
  /** The rest of the SELECT up to its conditions; rows are `t`. */
  from: SQL;
  /** What pages go by: unique together. The first one is in an index. */
  order: readonly string[];
  /** Rows of a page, where each may be large. */
  pageLength?: number;
  /** What SQL cannot do. Undefined: it is no record after all. */
  finish?(
    ctx: Context,
    record: ExportedRecord,
    extent: Extent,
  ): Promise<ExportedRecord | undefined> | ExportedRecord | undefined;
}

/** A kind of record, for what is exported; undefined where it is not a part of that. */
export type RecordKind = (extent: Extent) => RecordSource | undefined;

/** A kind that only the export of a whole service has. */
export function ofService(source: (extent: Extent) => RecordSource | undefined): RecordKind {
  return (extent) => (extent.personId === null ? source(extent) : undefined);
}

/** FROM a table, the rows of the person or all. */
export function fromOwned(table: string, { personId }: Extent, condition: SQL = sql`TRUE`): SQL {
  const isTheirs = personId === null ? sql`TRUE` : sql`t.user_id = ${personId}`;
  return sql`FROM ${sql.raw(table)} t WHERE ${condition} AND ${isTheirs}`;
}

/** SQL: a flag as JSON. */
export const flagJson = (column: string): SQL => sql`json(iif(${sql.raw(column)}, 'true', 'false'))`;

/** SQL: who may read and write it. */
export const grantsJson = (
  type: string,
): SQL => sql`(SELECT json_group_array(json_object('principal_type', g.principal_type,
  'principal_id', g.principal_id, 'permission', g.permission)) FROM (SELECT * FROM grants
    WHERE resource_type = ${type} AND resource_id = t.id ORDER BY principal_type, principal_id, permission) g)`;

/** SQL: the times of most rows. */
export const timesJson = sql`'created_at', t.created_at, 'updated_at', t.updated_at`;

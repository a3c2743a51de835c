import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isTooLarge } from "../../db/database-error.ts";
import { decodeCursor, encodeCursor } from "../../db/page.ts";
import { countChats, readChats } from "./chat-records.ts";
import type { ExportedKind } from "./record-kinds.ts";
import type { ExportedRecord, Extent, RecordSource } from "./record-source.ts";

/** Rows of a page where the kind does not say. */
const usualLength = 500;

export interface RecordPage {
  records: ExportedRecord[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** A page of the records of a kind. @throws AppError `bad_request` for an invalid cursor */
export function readRecords(
  ctx: Context,
  extent: Extent,
  { source }: ExportedKind,
  cursor: string | undefined,
): Promise<RecordPage> {
  return source ? readRows(ctx, extent, source, cursor) : readChats(ctx, extent, cursor);
}

/** All records of a kind, a page at a time in memory. */
export async function* allRecords(ctx: Context, extent: Extent, kind: ExportedKind): AsyncGenerator<ExportedRecord> {
  for (let cursor: string | undefined; ;) {
    const { records, nextCursor } = await readRecords(ctx, extent, kind, cursor);
    yield* records;
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** How many rows there are of a kind. */
export async function countRecords(ctx: Context, extent: Extent, { source }: ExportedKind): Promise<number> {
  if (!source) return countChats(ctx, extent);
  const [row] = await ctx.db.all<{ n: number }>(sql`SELECT count(*) AS n ${source.from}`);
  return row!.n;
}

async function readRows(
  ctx: Context,
  extent: Extent,
  source: RecordSource,
  cursor: string | undefined,
): Promise<RecordPage> {
  const columns = sql.raw(source.order.join(", "));
  const after = cursor === undefined ? sql`` : afterPlace(source, decodeCursor(cursor, source.order.length));
  for (let length = source.pageLength ?? usualLength; ; length = Math.ceil(length / 8)) {
    try {
      const rows = await ctx.db.all<{ json: string; place: string }>(sql`
        SELECT ${source.row} AS json, json_array(${columns}) AS place ${source.from}${after} ORDER BY ${columns} LIMIT ${length}`);
      const records: ExportedRecord[] = [];
      for (const { json } of rows) {
        const record = JSON.parse(json) as ExportedRecord;
        const finished = source.finish ? await source.finish(ctx, record, extent) : record;
        if (finished) records.push(finished);
      }
      const place = rows.length < length ? undefined : (JSON.parse(rows.at(-1)!.place) as (string | number)[]);
      return { records, nextCursor: place ? encodeCursor(place) : null };
    } catch (error) {
      if (length === 1 || !isTooLarge(error)) throw error;
    }
  }
}

/** The first column alone too, so that an index finds the place. */
function afterPlace({ order }: RecordSource, place: readonly (string | number)[]): SQL {
  const values = sql.join(
    place.map((value) => sql`${value}`),
    sql`, `,
  );
  return sql` AND ${sql.raw(order[0]!)} >= ${place[0]!} AND (${sql.raw(order.join(", "))}) > (${values})`;
}

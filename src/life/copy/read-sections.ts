import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Section } from "./sections.ts";

/** Rows read at once; one may hold the source of a plugin or a long message. */
const pageLength = 200;

/** The rows of a section, each as JSON text, a page at a time. */
export async function* readSection({ db }: Pick<Context, "db">, { row, from, order }: Section): AsyncGenerator<string> {
  const columns = sql.raw(order.join(", "));
  for (let after: SQL = sql``; ;) {
    const rows = await db.all<{ json: string; place: string }>(sql`
      SELECT ${row} AS json, json_array(${columns}) AS place ${from}${after} ORDER BY ${columns} LIMIT ${pageLength}`);
    for (const { json } of rows) yield json;
    if (rows.length < pageLength) return;
    const values = (JSON.parse(rows.at(-1)!.place) as (string | number)[]).map((value) => sql`${value}`);
    after = sql` AND (${columns}) > (${sql.join(values, sql`, `)})`;
  }
}

const encoder = new TextEncoder();

/** A JSON array of them, as it is written. @param count called for each */
export async function* jsonArray(items: AsyncIterable<string>, count: () => void): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const item of items) {
    yield encoder.encode(isFirst ? `[\n${item}` : `,\n${item}`);
    isFirst = false;
    count();
  }
  yield encoder.encode(isFirst ? "[]\n" : "\n]\n");
}

export async function* textBody(text: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text);
}

import { sql, type SQL } from "drizzle-orm";
import type { Database } from "./client.ts";
import { pairText } from "./search-words.ts";
import type { unpairedTexts } from "./tables.ts";

/** An index of the pairs of letters in texts, and where these come from. */
export interface PairIndex {
  source: (typeof unpairedTexts.$inferSelect)["source"];
  /** The table and its two columns, such as `message_pairs (rowid, user_id, content)`. */
  into: SQL;
  /** Of one of the source's rows as `t`: what goes into the first of these columns, and the text. */
  place: SQL;
  text: SQL;
}

/** Texts that are read in one go: at most so many, until they have this many bytes. */
const maxTexts = 50;
const maxBytes = 2 ** 19;
/** The timer comes again after a minute. */
const maxMs = 20_000;

/** Puts texts that wait into their index, the newest first, in steps. One that has changed in the meantime waits on. */
export async function indexPairs(db: Database, { source, into, place, text }: PairIndex): Promise<void> {
  const end = Date.now() + maxMs;
  while (Date.now() < end) {
    const rows = await db.all<{ number: number; version: string; place: string; text: string | null }>(sql`
      SELECT number, version, place, text FROM (
        SELECT u.number, u.version, ${place} AS place, ${text} AS text,
          sum(octet_length(${text})) OVER (ORDER BY u.number DESC) - octet_length(${text}) AS before
        FROM (SELECT number, version FROM unpaired_texts WHERE source = ${source} ORDER BY number DESC LIMIT ${maxTexts}) u
          LEFT JOIN ${sql.identifier(source)} t ON t.number = u.number)
      WHERE coalesce(before, 0) < ${maxBytes}`);
    if (rows.length === 0) return;
    const seen = JSON.stringify(rows.map((row) => [row.number, row.version]));
    const pairs = JSON.stringify(
      rows.flatMap((row) => (row.text === null ? [] : [[row.number, row.version, row.place, pairText(row.text)]])),
    );
    const isSame = sql`u.source = ${source} AND u.number = p.value ->> 0 AND u.version = p.value ->> 1`;
    await db.batch([
      db.run(sql`
        INSERT OR REPLACE INTO ${into} SELECT u.number, p.value ->> 2, p.value ->> 3
        FROM json_each(${pairs}) p CROSS JOIN unpaired_texts u ON ${isSame}`),
      db.run(sql`
        DELETE FROM unpaired_texts AS d WHERE d.source = ${source} AND d.number IN (
          SELECT u.number FROM json_each(${seen}) p CROSS JOIN unpaired_texts u ON ${isSame})`),
    ]);
  }
}

import { sql } from "drizzle-orm";
import type { User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { positionBits } from "./chunk-number.ts";
import { allowedTexts, type Scope } from "./scope.ts";
import { searchTerms } from "./search-terms.ts";

export interface Worded {
  chunk: number;
  /** 0 to 1: how much of what the words of the question say together is there (BM25 of what it could be). */
  share: number;
}

interface Row {
  chunk: number;
  bm25: number;
  /** In how many passages each word of the question stands, of those that were looked for. */
  counts: string;
  /** The index's own record of its size: begins with the number of passages. */
  averages: ArrayBuffer | Uint8Array | null;
}

/** Passages that may be looked at for all words together: weighing one takes 1 to 2 µs. */
const budget = 12_000;
/** Up to so many texts are named to the index itself; more are looked up for each passage that it finds. */
const named = 32;

/** What has the words of the question: one statement for each wording, all in one round trip. One list for each wording. */
export async function findByWords(
  { db }: Pick<Context, "db">,
  { user, scope, queries, count }: { user: User; scope: Scope; queries: readonly string[]; count: number },
): Promise<Worded[][]> {
  const bits = sql.raw(String(positionBits));
  const statements = queries.map((query) =>
    db.all<Row>(sql`WITH ${allowedTexts(user, scope)},
      counted(term, n, place) AS MATERIALIZED (
        SELECT value, (SELECT count(*) FROM (
          SELECT 1 FROM chunk_search WHERE chunk_search MATCH '{headings body} : ' || value LIMIT ${budget})), key
        FROM json_each(${JSON.stringify(searchTerms(query))})),
      -- Of words that stand in more than could be counted the longer one is likely to say more.
      ranked(term, n, rarity, together) AS MATERIALIZED (
        SELECT term, n, row_number() OVER rarest, sum(n) OVER rarest FROM counted WHERE n > 0
        WINDOW rarest AS (ORDER BY n, -length(term), place)),
      few(yes) AS MATERIALIZED (SELECT count(*) <= ${named} FROM allowed),
      chosen(term, n) AS MATERIALIZED (
        SELECT term, n FROM ranked WHERE together <= ${budget} OR rarity <= (SELECT CASE WHEN yes THEN 3 ELSE 2 END FROM few)),
      asked(expression) AS MATERIALIZED (
        SELECT CASE WHEN yes THEN '{scope} : (' || (SELECT group_concat('t' || text, ' OR ') FROM allowed) || ') AND ' ELSE '' END
          || '{headings body} : (' || (SELECT group_concat(term,
            -- Where all words are common ones, and all passages may be found, only those count that have both of the rarest.
            CASE WHEN yes OR (SELECT min(together) FROM ranked) <= ${budget / 2} THEN ' OR ' ELSE ' AND ' END) FROM chosen) || ')' FROM few)
      SELECT chunk, bm25, (SELECT json_group_array(n) FROM (SELECT n FROM chosen UNION ALL SELECT n FROM counted WHERE n = 0)) AS counts,
        (SELECT block FROM chunk_search_data WHERE id = 1) AS averages
      FROM (
        SELECT rowid AS chunk, -bm25(chunk_search, 0, 1, 1) AS bm25 FROM chunk_search
        WHERE chunk_search MATCH coalesce((SELECT expression FROM asked), '""') AND (rowid >> ${bits}) IN (SELECT text FROM allowed)
        ORDER BY rowid DESC LIMIT ${budget})
      ORDER BY bm25 DESC LIMIT ${count}`),
  );
  const [first, ...rest] = statements;
  const results = first ? await db.batch([first, ...rest]) : [];
  return results.map(toShares);
}

function toShares(rows: readonly Row[]): Worded[] {
  const [first] = rows;
  if (!first) return [];
  const passages = firstNumber(new Uint8Array(first.averages ?? []));
  // What a passage of usual length scores that has each word once: BM25 is then the sum of the words' weights.
  const whole = (JSON.parse(first.counts) as number[]).reduce((sum, count) => sum + weightOf(count, passages), 0);
  return rows.map(({ chunk, bm25 }) => ({ chunk, share: Math.min(1, bm25 / whole) }));
}

/** Of a word that stands in so many of all passages, as FTS5 has it. */
function weightOf(count: number, passages: number): number {
  return Math.max(1e-6, Math.log((passages - count + 0.5) / (count + 0.5)));
}

/** The integer at the beginning, as SQLite writes them: seven bits in each byte, the highest says that there is more. */
function firstNumber(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes.subarray(0, 8)) {
    value = value * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return value;
}

import { sql } from "drizzle-orm";
import type { User } from "../access.ts";
import type { Context } from "../context.ts";
import { positionBits } from "./chunk-number.ts";
import { allowedTexts, type Scope } from "./scope.ts";
import { searchTerms } from "./search-terms.ts";

export interface Worded {
  chunk: number;
  /** BM25, higher is better; comparable within one list. */
  weight: number;
}

/** A word that more passages have than this says little, and is looked for only where there are no others. */
const common = 10_000;
/** Passages that may be looked at for all words together. */
const budget = 40_000;
/** Up to so many texts are named to the index itself; more are looked up for each passage that it finds. */
const named = 200;

/** What has the words of the question: one statement for each wording, all in one round trip. One list for each wording. */
export async function findByWords(
  { db }: Pick<Context, "db">,
  { user, scope, queries, count }: { user: User; scope: Scope; queries: readonly string[]; count: number },
): Promise<Worded[][]> {
  const bits = sql.raw(String(positionBits));
  const statements = queries.map((query) =>
    db.all<Worded>(sql`WITH ${allowedTexts(user, scope)},
      counted(term, n, place) AS MATERIALIZED (
        SELECT value, (SELECT count(*) FROM (SELECT 1 FROM chunk_search WHERE chunk_search MATCH '{headings body} : ' || value LIMIT ${common + 1})), key
        FROM json_each(${JSON.stringify(searchTerms(query))})),
      chosen(term, place) AS MATERIALIZED (
        SELECT term, place FROM (
          SELECT term, place, n, row_number() OVER (ORDER BY n, place) AS rarity, sum(n) OVER (ORDER BY n, place) AS together FROM counted WHERE n > 0)
        WHERE rarity = 1 OR (together <= ${budget} AND n <= ${common})),
      asked(expression) AS MATERIALIZED (
        SELECT CASE WHEN (SELECT count(*) FROM allowed) <= ${named}
            THEN '{scope} : (' || (SELECT group_concat('t' || text, ' OR ') FROM allowed) || ') AND ' ELSE '' END
          || '{headings body} : (' || (SELECT group_concat(term, ' OR ') FROM (SELECT term FROM chosen ORDER BY place)) || ')')
      SELECT rowid AS chunk, -bm25(chunk_search, 0, 1, 1) AS weight FROM chunk_search
      WHERE chunk_search MATCH coalesce((SELECT expression FROM asked), '""') AND (rowid >> ${bits}) IN (SELECT text FROM allowed)
      ORDER BY weight DESC LIMIT ${count}`),
  );
  const [first, ...rest] = statements;
  return first ? await db.batch([first, ...rest]) : [];
}

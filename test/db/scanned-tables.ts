import type { Client } from "@libsql/client";

export interface Scanned {
  /** The table. */
  name: string;
  /** It is read in the order of an index, and only as far as a page of the list goes; `first`: no condition skips rows. */
  isPage: boolean | "first";
}

/**
 * The tables that a statement reads from end to end, by SQLite's own plan. Not those that it looks into by a key, and not its
 * subqueries and lists. https://sqlite.org/eqp.html
 */
export async function scannedTables(client: Client, sql: string): Promise<Scanned[]> {
  if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(sql)) return [];
  const args = Array.from(sql.matchAll(/\?/g), () => null);
  const { rows } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  const details = rows.map((row) => String(row["detail"]));
  const partial = await partialIndexes(client);
  const sorts = details.some((detail) => /^USE TEMP B-TREE FOR (?:ORDER|GROUP) BY$/.test(detail));
  const names = namesIn(sql);
  return details.flatMap((detail) => {
    const [, alias, how = ""] = /^SCAN (\S+)(.*)/.exec(detail) ?? [];
    // A virtual table is asked with words (M), or is a list.
    if (alias === undefined || / VIRTUAL TABLE /.test(how)) return [];
    const name = names.get(alias);
    // `WHERE 0`: a condition that is false without reading anything.
    if (name === undefined || /\b(?:where|and) (?:0|false)\b/i.test(sql)) return [];
    const [, index = ""] = / USING (?:COVERING )?INDEX (\w+)/.exec(how) ?? [];
    if (partial.has(index)) return [];
    const isPage = index !== "" && !sorts && /\blimit\b/i.test(sql);
    return [{ name, isPage: isPage && !/\bwhere\b/i.test(sql) ? "first" : isPage }];
  });
}

/** The tables of which a statement sorts all rows of an organization, or all there are. */
export async function sortedTables(client: Client, sql: string): Promise<string[]> {
  if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(sql)) return [];
  const args = Array.from(sql.matchAll(/\?/g), () => null);
  const { rows } = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  const details = rows.map((row) => ({ parent: row["parent"], text: String(row["detail"]) }));
  const partial = await partialIndexes(client);
  const names = namesIn(sql);
  const sorts = details.filter(({ text }) => text.startsWith("USE TEMP B-TREE FOR "));
  return details.flatMap(({ parent, text }) => {
    if (!sorts.some((sort) => sort.parent === parent)) return [];
    const [, alias = "", index = ""] =
      /^SEARCH (\S+) USING (?:COVERING )?INDEX (\w+) \(organization_id=\?\)/.exec(text) ?? [];
    const name = names.get(alias);
    return name === undefined || partial.has(index) ? [] : [name];
  });
}

/** Indexes of the few rows of a table that are in some state. */
async function partialIndexes(client: Client): Promise<Set<string>> {
  const { rows } = await client.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'");
  return new Set(rows.map((row) => String(row["name"])));
}

/** What each name in a plan stands for; names that stand for a subquery too are left out. */
function namesIn(sql: string): Map<string, string> {
  const keyword = /^(?:where|on|join|left|cross|inner|union|group|order|limit|except|intersect|as|set|using|natural)$/i;
  const names = new Map<string, string>();
  for (const [, name = "", alias = ""] of sql.matchAll(
    /\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi,
  )) {
    names.set(name, name);
    if (alias !== "" && !keyword.test(alias)) names.set(alias, name);
  }
  for (const [, alias = ""] of sql.matchAll(/\)\s*(?:as\s+)?"?(\w+)"?/gi)) names.delete(alias);
  for (const [, alias = ""] of sql.matchAll(/\b(\w+)\s*(?:\([\w, ]*\))?\s+as\s+(?:materialized\s*)?\(/gi))
    names.delete(alias);
  return names;
}

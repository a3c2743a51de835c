import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "../../db/client.ts";
import type { Passage } from "../files/extraction/extractor.ts";
import { firstNumber, maxPassages } from "./chunk-number.ts";
import { searchText } from "./search-text.ts";
import { fileChunks } from "./tables.ts";

export interface PassagesOfText {
  fileId: string;
  version: number;
  /** Position of the first one in the text, from 0. */
  firstPosition: number;
  /** Best some 250 at once: see the times in the bench. */
  passages: readonly Passage[];
}

/** One passage on its way: the last two as the index gets them, null where they are the same. */
type Row = [
  text: string,
  headings: string[],
  page: number | null,
  label: string | null,
  start: number,
  end: number,
  tokens: number,
  searched: string | null,
  searchedHeadings: string,
];

/**
 * Statements for a batch that store passages and what they are found by. They do nothing where the text is gone
 * (`file_texts`), or where a passage with that position is there already: a slice can be stored again.
 * @throws RangeError for a text with more passages than can be numbered
 */
export function chunkStatements(
  db: Database,
  { fileId, version, firstPosition, passages }: PassagesOfText,
): BatchItem<"sqlite">[] {
  if (passages.length === 0) return [];
  if (firstPosition + passages.length > maxPassages) throw new RangeError("The text has too many passages");
  const rows = passages.map(({ text, headings, page, label, start, end, tokens }): Row => {
    const searched = searchText(text);
    const title = searchText([...headings, label ?? ""].join("\n"));
    return [text, headings, page, label, start, end, tokens, searched === text ? null : searched, title];
  });
  const json = JSON.stringify(rows);
  const number = sql`${firstNumber(sql.raw("t.number"))} + ${firstPosition} + e.key`;
  const from = sql`file_texts t, json_each(${json}) e WHERE t.file_id = ${fileId} AND t.version = ${version}`;
  return [
    // Before the rows themselves, which say what the index has.
    db.run(sql`INSERT INTO chunk_search (rowid, scope, headings, body)
      SELECT ${number}, 't' || t.number, e.value ->> 8, coalesce(e.value ->> 7, e.value ->> 0) FROM ${from}
        AND NOT EXISTS (SELECT 1 FROM file_chunks c WHERE c.number = ${number})`),
    db
      .insert(fileChunks)
      .select(
        sql`SELECT ${number}, t.file_id, t.version, ${firstPosition} + e.key, e.value ->> 0, e.value -> 1, e.value ->> 2, e.value ->> 3,
          e.value ->> 4, e.value ->> 5, e.value ->> 6 FROM ${from}`,
      )
      .onConflictDoNothing(),
  ];
}

import { expect, test } from "vitest";
import { openMigratedDatabase } from "../migrated-database.ts";

/** Without an index, each row that is deleted makes SQLite read the whole table that points to it. */
test("every foreign key has an index that begins with its column", async () => {
  const { client, close } = await openMigratedDatabase();
  try {
    const { rows } = await client.execute(`
      SELECT t.name || '.' || f."from" AS name FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' AND f.seq = 0
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c ON c.seqno = 0 AND c.name = f."from" WHERE i.partial = 0)
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) c WHERE c.pk = 1 AND c.name = f."from")
      ORDER BY 1`);
    expect(rows.map(({ name }) => name)).toEqual([]);
  } finally {
    close();
  }
});

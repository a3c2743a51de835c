import { sql, type SQL } from "drizzle-orm";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { insertWhere } from "../db/insert-where.ts";
import type { Reference } from "./kind.ts";
import { kinds } from "./kinds.ts";
import type { AnyRecord, ItemState } from "./schema.ts";
import { importItems } from "./tables.ts";

/** What became of a record. */
export interface MapItem {
  /** Its id here; null for what is not here. */
  targetId: string | null;
  state: ItemState;
  notes: string[];
}

type ItemRow = { kind: string; id: string; target: string | null; state: ItemState; notes: string };

/** Whether a record has been brought: it is not imported again. */
export const isHere = (state: ItemState) => state === "created" || state === "changed" || state === "matched";

/** Statement: keeps what became of a record. */
export function storeItem(
  { db, now }: Pick<Context, "db" | "now">,
  importId: string,
  { kind, id: sourceId }: Pick<AnyRecord, "kind" | "id">,
  item: MapItem,
  condition: SQL = sql`TRUE`,
) {
  const row = { ...item, at: now() };
  return insertWhere(db, importItems, { importId, kind, sourceId, ...row }, condition).onConflictDoUpdate({
    target: [importItems.importId, importItems.kind, importItems.sourceId],
    set: row,
  });
}

export const keyOf = (kind: string, id: string) => `${kind} ${id}`;

/** The part of an import's map that one request needs, and the ids that are taken here. */
export class ImportMap {
  readonly #items = new Map<string, MapItem>();
  readonly #taken = new Set<string>();
  readonly #isDryRun: boolean;

  private constructor(isDryRun: boolean) {
    this.#isDryRun = isDryRun;
  }

  /** One round trip. */
  static async load(
    ctx: Context,
    importId: string,
    records: readonly AnyRecord[],
    references: readonly Reference[],
    isDryRun: boolean,
  ): Promise<ImportMap> {
    const map = new ImportMap(isDryRun);
    const wanted = JSON.stringify([...records, ...references].map(({ kind, id }) => [kind, id]));
    const idsByKind = Map.groupBy(records, ({ kind }) => kind);
    const takers = [...idsByKind].filter(([kind]) => kinds.get(kind)?.taken);
    const [items, ...taken] = (await runBatch(ctx.db, [
      ctx.db.all<ItemRow>(sql`
        SELECT i.kind, i.source_id AS id, i.target_id AS target, i.state, i.notes FROM json_each(${wanted}) w
        CROSS JOIN import_items i ON i.import_id = ${importId} AND i.kind = w.value ->> 0 AND i.source_id = w.value ->> 1`),
      ...takers.map(([kind, given]) =>
        ctx.db.all<{ id: string }>(
          kinds.get(kind)!.taken!(sql`(SELECT value FROM json_each(${JSON.stringify(given.map(({ id }) => id))}))`),
        ),
      ),
    ])) as [ItemRow[], ...{ id: string }[][]];
    for (const { kind, id, target, state, notes } of items)
      map.#items.set(keyOf(kind, id), { targetId: target, state, notes: JSON.parse(notes) as string[] });
    for (const [index, [kind]] of takers.entries()) for (const { id } of taken[index]!) map.#taken.add(keyOf(kind, id));
    return map;
  }

  item(kind: string, id: string): MapItem | undefined {
    return this.#items.get(keyOf(kind, id));
  }

  /** The id here. In a dry run nothing has been stored: every record counts as brought. */
  find(kind: string, id: string): string | undefined {
    return this.#items.get(keyOf(kind, id))?.targetId ?? (this.#isDryRun ? id : undefined);
  }

  isTaken(kind: string, id: string): boolean {
    return this.#taken.has(keyOf(kind, id));
  }

  set(kind: string, id: string, item: MapItem): void {
    this.#items.set(keyOf(kind, id), item);
    if (item.targetId !== null) this.#taken.add(keyOf(kind, item.targetId));
  }
}

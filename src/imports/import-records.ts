import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { requireAdmin } from "../access.ts";
import { maxSlice } from "../chat/conversations/write-messages.ts";
import type { Context } from "../context.ts";
import { runBatch } from "../db/batch.ts";
import { isConstraintViolation, isTooLargeForValue } from "../db/database-error.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { ImportMap, isHere, keyOf, storeItem } from "./import-map.ts";
import { requireImport } from "./imports.ts";
import type { Creation, ImportRun, Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import type { AnyRecord, ItemState, RecordResult, RecordsBody } from "./schema.ts";
import { imports } from "./tables.ts";

/** Creations that one transaction takes at most; between two of them others write. */
const maxTogether = 40;

type Result = Omit<RecordResult, "kind" | "id">;

interface Planned {
  record: AnyRecord;
  target: string;
  creation: Creation;
}

/**
 * Imports records in their order, so that one may refer to those before it. What was imported before is not imported again, and a record that
 * cannot be imported keeps no other from being imported.
 * @returns what became of each, in the same order
 * @throws AppError `forbidden`; `not_found` for an unknown import
 */
export async function importRecords(
  ctx: Context,
  importId: string,
  { records, merge_by_email: mergeByEmail, dry_run: dryRun }: RecordsBody,
): Promise<RecordResult[]> {
  requireAdmin(ctx);
  await requireImport(ctx, importId);
  const parsed = records.map((record) => parse(record));
  const references = parsed.flatMap((each) => ("record" in each ? each.kind.references(each.record) : []));
  const map = await ImportMap.load(ctx, importId, records, references, dryRun);
  const intake = new Intake({ ctx, importId, mergeByEmail, dryRun, find: (kind, id) => map.find(kind, id) }, map);
  for (const [index, each] of parsed.entries()) {
    const given = records[index]!;
    if ("reason" in each) await intake.fail(given, each.reason);
    else await intake.take(each.record, each.kind);
  }
  await intake.flush();
  await intake.audit();
  return records.map(({ kind, id }) => ({ kind, id, ...intake.results.get(keyOf(kind, id))! }));
}

function parse(given: AnyRecord): { kind: Kind; record: AnyRecord } | { reason: string } {
  const kind = kinds.get(given.kind);
  if (!kind) return { reason: `There is no kind of record "${given.kind}"` };
  const parsed = kind.shape.safeParse(given);
  if (parsed.success) return { kind, record: parsed.data };
  const [issue] = parsed.error.issues;
  return { reason: `${issue!.path.join(".") || "The record"}: ${issue!.message}` };
}

/** Plans records one after the other, and writes them in groups. */
class Intake {
  readonly results = new Map<string, Result>();
  readonly #run: ImportRun;
  readonly #map: ImportMap;
  readonly #counts: Record<string, number> = {};
  #waiting: Planned[] = [];
  /** Characters that those write. */
  #size = 0;

  constructor(run: ImportRun, map: ImportMap) {
    this.#run = run;
    this.#map = map;
  }

  async take(record: AnyRecord, kind: Kind): Promise<void> {
    const earlier = this.#map.item(record.kind, record.id);
    if (earlier && isHere(earlier.state)) {
      const { targetId, state, notes } = earlier;
      return this.#answer(record, { state, earlier: true, target_id: targetId, notes });
    }
    try {
      const begun = earlier?.state === "begun" ? earlier.targetId : null;
      const own = begun ?? this.#freeId(kind, record);
      if (begun !== null && !this.#run.dryRun) await kind.undo?.(this.#run, record, own);
      if (kind.readsStored) await this.flush();
      const outcome = await kind.plan(this.#run, record, own);
      if ("leftOut" in outcome) return await this.#note(record, "left_out", null, [outcome.leftOut]);
      if ("matched" in outcome) {
        const { matched, notes = [], statements } = outcome;
        return await this.#note(record, "matched", matched, notes, statements);
      }
      const notes = [
        ...(own === record.id || !kind.taken || kind.isIdQuiet
          ? []
          : [`Its id was taken or isn't allowed: it is ${own} here`]),
        ...outcome.notes,
      ];
      const planned = { record, target: own, creation: { ...outcome, notes } };
      this.#remember(record, created(planned));
      this.#waiting.push(planned);
      this.#size += outcome.size ?? 0;
      if (outcome.rest || this.#waiting.length >= maxTogether || this.#size >= maxSlice) await this.flush();
    } catch (error) {
      await this.fail(record, reasonOf(error));
    }
  }

  fail(record: AnyRecord, reason: string): Promise<void> {
    return this.#note(record, "failed", null, [reason]);
  }

  /** Writes what waits, together; if that fails, each alone. */
  async flush(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    if (group.length === 0) return;
    if (this.#run.dryRun) {
      for (const planned of group) this.#answer(planned.record, created(planned));
      return;
    }
    try {
      await this.#write(group);
    } catch (error) {
      const reason = reasonOf(error);
      const [first] = group;
      if (group.length === 1) return this.fail(first!.record, reason);
      for (const planned of group) {
        this.#waiting = [planned];
        await this.flush();
      }
      return;
    }
    for (const planned of group) await this.#finish(planned);
  }

  async audit(): Promise<void> {
    const { ctx, importId } = this.#run;
    if (Object.keys(this.#counts).length === 0) return;
    await runBatch(ctx.db, [
      ctx.db
        .update(imports)
        .set({ updatedAt: ctx.now() })
        .where(sql`${imports.id} = ${importId}`),
      auditRow(ctx, {
        action: "import.records_added",
        targetType: "import",
        targetId: importId,
        organizationId: null,
        detail: this.#counts,
      }),
    ]);
  }

  async #write(group: readonly Planned[]): Promise<void> {
    const { ctx } = this.#run;
    const statements = group.flatMap((planned) => [
      ...planned.creation.statements,
      this.#item(
        planned.record,
        planned.creation.rest ? "begun" : created(planned).state,
        planned.target,
        planned.creation.notes,
      ),
    ]);
    await runBatch(ctx.db, statements);
  }

  /** Writes the rest of what is too large for one transaction. If that fails, it stays `begun`, and the next import of it begins again. */
  async #finish(planned: Planned): Promise<void> {
    const { record, target, creation } = planned;
    const result = created(planned);
    try {
      await creation.rest?.();
    } catch (error) {
      const notes = [reasonOf(error)];
      return this.#answer(record, { state: "failed", earlier: false, target_id: null, notes });
    }
    if (creation.rest) await runBatch(this.#run.ctx.db, [this.#item(record, result.state, target, creation.notes)]);
    this.#count(record);
    this.#answer(record, result);
  }

  #freeId(kind: Kind, record: AnyRecord): string {
    if (kind.taken && !this.#map.isTaken(record.kind, record.id)) return record.id;
    return kind.otherId?.(record.id) ?? newId();
  }

  /** Keeps what became of a record that creates nothing. */
  async #note(
    record: AnyRecord,
    state: ItemState,
    target: string | null,
    notes: readonly string[],
    statements: readonly BatchItem<"sqlite">[] = [],
  ): Promise<void> {
    if (!this.#run.dryRun) await runBatch(this.#run.ctx.db, [...statements, this.#item(record, state, target, notes)]);
    const result = { state, earlier: false, target_id: target, notes: [...notes] };
    this.#remember(record, result);
    if (state === "matched") this.#count(record);
    this.#answer(record, result);
  }

  #item(record: AnyRecord, state: ItemState, target: string | null, notes: readonly string[]): BatchItem<"sqlite"> {
    const { ctx, importId } = this.#run;
    return storeItem(ctx, importId, record, { state, targetId: target, notes: [...notes] });
  }

  #remember({ kind, id }: AnyRecord, { state, target_id: targetId, notes }: Result): void {
    this.#map.set(kind, id, { targetId, state, notes });
  }

  #count({ kind }: AnyRecord): void {
    this.#counts[kind] = (this.#counts[kind] ?? 0) + 1;
  }

  #answer({ kind, id }: AnyRecord, result: Result): void {
    this.results.set(keyOf(kind, id), result);
  }
}

function created({ target, creation }: Planned): Result {
  const { notes } = creation;
  return { state: notes.length > 0 ? "changed" : "created", earlier: false, target_id: target, notes: [...notes] };
}

/** Why something cannot be imported. @throws the error itself if it says nothing about the record */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError && error.status < 500) return error.message;
  if (isTooLargeForValue(error)) return "It is larger than what can be stored";
  if (isConstraintViolation(error)) return "It conflicts with what is here";
  throw error;
}

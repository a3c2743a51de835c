import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type * as z from "zod";
import type { Context } from "../context.ts";
import type { AnyRecord } from "./schema.ts";

/** A record of the source that another one refers to. */
export interface Reference {
  kind: string;
  id: string;
}

/** The request that records are imported by. */
export interface ImportRun {
  ctx: Context;
  importId: string;
  mergeByEmail: boolean;
  dryRun: boolean;
  /** The id here of a record of the source that was brought; undefined if it was not. */
  find(kind: string, id: string): string | undefined;
}

/** What a record becomes, as rows that are written in one transaction together with its place in the map. */
export interface Creation {
  statements: readonly BatchItem<"sqlite">[];
  /** What is different here, or was left out, each with its reason: sentences for the report. */
  notes: readonly string[];
  /** Characters that the statements write, where that may be much: so much together is one transaction. */
  size?: number;
  /**
   * Further transactions, for what is too large for one. A record that is interrupted between them is `begun`: it is removed with
   * `undo`, and imported again.
   */
  rest?: () => Promise<void>;
}

/**
 * It was here already (`matched`, with the reason if one has to be told, and what it changes there), or it is not brought (`leftOut`, with
 * the reason).
 */
export type Outcome =
  | Creation
  | { matched: string; notes?: readonly string[]; statements?: readonly BatchItem<"sqlite">[] }
  | { leftOut: string };

/** One kind of record: its shape, and what it becomes. */
export interface Kind<R extends AnyRecord = AnyRecord> {
  shape: z.ZodType<R>;
  /** Records that it refers to; `run.find` knows those and no others. */
  references(record: R): Reference[];
  /** SELECT of those of the given ids (a list for `IN`) that are taken here. Undefined: it never keeps its id (see `plan`). */
  taken?(ids: SQL): SQL;
  /** Whether `plan` reads rows that records before it create: these are written first then. */
  readsStored?: boolean;
  /** Nobody knows its id: another one is not told of. */
  isIdQuiet?: boolean;
  /** Another id for a record that cannot keep its own; a random one where this is left out. */
  otherId?(id: string): string;
  /** @param id the id to create it with: its own where that is free */
  plan(run: ImportRun, record: R, id: string): Promise<Outcome> | Outcome;
  /** Removes what an interrupted import of it has left, in as many transactions as it needs; for kinds whose creations have a `rest`. */
  undo?(run: ImportRun, record: R, id: string): Promise<void>;
}

/** Keeps the record's type while the kinds are in one list. */
export function defineKind<R extends AnyRecord>(kind: Kind<R>): Kind {
  return kind as unknown as Kind;
}

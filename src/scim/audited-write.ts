import { sql, type SQL } from "drizzle-orm";
import type { SQLiteRaw } from "drizzle-orm/sqlite-core/query-builders/raw";
import type { Context } from "../context.ts";
import { insertWhere } from "../db/insert-where.ts";
import type { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { auditEvents } from "../people/audit/tables.ts";
import { errorDetail, failedAction } from "./note-request.ts";
import { requireProvisioner } from "./require-provisioner.ts";

/** A write that is decided by its own audit row: the row says whether the rest of the batch may happen. */
export interface AuditedWrite<Reason extends string> {
  /** The row, with what was before; first in the batch. */
  decide: ReturnType<typeof insertWhere>;
  /** Holds in the statements after `decide` where the write may happen. */
  allowed: SQL;
  /** Adds to the row what is now; after the writes. */
  complete: ReturnType<Context["db"]["run"]>;
  /** What was decided; no row where the write was not even tried. */
  outcome: SQLiteRaw<Outcome<Reason>[]>;
}

export interface Outcome<Reason extends string> {
  /** Why nothing was written; null where it was. */
  reason: Reason | null;
  /** The snapshot of what was before, as JSON. */
  before: string | null;
}

export interface WriteDescription<Reason extends string> {
  /** SQL where it depends on what was before. */
  action: string | SQL;
  targetType: "user" | "group";
  targetId: string;
  /** SQL for the home of the target. */
  organizationId: SQL;
  operation: "POST" | "PUT" | "PATCH" | "DELETE";
  /** SQL that gives one of the reasons, or null where nothing stands against the write. */
  reason: SQL;
  /** What each reason is answered with. */
  errors: Readonly<Record<Reason, AppError>>;
  /** SQL that makes JSON of the target as it is when it runs; null where there is none. */
  snapshot: SQL;
  /** Has to hold for the write to be tried at all; there is no row otherwise. */
  condition?: SQL;
  /** Further JSON for the row of a write that happened, by name. */
  further?: Readonly<Record<string, SQL>>;
}

/**
 * Races are decided here: within the write transaction the reason is looked for once, and kept in the audit row of the request,
 * on which everything else in the batch depends. So a refused write leaves its row too, in the same round trip.
 */
export function auditedWrite<Reason extends string>(
  ctx: Context,
  write: WriteDescription<Reason>,
): AuditedWrite<Reason> {
  const { token } = requireProvisioner(ctx);
  const id = newId();
  const errors = JSON.stringify(
    Object.fromEntries(
      Object.entries<AppError>(write.errors).map(([reason, error]) => [reason, { reason, ...errorDetail(error) }]),
    ),
  );
  const base = JSON.stringify({ operation: write.operation, token });
  const decided = sql`(SELECT ${write.reason})`;
  const further = Object.entries(write.further ?? {}).map(([name, value]) => sql`, ${`$.${name}`}, ${value}`);
  return {
    decide: insertWhere(
      ctx.db,
      auditEvents,
      {
        id,
        at: ctx.now(),
        actorId: null,
        actorKind: "scim",
        action: sql`CASE WHEN ${decided} IS NULL THEN ${write.action} ELSE ${failedAction} END`,
        targetType: write.targetType,
        targetId: write.targetId.slice(0, 200),
        organizationId: write.organizationId,
        detail: sql`json_set(json_patch(${base}, coalesce(json_extract(${errors}, '$.' || ${decided}), '{}')), '$.before', json(${write.snapshot}))`,
        requestId: ctx.requestId,
      },
      write.condition ?? sql`1`,
    ),
    allowed: sql`(SELECT action <> ${failedAction} FROM ${auditEvents} WHERE id = ${id})`,
    complete: ctx.db.run(
      sql`UPDATE ${auditEvents} SET detail = json_set(detail, '$.after', json(${write.snapshot})${sql.join(further)})
        WHERE id = ${id} AND action <> ${failedAction}`,
    ),
    outcome: ctx.db.all<Outcome<Reason>>(
      sql`SELECT detail ->> '$.reason' AS reason, detail -> '$.before' AS before FROM ${auditEvents} WHERE id = ${id}`,
    ),
  };
}

/** Errors whose request has its row already. */
const noted = new WeakSet<Error>();

/** @throws AppError the one that belongs to the reason, if there is one. */
export function requireWritten<Reason extends string>(
  [row]: readonly Outcome<Reason>[],
  errors: Readonly<Record<Reason, AppError>>,
): void {
  if (!row?.reason) return;
  const error = errors[row.reason];
  noted.add(error);
  throw error;
}

export function isNoted(error: Error): boolean {
  return noted.has(error);
}

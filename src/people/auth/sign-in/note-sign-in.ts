import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { clientNetwork } from "../../../http/client-network.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { type AuditedChange, auditRowIf, auditValues } from "../../audit/audit-row.ts";
import { auditEvents } from "../../audit/tables.ts";
import { organizationOf } from "../../users/user-change-rows.ts";
import { sessions } from "../sessions/tables.ts";
import { type Caller, callerDetail } from "./caller.ts";

const manyNetworks = "many networks";
const failedAction = "auth.sign_in_failed";
/** Rows that wrong sign-ins of an hour make: from one network, and from everywhere. What comes on top is added to a row that is there. */
export const maxRows = { network: 50, everywhere: 500 };

/** For the batch that starts a session. */
export function signedInRow(ctx: Context, { id, userId }: { id: string; userId: string }, caller: Caller) {
  return auditRowIf(
    ctx,
    {
      action: "auth.signed_in",
      targetType: "user",
      targetId: userId,
      organizationId: organizationOf(userId),
      detail: { method: "password", ...callerDetail(caller) },
    },
    sql`EXISTS (SELECT 1 FROM ${sessions} WHERE id = ${id})`,
  );
}

/** For the batch that ends a session, before it does. */
export function signedOutRow(ctx: Context, { id, userId }: { id: string; userId: string }, caller: Caller) {
  return auditRowIf(
    ctx,
    {
      action: "auth.signed_out",
      targetType: "user",
      targetId: userId,
      organizationId: organizationOf(userId),
      detail: callerDetail(caller),
    },
    sql`EXISTS (SELECT 1 FROM ${sessions} WHERE id = ${id} AND user_id = ${userId})`,
  );
}

/**
 * Notes a wrong sign-in in the audit log. Anybody can make one, so there is one row for each account and network in an hour, with the number
 * of attempts; beyond `maxRows`, one for the network, and in the end one for all. What was typed as the address is not stored:
 * people type passwords there. Errors while noting do not hide the failure.
 * @param userId undefined where no account has the address
 */
export async function noteWrongSignIn(
  ctx: Context,
  failure: { error: string; userId: string | undefined },
  caller: Caller,
): Promise<void> {
  const { error, userId } = failure;
  const network = caller.address === undefined ? "unknown" : clientNetwork(caller.address);
  const detail = { error, method: "password", network, ...callerDetail(caller), attempts: 1 };
  const hour = Math.floor(ctx.now() / 3600) * 3600;
  const since = sql`FROM ${auditEvents} WHERE action = ${failedAction} AND at >= ${hour}`;
  const isFew = sql`(SELECT count(*) ${since}) < ${maxRows.everywhere}`;
  const isFewHere = sql`(SELECT count(*) ${since} AND detail ->> 'network' = ${network}) < ${maxRows.network}`;
  const nothingYet = sql`changes() = 0`;

  // The builders of statements run when they are awaited, so their ids come first.
  const hashes = new Map<string, string>();
  for (const target of [userId ?? network, network, manyNetworks])
    hashes.set(target, await sha256Hex(`${target} ${target === manyNetworks ? "" : network} ${error}`));
  const row = (
    target: Pick<AuditedChange, "targetType" | "targetId" | "organizationId">,
    may: (isThere: SQL) => SQL,
  ) => {
    const id = hourlyId(hour, hashes.get(target.targetId)!);
    const values = { ...auditValues(ctx, { action: failedAction, ...target, detail }), id };
    const { detail: stored } = auditEvents;
    const more = sql`json_set(${stored}, '$.attempts', (${stored} ->> 'attempts') + 1, '$.last_at', ${ctx.now()})`;
    return insertWhere(
      ctx.db,
      auditEvents,
      values,
      may(sql`EXISTS (SELECT 1 FROM ${auditEvents} WHERE id = ${id})`),
    ).onConflictDoUpdate({ target: auditEvents.id, set: { detail: more } });
  };
  try {
    const ofNetwork = { targetType: "network", targetId: network, organizationId: null };
    await runBatch(ctx.db, [
      ...(userId === undefined
        ? [row(ofNetwork, (isThere) => sql`${isThere} OR ${isFew}`)]
        : [
            row(
              { targetType: "user", targetId: userId, organizationId: organizationOf(userId) },
              (isThere) => sql`${isThere} OR (${isFewHere} AND ${isFew})`,
            ),
            row(ofNetwork, (isThere) => sql`${nothingYet} AND (${isThere} OR ${isFew})`),
          ]),
      row({ targetType: "network", targetId: manyNetworks, organizationId: null }, () => nothingYet),
    ]);
  } catch (cause) {
    ctx.log.error("could not store a wrong sign-in", { error: cause });
  }
}

/** The same for the same thing in the same hour; in its form and order a UUIDv7 of the beginning of the hour (RFC 9562, section 5.7). */
function hourlyId(hour: number, hash: string): string {
  const time = (hour * 1000).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

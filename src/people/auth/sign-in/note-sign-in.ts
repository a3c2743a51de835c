import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { clientNetwork } from "../../../http/client-network.ts";
import { sha256Hex } from "../../../lib/sha256.ts";
import { type AuditedChange, auditRowIf, auditValues } from "../../audit/audit-row.ts";
import { auditEvents } from "../../audit/tables.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { sessions } from "../sessions/tables.ts";
import { type Caller, callerDetail } from "./caller.ts";

const manyNetworks = "many networks";
const failedAction = "auth.sign_in_failed";
/** Rows that wrong sign-ins of an hour make: from one network, and from everywhere. What comes on top is added to a row that is there. */
export const maxRows = { network: 50, everywhere: 500 };

/** How somebody signed in, and what they have shown besides. */
export interface SignInWay {
  method: "password" | "passkey";
  secondFactor?: "totp" | "recovery" | "passkey";
}

/** For the batch that starts a session. */
export function signedInRow(
  ctx: Context,
  { id, userId }: { id: string; userId: string },
  caller: Caller,
  { method, secondFactor }: SignInWay = { method: "password" },
) {
  return auditRowIf(
    ctx,
    {
      action: "auth.signed_in",
      targetType: "user",
      targetId: userId,
      organizationId: organizationOf(userId),
      detail: { method, ...(secondFactor && { second_factor: secondFactor }), ...callerDetail(caller) },
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
  failure: { error: string; userId: string | undefined; method?: SignInWay["method"] },
  caller: Caller,
): Promise<void> {
  const { error, userId, method = "password" } = failure;
  const network = caller.address === undefined ? "unknown" : clientNetwork(caller.address);
  const detail = { error, method, network, ...callerDetail(caller), attempts: 1 };
  const hour = Math.floor(ctx.now() / 3600) * 3600;
  const since = sql`FROM ${auditEvents} WHERE action = ${failedAction} AND at >= ${hour}`;
  const isFew = sql`(SELECT count(*) ${since}) < ${maxRows.everywhere}`;
  const isFewHere = sql`(SELECT count(*) ${since} AND detail ->> 'network' = ${network}) < ${maxRows.network}`;
  const isThere = (id: string) => sql`EXISTS (SELECT 1 FROM ${auditEvents} WHERE id = ${id})`;
  const row = (id: string, target: Pick<AuditedChange, "targetType" | "targetId" | "organizationId">, may: SQL) => {
    const values = { ...auditValues(ctx, { action: failedAction, ...target, detail }), id };
    const { detail: stored } = auditEvents;
    const more = sql`json_set(${stored}, '$.attempts', (${stored} ->> 'attempts') + 1, '$.last_at', ${ctx.now()})`;
    return insertWhere(ctx.db, auditEvents, values, may).onConflictDoUpdate({
      target: auditEvents.id,
      set: { detail: more },
    });
  };
  const [own, ofNetwork, ofAll] = await Promise.all(
    [`${userId} ${network} ${error}`, `${network} ${error}`, error].map(async (text) =>
      hourlyId(hour, await sha256Hex(text)),
    ),
  );
  const account = { targetType: "user", targetId: userId ?? "", organizationId: organizationOf(userId ?? "") };
  const stranger = { targetType: "network", organizationId: null };
  try {
    await runBatch(ctx.db, [
      row(own!, account, sql`${userId !== undefined} AND (${isThere(own!)} OR (${isFewHere} AND ${isFew}))`),
      row(
        ofNetwork!,
        { ...stranger, targetId: network },
        sql`NOT ${isThere(own!)} AND (${isThere(ofNetwork!)} OR ${isFew})`,
      ),
      row(ofAll!, { ...stranger, targetId: manyNetworks }, sql`NOT ${isThere(own!)} AND NOT ${isThere(ofNetwork!)}`),
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

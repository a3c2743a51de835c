import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { newId } from "../../../lib/id.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { auditEvents } from "../../audit/tables.ts";
import { signInCount } from "../metrics.ts";
import { type Caller, callerDetail } from "../sign-in/caller.ts";
import type { SsoFailure } from "./sso-failure.ts";

/** Failed sign-ins of one minute that the audit log takes: anybody can make one, and nobody may fill the log with them. */
const maxPerMinute = 60;
const maxTextLength = 500;

/**
 * Records why a sign-in failed, in the audit log and the service's log: which provider, the message for the person, the
 * provider's message. Errors while recording do not hide the failure.
 */
export async function noteFailure(
  ctx: Context,
  providerId: string,
  failure: SsoFailure,
  caller: Caller,
): Promise<void> {
  signInCount.add(ctx.environment, ["sso", "failed"]);
  const { roles, ...texts } = failure.detail;
  const detail = {
    provider: providerId,
    code: failure.code,
    ...Object.fromEntries(Object.entries(texts).flatMap(([key, value]) => (value ? [[key, printable(value)]] : []))),
    ...(roles ? { roles: roles.slice(0, 50) } : {}),
  };
  ctx.log.warn("single sign-on failed", detail);
  // Ids begin with their time (RFC 9562, section 5.7), so the last minute is the end of the primary key.
  const since = minuteBefore(newId().slice(0, 13));
  const few = sql`(SELECT count(*) FROM (SELECT 1 FROM ${auditEvents} WHERE id > ${since} AND action = 'sso.sign_in_failed' LIMIT ${maxPerMinute})) < ${maxPerMinute}`;
  try {
    await auditRowIf(
      ctx,
      {
        action: "sso.sign_in_failed",
        targetType: "sso",
        targetId: providerId,
        organizationId: null,
        detail: { ...detail, ...callerDetail(caller) },
      },
      few,
    );
  } catch (error) {
    ctx.log.error("could not store a failed single sign-on", { error });
  }
}

/** The beginning of ids that were made a minute before one that begins so. */
function minuteBefore(beginning: string): string {
  const milliseconds = Number.parseInt(beginning.replace("-", ""), 16) - 60_000;
  const digits = milliseconds.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** One line: it comes from elsewhere. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, " ").slice(0, maxTextLength);
}

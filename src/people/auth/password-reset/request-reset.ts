import { sql } from "drizzle-orm";
import type { Context, Environment } from "../../../context.ts";
import { runBatch } from "../../../db/batch.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { AppError } from "../../../errors.ts";
import { clientNetwork, isLoopback } from "../../../http/client-network.ts";
import { newId } from "../../../lib/id.ts";
import { TokenBuckets } from "../../../lib/token-buckets.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { requireEmail } from "../../email.ts";
import { linkAddress, newLinkToken } from "../../link-token.ts";
import { organizations } from "../../organizations/tables.ts";
import { passwords, users } from "../../users/tables.ts";
import { type Caller, callerDetail } from "../sign-in/caller.ts";
import { requirePasswordAuth } from "../sign-in/require-password-auth.ts";
import { resetMail } from "./reset-mail.ts";
import { passwordResets } from "./tables.ts";

/** Seconds that a link from an e-mail can be used. */
const lifetimeSeconds = 3600;
/** E-mails to one person in an hour, so that nobody fills a mailbox. */
const maxInHour = 3;
/** Requests of one network: so many at once, and as many in an hour after that. */
const maxOfNetwork = 20;
const secondsOfHour = 3600;

/** By environment: one per isolate, and one for each of several services in one process. */
const states = new WeakMap<Environment, TokenBuckets>();

/**
 * Sends a link to the address, if it has an account with a password. The answer, and the work until then, are the same for every
 * address: one batch, in which conditions decide, and the e-mail is sent afterwards by a job.
 * @throws AppError `invalid_email`; `password_auth_disabled`; `conflict` without a mail server; `too_many_requests` for a network
 */
export async function requestReset(ctx: Context, input: string, caller: Caller): Promise<void> {
  requirePasswordAuth(ctx);
  ctx.registry.requireMail(ctx);
  const email = requireEmail(input);
  takeOfNetwork(ctx, caller);
  const id = newId();
  const now = ctx.now();
  const expiresAt = now + lifetimeSeconds;
  const { token, tokenHash } = await newLinkToken();
  const person = sql`(SELECT id FROM ${users} WHERE email = ${email})`;
  const mayReset = sql`EXISTS (SELECT 1 FROM ${users} u JOIN ${organizations} o ON o.id = u.organization_id
      JOIN ${passwords} p ON p.user_id = u.id WHERE u.email = ${email} AND u.kind = 'person' AND u.active = 1 AND o.active = 1)`;
  const isFew = sql`(SELECT count(*) FROM ${passwordResets} WHERE user_id = ${person} AND way = 'mail'
      AND created_at > ${now - secondsOfHour}) < ${maxInHour}`;
  const isMade = sql`EXISTS (SELECT 1 FROM ${passwordResets} WHERE id = ${id})`;
  const mail = await ctx.registry.mailStatements(ctx, {
    kind: "password_reset",
    to: email,
    userId: person,
    expiresAt: expiresAt * 1000,
    condition: isMade,
    ...resetMail({ name: ctx.settings.WEBUI_NAME, link: linkAddress(ctx.origin, "/new-password", token) }),
  });
  await runBatch(ctx.db, [
    insertWhere(
      ctx.db,
      passwordResets,
      { id, tokenHash, userId: person, way: "mail", createdBy: null, createdAt: now, expiresAt },
      sql`${mayReset} AND ${isFew}`,
    ),
    auditRowIf(ctx, {
      action: "user.password_forgotten",
      targetType: "user",
      targetId: person,
      organizationId: sql`(SELECT organization_id FROM ${users} WHERE email = ${email})`,
      detail: callerDetail(caller),
    }),
    ...mail,
  ]);
  ctx.registry.wakeMail(ctx);
}

/** @throws AppError `too_many_requests` */
function takeOfNetwork({ environment }: Context, { address }: Caller): void {
  // People behind a proxy that is not trusted to say who they are all come from here.
  if (address === undefined || isLoopback(address)) return;
  let buckets = states.get(environment);
  if (!buckets) {
    const limits = { maxBurst: maxOfNetwork, maxPerSecond: maxOfNetwork / secondsOfHour };
    states.set(environment, (buckets = new TokenBuckets(limits, 5000)));
  }
  const now = Date.now();
  if (!buckets.open(clientNetwork(address), now).take(now))
    throw new AppError("too_many_requests", "Too many requests from your network: try again later", {
      retryAfter: Math.ceil(secondsOfHour / maxOfNetwork),
    });
}

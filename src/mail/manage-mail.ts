import { sql } from "drizzle-orm";
import { requireAdmin } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { newId } from "../lib/id.ts";
import { TokenBuckets } from "../lib/token-buckets.ts";
import { auditRow } from "../people/audit/audit-row.ts";
import { requireEmail } from "../people/email.ts";
import { MailFailure } from "./mail-failure.ts";
import { isMailOn, openMailServer } from "./mail-server.ts";
import type { MailStatus, MailTestResult } from "./schema.ts";
import { sendLetter } from "./send-letter.ts";
import { mailPasswords } from "./tables.ts";

const maxFailures = 20;

/** Whether e-mails are sent, and what was not. @throws AppError `forbidden` */
export async function getMailStatus(ctx: Context): Promise<MailStatus> {
  requireAdmin(ctx);
  const [found] = await ctx.db.all<{ has: number; pending: number; failures: string }>(sql`SELECT
    EXISTS (SELECT 1 FROM mail_passwords) AS has,
    (SELECT count(*) FROM mail_messages WHERE state = 'pending') AS pending,
    (SELECT json_group_array(json_object('id', id, 'kind', kind, 'at', finished_at, 'error', coalesce(error, ''))) FROM
      (SELECT * FROM mail_messages WHERE state = 'failed' ORDER BY created_at DESC LIMIT ${maxFailures})) AS failures`);
  const isLocked = ctx.settings.SMTP_PASSWORD !== "";
  return {
    is_on: isMailOn(ctx),
    has_password: isLocked || Boolean(found!.has),
    is_password_locked: isLocked,
    pending: found!.pending,
    failures: JSON.parse(found!.failures) as MailStatus["failures"],
  };
}

/**
 * Stores the password for the mail server, sealed; "" removes it.
 * @throws AppError `forbidden`; `setting_locked` where the environment has one
 */
export async function setMailPassword(ctx: Context, password: string): Promise<MailStatus> {
  requireAdmin(ctx);
  if (ctx.settings.SMTP_PASSWORD !== "")
    throw new AppError("setting_locked", "Set by the environment, so it cannot be changed here: SMTP_PASSWORD");
  const now = Date.now();
  const audit = auditRow(ctx, {
    action: "mail.password_updated",
    targetType: "settings",
    targetId: "mail",
    detail: { is_set: password !== "" },
  });
  if (password === "") await ctx.db.batch([ctx.db.delete(mailPasswords), audit]);
  else {
    const sealedPassword = await ctx.vault.seal(password);
    await ctx.db.batch([
      ctx.db
        .insert(mailPasswords)
        .values({ id: "smtp", sealedPassword, updatedAt: now })
        .onConflictDoUpdate({ target: mailPasswords.id, set: { sealedPassword, updatedAt: now } }),
      audit,
    ]);
  }
  return getMailStatus(ctx);
}

const tests = { maxBurst: 10, maxPerSecond: 10 / 60 };
const buckets = new TokenBuckets(tests, 1000);

/**
 * Sends one e-mail immediately and tells the whole conversation.
 * @throws AppError `forbidden`; `invalid_email`; `too_many_requests`
 */
export async function testMail(ctx: Context, input: string): Promise<MailTestResult> {
  const actor = requireAdmin(ctx);
  const to = requireEmail(input);
  const now = Date.now();
  if (!buckets.open(actor.id, now).take(now))
    throw new AppError("too_many_requests", "At most 10 tests per minute: try again later", { retryAfter: 60 });
  const name = ctx.settings.WEBUI_NAME;
  const letter = {
    to,
    subject: `Test from ${name}`,
    text: `This is a test from ${name}. If you can read it, e-mails can be sent.\n`,
  };
  try {
    const server = await openMailServer(ctx);
    const { failure, conversation } = await sendLetter(ctx.connectMail, server, letter, { id: newId() });
    return { sent: failure === undefined, step: failure?.step ?? null, message: failure?.message ?? "", conversation };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { sent: false, step: error.step, message: error.message, conversation: [] };
  }
}

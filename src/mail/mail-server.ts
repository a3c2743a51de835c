import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { MailFailure } from "./mail-failure.ts";
import type { MailServer } from "./send-letter.ts";
import { parseSender } from "./sender.ts";
import { mailPasswords } from "./tables.ts";

/** Whether e-mails can be sent. */
export function isMailOn({ settings }: Pick<Context, "settings">): boolean {
  return settings.SMTP_HOST !== "" && settings.SMTP_FROM !== "";
}

/** @throws AppError `conflict` while no mail server is set. */
export function requireMail(ctx: Pick<Context, "settings">): void {
  if (!isMailOn(ctx))
    throw new AppError("conflict", "No mail server is set: copy the link, or set one under Admin > E-mail");
}

/**
 * The mail server with its password: the one from the environment, otherwise the one that was entered.
 * @throws MailFailure where something is missing, or the password cannot be read with these keys
 */
export async function openMailServer(ctx: Context): Promise<MailServer> {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_SECURITY: security, SMTP_USER: user } = ctx.settings;
  const from = parseSender(ctx.settings.SMTP_FROM);
  if (host === "") throw new MailFailure("settings", "No mail server is set");
  if (!from) throw new MailFailure("settings", "No sender is set");
  const server = { host: host.replaceAll(/^\[|\]$/g, ""), port, security, user, from };
  if (user === "" || ctx.settings.SMTP_PASSWORD !== "") return { ...server, password: ctx.settings.SMTP_PASSWORD };
  const [stored] = await ctx.db.select({ sealed: mailPasswords.sealedPassword }).from(mailPasswords);
  if (!stored) throw new MailFailure("settings", "A user name is set, and no password");
  try {
    return { ...server, password: await ctx.vault.open(stored.sealed) };
  } catch (cause) {
    throw new MailFailure("settings", "The password cannot be read with the present keys: enter it again", { cause });
  }
}

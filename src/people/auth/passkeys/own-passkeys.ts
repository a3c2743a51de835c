import { and, eq, sql } from "drizzle-orm";
import { requireUser } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { confirmPassword, requirePerson } from "../second-factor/confirm-person.ts";
import { hasAnyFactor, hasFactor } from "../second-factor/has-factor.ts";
import { isRequiredFor } from "../second-factor/is-required.ts";
import { recoveryCodes } from "../second-factor/tables.ts";
import type { Passkey } from "./schema.ts";
import { passkeysOf, readPasskeys } from "./stored-passkeys.ts";
import { passkeys } from "./tables.ts";

const unknownPasskey = () => new AppError("not_found", "No such passkey");

/** A person with a session and everything that they need: `requirePerson`, and a second factor where one is required. */
export function requireOwner(ctx: Context): ReturnType<typeof requirePerson> {
  requireUser(ctx);
  return requirePerson(ctx);
}

/** @throws AppError `not_found`, also for a passkey of somebody else */
export async function renamePasskey(ctx: Context, id: string, name: string): Promise<Passkey> {
  const user = requireOwner(ctx);
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, user.id));
  const [, , [found]] = await ctx.db.batch([
    auditRowIf(
      ctx,
      {
        action: "user.passkey_renamed",
        targetType: "user",
        targetId: user.id,
        detail: sql`(SELECT json_object('from', name, 'to', ${name}) FROM ${passkeys} WHERE ${own})`,
      },
      sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${own} AND name <> ${name})`,
    ),
    ctx.db.update(passkeys).set({ name }).where(own),
    ctx.db.all<{ list: string }>(sql`SELECT ${passkeysOf(sql`${user.id}`)} AS list`),
  ]);
  const renamed = readPasskeys(found!.list).find((passkey) => passkey.id === id);
  if (!renamed) throw unknownPasskey();
  return renamed;
}

/**
 * Removes one of the caller's passkeys, also while passkeys are switched off. Takes the password, because the browser may be somebody
 * else's. The recovery codes go with the last factor.
 * @throws AppError `incorrect_password`, `too_many_requests`, `not_found`; `forbidden` for the last factor where one is required
 */
export async function removePasskey(ctx: Context, id: string, password: string): Promise<void> {
  const user = requireOwner(ctx);
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, user.id));
  const [there] = await ctx.db.select({ id: passkeys.id }).from(passkeys).where(own);
  if (!there) throw unknownPasskey();
  const { release } = await confirmPassword(ctx, user, password);
  const isThere = sql`EXISTS (SELECT 1 FROM ${passkeys} WHERE ${own})`;
  const person = sql`${user.id}`;
  const mayGo = isRequiredFor(ctx.settings, user) ? hasFactor(ctx, person, id) : sql`1`;
  const [, [state]] = await ctx.db.batch([
    release,
    ctx.db.all<{ known: number; may: number }>(sql`SELECT ${isThere} AS known, ${mayGo} AS may`),
    auditRowIf(
      ctx,
      {
        action: "user.passkey_removed",
        targetType: "user",
        targetId: user.id,
        detail: sql`(SELECT json_object('passkey', name) FROM ${passkeys} WHERE ${own})`,
      },
      sql`${isThere} AND ${mayGo}`,
    ),
    ctx.db.delete(passkeys).where(sql`${own} AND ${mayGo}`),
    ctx.db.delete(recoveryCodes).where(sql`${eq(recoveryCodes.userId, user.id)} AND NOT ${hasAnyFactor(person)}`),
  ]);
  if (!state!.known) throw unknownPasskey();
  if (!state!.may) throw new AppError("forbidden", "A second factor is required here: set up another one first");
}

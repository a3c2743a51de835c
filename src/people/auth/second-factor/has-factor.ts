import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { arePasskeysOn } from "../passkeys/relying-party.ts";
import { passkeys } from "../passkeys/tables.ts";
import { totpSecrets } from "./tables.ts";

/** SQL: whether this person's authenticator app is set up. */
export function hasApp(userId: SQL): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${totpSecrets} WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;
}

/**
 * SQL: whether signing in with this person's password asks for a second factor. Passkeys count while they are switched on.
 * @param except id of a passkey that does not count
 */
export function hasFactor({ settings }: Pick<Context, "settings">, userId: SQL, except = ""): SQL<number> {
  if (!arePasskeysOn(settings)) return hasApp(userId);
  return sql<number>`(${hasApp(userId)} OR EXISTS (SELECT 1 FROM ${passkeys} WHERE user_id = ${userId} AND id <> ${except}))`;
}

/** SQL: whether this person has something that recovery codes stand in for, also passkeys while they are switched off. */
export function hasAnyFactor(userId: SQL): SQL<number> {
  return sql<number>`(${hasApp(userId)} OR EXISTS (SELECT 1 FROM ${passkeys} WHERE user_id = ${userId}))`;
}

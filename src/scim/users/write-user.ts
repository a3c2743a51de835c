import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { tryParseJson } from "../../lib/json.ts";
import { closeLive } from "../../people/auth/sessions/end-sessions.ts";
import { sessions } from "../../people/auth/sessions/tables.ts";
import { otherAdministrator } from "../../people/still-manages.ts";
import { users } from "../../people/users/tables.ts";
import type { Outcome } from "../audited-write.ts";
import { nextUpdate } from "../next-update.ts";
import { ScimError } from "../scim-error.ts";
import { sentExternalId } from "./user-rows.ts";
import type { UserValues } from "./user-values.ts";

export type Reason = "unknown" | "user_name" | "email" | "external_id" | "last_admin" | "no_home";

export function unknownUser(): AppError {
  return new AppError("not_found", "No such user");
}

/** Created for each request, because an error belongs to one response. */
export function userErrors(): Record<Reason, AppError> {
  return {
    unknown: unknownUser(),
    user_name: new ScimError(
      "uniqueness",
      "userName is already in use: another user has it as userName or e-mail address",
    ),
    email: new ScimError(
      "uniqueness",
      "The e-mail address is already in use: another user has it as e-mail address or userName",
    ),
    external_id: new ScimError("uniqueness", "externalId is already in use by another user"),
    last_admin: new AppError(
      "conflict",
      "This is the last active administrator of the service: make someone else an administrator before switching this account off",
    ),
    no_home: new AppError(
      "organization_inactive",
      "No landing rule assigns this user to an active organization, and the default organization is switched off: no user was created",
    ),
  };
}

/**
 * Why a person cannot have these values, or null. Current values are accepted: a person may be switched off although
 * another account has the same address by now.
 * @param userId possibly of a person who is about to be created
 */
export function takenReason(userId: string, values: UserValues, provider: string | undefined): SQL {
  const { email, userName, userNameAddress, externalId } = values;
  const isNew = (same: SQL) => sql`NOT EXISTS (SELECT 1 FROM users WHERE users.id = ${userId} AND ${same})`;
  const newNames = isNew(sql`users.email = ${email} AND users.user_name IS ${userName}`);
  const other = (address: string, name: SQL) =>
    sql`EXISTS (SELECT 1 FROM users o WHERE (o.email = ${address} OR lower(o.user_name) = ${name}) AND o.id <> ${userId})`;
  const linked =
    provider === undefined || externalId === null
      ? sql`0`
      : sql`${isNew(sql`${sentExternalId(provider)} = ${externalId}`)} AND EXISTS (SELECT 1 FROM identities i
          WHERE i.source IN ('scim', 'oauth') AND i.provider = ${provider} AND i.external_id = ${externalId} AND i.user_id <> ${userId})`;
  return sql`WHEN ${newNames} AND ${other(userNameAddress, sql`lower(${userName ?? email})`)} THEN 'user_name'
    WHEN ${newNames} AND ${other(email, sql`${email}`)} THEN 'email'
    WHEN ${linked} THEN 'external_id'`;
}

/** The audit action of a write: whether it switches the account on or off. */
export function updateAction(userId: string, active: boolean | undefined): SQL {
  if (active === undefined) return sql`'scim.user.updated'`;
  return sql`CASE (SELECT active FROM users WHERE users.id = ${userId}) WHEN ${active ? 0 : 1}
    THEN ${active ? "scim.user.activated" : "scim.user.deactivated"} ELSE 'scim.user.updated' END`;
}

/** For an account to be switched off. */
export function lastAdminReason(userId: string): SQL {
  return sql`WHEN EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.role = 'admin' AND u.active = 1)
    AND NOT ${otherAdministrator(userId)} THEN 'last_admin'`;
}

export function unknownReason(userId: string): SQL {
  return sql`WHEN NOT EXISTS (SELECT 1 FROM users u WHERE u.id = ${userId} AND u.kind = 'person') THEN 'unknown'`;
}

/** Ends all sessions of an account that is switched off. Its API keys stay, but do not work until it is on again. */
export function endedSessions(ctx: Context, userId: string, condition: SQL) {
  return ctx.db.delete(sessions).where(and(eq(sessions.userId, userId), condition));
}

/** Writes differences; an unchanged row, and its time, is not written. */
export function userUpdate(
  ctx: Context,
  userId: string,
  values: UserValues,
  active: boolean | undefined,
  provider: string | undefined,
  allowed: SQL,
) {
  const nameParts = values.nameParts && JSON.stringify(values.nameParts);
  const emails = values.emails && JSON.stringify(values.emails);
  const differs = [
    sql`email IS NOT ${values.email}`,
    sql`name IS NOT ${values.name}`,
    sql`user_name IS NOT ${values.userName}`,
    sql`name_parts IS NOT ${nameParts}`,
    sql`emails IS NOT ${emails}`,
    ...(active === undefined ? [] : [sql`active IS NOT ${active ? 1 : 0}`]),
    ...(provider === undefined ? [] : [sql`${sentExternalId(provider)} IS NOT ${values.externalId}`]),
  ];
  return ctx.db
    .update(users)
    .set({
      email: values.email,
      name: values.name,
      userName: values.userName,
      nameParts: sql`${nameParts}`,
      emails: sql`${emails}`,
      ...(active === undefined ? {} : { active }),
      ...(provider === undefined ? {} : { scim: scimWith(provider, values.externalId) }),
      updatedAt: nextUpdate(ctx.now(), sql`updated_at`),
    })
    .where(and(eq(users.id, userId), allowed, sql`(${sql.join(differs, sql` OR `)})`));
}

/** The JSON field with the id under this provider; what others have put there stays. */
function scimWith(provider: string, externalId: string | null): SQL {
  const path = `$."${provider}"`;
  return externalId === null
    ? sql`nullif(json_remove(scim, ${path}), '{}')`
    : sql`json_set(coalesce(scim, '{}'), ${path}, json_object('external_id', ${externalId}))`;
}

/** After a write that switched a person off: closes their open connections immediately. */
export async function closeWhatWasOpen(
  ctx: Context,
  userId: string,
  [outcome]: readonly Outcome<Reason>[],
): Promise<void> {
  const before = tryParseJson(outcome?.before ?? "") as { active?: boolean } | undefined;
  if (before?.active !== true) return;
  await closeLive(ctx, userId, "account_inactive");
  await ctx.live.recheck([userId]);
}

import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Role } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { insertWhere } from "../../../db/insert-where.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import { organizations } from "../../organizations/tables.ts";
import { firstAdministrator, otherAdministrator } from "../../still-manages.ts";
import { organizationOf } from "../../users/organization-of.ts";
import { identities, passwords, profileImages, users } from "../../users/tables.ts";
import { deletedKeyRows } from "../api-keys/delete-keys.ts";
import { passkeys } from "../passkeys/tables.ts";
import { sessions } from "../sessions/tables.ts";
import type { ProviderPerson } from "./claims.ts";
import { type Account, subPath } from "./find-account.ts";
import type { OidcProvider } from "./providers.ts";

type Existing = Exclude<Account, { how: "new" }>;

/** SQL: whether the account belongs to this subject and may be used; checked by later statements of the batch. */
export function isLinkedAccount(provider: OidcProvider, person: ProviderPerson, userId: string): SQL {
  return sql`(EXISTS (SELECT 1 FROM ${identities} WHERE source = 'oauth' AND provider = ${provider.id}
      AND external_id = ${person.sub} AND user_id = ${userId}) AND ${isOpen(userId)})`;
}

function isOpen(userId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} u JOIN ${organizations} o ON o.id = u.organization_id
    WHERE u.id = ${userId} AND u.kind = 'person' AND u.active = 1 AND o.active = 1)`;
}

/** Links the account with the subject, if SCIM created it or it has the same address. First in the batch. */
export function linkRows(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  { how, userId, email }: Existing,
): BatchItem<"sqlite">[] {
  if (how === "known") return [];
  const { db } = ctx;
  const isTaken = sql`EXISTS (SELECT 1 FROM ${identities} WHERE source = 'oauth' AND provider = ${provider.id} AND external_id = ${person.sub})`;
  const stillSo =
    how === "provisioned"
      ? sql`EXISTS (SELECT 1 FROM ${identities} WHERE source = 'scim' AND provider = ${provider.id} AND external_id = ${person.sub} AND user_id = ${userId})`
      : sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND email = ${email} AND oauth ->> ${subPath(provider)} IS NULL)`;
  const linking = sql`(NOT ${isTaken} AND ${stillSo} AND ${isOpen(userId)})`;
  // Somebody may have made the account under an address that was never theirs, to wait for its owner: nothing that they
  // could still come in by stays. Nobody makes themselves an administrator so.
  const isNoAdministrator = sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND role = 'admin')`;
  const cleared =
    how === "merged"
      ? [
          db
            .delete(sessions)
            .where(and(eq(sessions.userId, userId), linking))
            .returning({ id: sessions.id }),
          db.delete(passwords).where(and(eq(passwords.userId, userId), linking, isNoAdministrator)),
          db.delete(passkeys).where(and(eq(passkeys.userId, userId), linking, isNoAdministrator)),
          ...deletedKeyRows(ctx, sql`u.id = ${userId} AND u.role <> 'admin' AND ${linking}`),
        ]
      : [];
  return [
    ...cleared,
    db
      .update(users)
      .set({
        oauth: sql`json_set(coalesce(oauth, '{}'), ${`$.${provider.id}`}, json_object('sub', ${person.sub}))`,
        updatedAt: ctx.now(),
      })
      .where(and(eq(users.id, userId), linking)),
    auditRowIf(ctx, {
      action: "sso.linked",
      targetType: "user",
      targetId: userId,
      organizationId: organizationOf(userId),
      detail: { provider: provider.id, how, subject: person.sub },
    }),
  ];
}

/**
 * Sets the role from the claim. The first administrator, and the last one who can sign in, are never lowered by a
 * claim. A lower role ends the person's sessions; the first statement returns them.
 */
export function roleRows(ctx: Context, provider: OidcProvider, userId: string, role: Role, allowed: SQL) {
  const isProtected =
    role === "admin"
      ? sql`0`
      : sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND role = 'admin' AND (id = ${firstAdministrator} OR NOT ${otherAdministrator(userId)}))`;
  const changes = sql`(${allowed} AND NOT ${isProtected} AND EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND role <> ${role}))`;
  const isLowered = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${userId} AND role = 'admin')`;
  const detail = sql`(SELECT json_object('from', role, 'to', ${role}, 'provider', ${provider.id}) FROM ${users} WHERE id = ${userId})`;
  return [
    ctx.db
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), changes, isLowered))
      .returning({ id: sessions.id }),
    auditRowIf(
      ctx,
      {
        action: "user.role_updated",
        targetType: "user",
        targetId: userId,
        organizationId: organizationOf(userId),
        detail,
      },
      changes,
    ),
    ctx.db
      .update(users)
      .set({ role, updatedAt: ctx.now() })
      .where(and(eq(users.id, userId), changes)),
  ] as const;
}

/**
 * Updates name, address and picture from the provider, as far as the settings say; for people managed by SCIM only the
 * picture.
 */
export function profileRows(
  ctx: Context,
  provider: OidcProvider,
  person: ProviderPerson,
  userId: string,
  allowed: SQL,
) {
  const { settings } = ctx;
  const rows: BatchItem<"sqlite">[] = [];
  const renew = (what: "name" | "email", value: string, free: SQL) => {
    const differs = sql`(${allowed} AND ${free} AND EXISTS (SELECT 1 FROM ${users}
      WHERE id = ${userId} AND scim IS NULL AND ${sql.raw(what)} <> ${value}))`;
    const detail = sql`(SELECT json_object('from', ${sql.raw(what)}, 'to', ${value}, 'provider', ${provider.id}) FROM ${users} WHERE id = ${userId})`;
    rows.push(
      auditRowIf(
        ctx,
        {
          action: `user.${what}_updated`,
          targetType: "user",
          targetId: userId,
          organizationId: organizationOf(userId),
          detail,
        },
        differs,
      ),
      ctx.db
        .update(users)
        .set({ updatedAt: ctx.now(), [what]: value })
        .where(and(eq(users.id, userId), differs)),
    );
  };
  if (settings.OAUTH_UPDATE_NAME_ON_LOGIN && person.name !== undefined) renew("name", person.name, sql`1`);
  if (settings.OAUTH_UPDATE_EMAIL_ON_LOGIN && person.email !== undefined && person.emailVerified === true)
    renew(
      "email",
      person.email,
      sql`NOT EXISTS (SELECT 1 FROM ${users} WHERE email = ${person.email} AND id <> ${userId})`,
    );
  if (settings.OAUTH_UPDATE_PICTURE_ON_LOGIN && person.picture !== undefined) {
    const differs = sql`(${allowed} AND NOT EXISTS (SELECT 1 FROM ${profileImages} WHERE user_id = ${userId} AND url = ${person.picture}))`;
    rows.push(
      auditRowIf(
        ctx,
        {
          action: "user.picture_updated",
          targetType: "user",
          targetId: userId,
          organizationId: organizationOf(userId),
          detail: { provider: provider.id },
        },
        differs,
      ),
      ctx.db.delete(profileImages).where(and(eq(profileImages.userId, userId), differs)),
      // Where it differed, there is none any more.
      insertWhere(
        ctx.db,
        profileImages,
        { userId, url: person.picture, updatedAt: ctx.now() },
        sql`${allowed} AND NOT EXISTS (SELECT 1 FROM ${profileImages} WHERE user_id = ${userId})`,
      ),
    );
  }
  return rows;
}

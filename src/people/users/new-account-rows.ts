import { sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Role } from "../../access.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { auditRowIf } from "../audit/audit-row.ts";
import { landingHome, type LandingFacts } from "../organizations/landing.ts";
import { organizations } from "../organizations/tables.ts";
import { organizationOf } from "./organization-of.ts";
import { passwords, profileImages, users } from "./tables.ts";

export interface NewAccountRows {
  id: string;
  name: string;
  /** Normalized. */
  email: string;
  /** Undefined for people who sign in elsewhere. */
  passwordHash?: string | undefined;
  /** "" for none. */
  picture: string;
  role: Role | SQL;
  /** A keyed hash of the network of somebody who signs up. */
  network?: string | undefined;
  /** What is said in the audit about how the account came to be. */
  action:
    | "user.signed_up"
    | "user.created"
    | "user.joined"
    | "user.signed_up_by_sso"
    | "user.provisioned"
    | "service_account.created";
  /** Id of the home where the caller has it already; it too has to be active. Otherwise the landing rules decide. */
  home?: string | undefined;
  /** That home also counts where it is switched off: nobody signs in there. */
  isHomeGiven?: boolean;
  /** What the landing rules look at besides the address. */
  landing?: Omit<LandingFacts, "email"> | undefined;
  /** Further columns: who the person is at their identity provider, or what a machine's account is. */
  identity?: Partial<
    Pick<
      typeof users.$inferInsert,
      | "active"
      | "oauth"
      | "scim"
      | "userName"
      | "nameParts"
      | "emails"
      | "kind"
      | "freeProbes"
      | "organizationRole"
      | "bio"
    >
  >;
  /** Of people who had an account elsewhere. */
  past?: Partial<
    Pick<
      typeof users.$inferInsert,
      "bio" | "gender" | "dateOfBirth" | "timezone" | "settings" | "info" | "lastActiveAt" | "createdAt" | "updatedAt"
    >
  >;
  /** Has to hold besides: decided in the same transaction. */
  condition: SQL;
}

/**
 * All rows of a new account, for one batch. The landing rules decide its organization; without an active organization
 * no row is written. An existing address fails the batch (`users.email`). The webhook for new people is notified, except of service accounts; call
 * `wakeNewUserDelivery` after the batch.
 */
export function newAccountRows(ctx: Context, account: NewAccountRows): [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] {
  const { db } = ctx;
  const { id, name, email, role, passwordHash } = account;
  const now = ctx.now();
  const home =
    account.home === undefined
      ? landingHome({ ...account.landing, email })
      : sql`(SELECT id FROM ${organizations} WHERE id = ${account.home} AND ${account.isHomeGiven ? sql`1` : sql`active = 1`})`;
  const exists = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id})`;
  const detail = sql`(SELECT json_object('name', name, 'email', email, 'role', role, 'organization_id', organization_id)
    FROM ${users} WHERE id = ${id})`;
  return [
    insertWhere(
      db,
      users,
      {
        ...account.identity,
        id,
        name,
        email,
        role,
        organizationId: home,
        waitingSince: account.action === "user.signed_up" ? now : null,
        waitingNetwork: account.network ?? null,
        lastActiveAt: now,
        createdAt: now,
        updatedAt: now,
        ...account.past,
      },
      sql`${home} IS NOT NULL AND ${account.condition}`,
    ),
    insertWhere(
      db,
      passwords,
      { userId: id, hash: passwordHash ?? "", updatedAt: now },
      sql`${exists} AND ${passwordHash === undefined ? 0 : 1}`,
    ),
    insertWhere(
      db,
      profileImages,
      { userId: id, url: account.picture, updatedAt: now },
      sql`${exists} AND ${account.picture} <> ''`,
    ),
    auditRowIf(
      ctx,
      { action: account.action, targetType: "user", targetId: id, organizationId: organizationOf(id), detail },
      exists,
    ),
    // Nobody has come: a machine has an account.
    ...(account.identity?.kind === "service" ? [] : ctx.registry.newUserDelivery(ctx, id)),
  ];
}

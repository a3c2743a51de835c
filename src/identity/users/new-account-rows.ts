import { sql, type SQL } from "drizzle-orm";
import type { Role } from "../../access.ts";
import { auditRowIf } from "../../audit/audit-row.ts";
import type { Context } from "../../context.ts";
import { insertWhere } from "../../db/insert-where.ts";
import { organizations } from "../organizations/tables.ts";
import { passwords, profileImages, users } from "./tables.ts";

export interface NewAccountRows {
  id: string;
  name: string;
  /** Normalized. */
  email: string;
  passwordHash: string;
  /** "" for none. */
  picture: string;
  role: Role | SQL;
  /** What is said in the audit about how the account came to be. */
  action: "user.signed_up" | "user.created";
  /** Has to hold besides: decided in the same transaction. */
  condition: SQL;
}

/**
 * Everything that makes an account, for one batch: all of it is stored or nothing. Its home is the default organization;
 * while that is switched off, no row is written. A taken address breaks the batch (`users.email`).
 */
export function newAccountRows(ctx: Context, account: NewAccountRows) {
  const { db } = ctx;
  const { id, name, email, role } = account;
  const now = ctx.now();
  const home = sql`(SELECT id FROM ${organizations} WHERE is_default = 1 AND active = 1)`;
  const exists = sql`EXISTS (SELECT 1 FROM ${users} WHERE id = ${id})`;
  const detail = sql`(SELECT json_object('name', name, 'email', email, 'role', role) FROM ${users} WHERE id = ${id})`;
  return [
    insertWhere(
      db,
      users,
      { id, name, email, role, organizationId: home, lastActiveAt: now, createdAt: now, updatedAt: now },
      sql`${home} IS NOT NULL AND ${account.condition}`,
    ),
    insertWhere(db, passwords, { userId: id, hash: account.passwordHash, updatedAt: now }, exists),
    insertWhere(
      db,
      profileImages,
      { userId: id, url: account.picture, updatedAt: now },
      sql`${exists} AND ${account.picture} <> ''`,
    ),
    auditRowIf(ctx, { action: account.action, targetType: "user", targetId: id, detail }, exists),
  ] as const;
}

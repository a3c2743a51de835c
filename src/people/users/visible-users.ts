import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { users } from "./tables.ts";

/** The people whom the caller can see: everyone for administrators, otherwise those of their organization. */
export function visibleTo(user: User): SQL | undefined {
  return user.role === "admin" ? undefined : eq(users.organizationId, user.organizationId);
}

/** SQL: the ids of all service accounts, which are few. */
export const serviceAccountIds = sql`(SELECT id FROM users WHERE kind = 'service')`;

/** The people whom the caller can share or talk with: visible people who can sign in. */
export function offeredTo(user: User): SQL | undefined {
  return user.role === "admin" ? undefined : and(visibleTo(user), eq(users.active, true), ne(users.role, "pending"));
}

import { and, eq, ne, type SQL } from "drizzle-orm";
import type { User } from "../../access.ts";
import { users } from "./tables.ts";

/** Whom the caller may see at all: administrators everyone, others the people of their organization. */
export function visibleTo(user: User): SQL | undefined {
  return user.role === "admin" ? undefined : eq(users.organizationId, user.organizationId);
}

/** Whom the caller is offered to share and talk with: visible people who can sign in. */
export function offeredTo(user: User): SQL | undefined {
  return user.role === "admin" ? undefined : and(visibleTo(user), eq(users.active, true), ne(users.role, "pending"));
}

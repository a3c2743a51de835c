import { sql, type SQL } from "drizzle-orm";
import { users } from "./tables.ts";

/**
 * Whether the service has an administrator, as SQL. While it has none, whoever signs up next becomes one: also where an
 * identity provider has already made people, or nobody could ever administer the service.
 */
export const hasAdministrator: SQL = sql`EXISTS (SELECT 1 FROM ${users} WHERE role = 'admin')`;

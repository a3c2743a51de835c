import { sql, type SQL } from "drizzle-orm";
import { users } from "./tables.ts";

/**
 * Whether the service has an administrator, as SQL. While it has none, the next person who signs up becomes one, also
 * if an identity provider has already created people: otherwise nobody could ever administer the service.
 */
export const hasAdministrator: SQL = sql`EXISTS (SELECT 1 FROM ${users} WHERE role = 'admin' AND kind = 'person')`;

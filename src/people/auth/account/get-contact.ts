import { sql } from "drizzle-orm";
import { requireSession } from "../../../access.ts";
import type { Context } from "../../../context.ts";
import { AppError } from "../../../errors.ts";
import { users } from "../../users/tables.ts";
import type { Contact } from "./schema.ts";

/**
 * The contact for people who wait for approval: the configured address, with the name of its account if there is one;
 * otherwise the first administrator.
 * @throws AppError `forbidden` if `SHOW_ADMIN_DETAILS` is off.
 */
export async function getContact(ctx: Context): Promise<Contact> {
  requireSession(ctx);
  if (!ctx.settings.SHOW_ADMIN_DETAILS)
    throw new AppError("forbidden", "Contact details of administrators are not shown");
  const set = ctx.settings.ADMIN_EMAIL;
  const whose = set === "" ? sql`role = 'admin' AND kind = 'person' AND active = 1` : sql`email = lower(${set})`;
  const [person] = await ctx.db.all<Contact>(
    sql`SELECT name, email FROM ${users} WHERE ${whose} ORDER BY created_at, id LIMIT 1`,
  );
  return set === "" ? (person ?? { name: "", email: "" }) : { name: person?.name ?? "", email: set };
}

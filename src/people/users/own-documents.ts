import { eq, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Document } from "./schema.ts";
import { users } from "./tables.ts";

/** Most characters of one document. */
const maxLength = 200_000;

/** The two documents that clients keep about their own person. */
const columns = { settings: users.settings, info: users.info };

/** The caller's document; `fallback` before anything was stored. */
export async function getOwnDocument(ctx: Context, which: keyof typeof columns, fallback: Document): Promise<Document> {
  const user = requireUser(ctx);
  const [row] = await ctx.db.select({ document: columns[which] }).from(users).where(eq(users.id, user.id));
  return row?.document ?? fallback;
}

/**
 * Replaces the named keys and leaves the others, in one statement: two tabs that write different keys lose nothing.
 * @throws AppError `payload_too_large` when the whole would be longer than 200,000 characters.
 */
export async function updateOwnDocument(
  ctx: Context,
  which: keyof typeof columns,
  change: Document,
): Promise<Document> {
  const user = requireUser(ctx);
  const column = sql.raw(which);
  const pairs = Object.entries(change).flatMap(([key, value]) => [
    sql`${`$."${key}"`}`,
    sql`json(${JSON.stringify(value ?? null)})`,
  ]);
  const stored = sql`coalesce(${column}, '{}')`;
  const next = pairs.length === 0 ? stored : sql`json_set(${stored}, ${sql.join(pairs, sql`, `)})`;
  const [row] = await ctx.db
    .update(users)
    .set({ [which]: next })
    .where(sql`${users.id} = ${user.id} AND length(${next}) <= ${maxLength}`)
    .returning({ document: columns[which] });
  if (!row) throw new AppError("payload_too_large", `The document can have at most ${maxLength} characters`);
  return row.document ?? {};
}

import { and, eq, gt } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { InputItemsQuery } from "./schema.ts";
import { openTurn, shownOutput, type StoredTurn, unknownResponse } from "./stored-turn.ts";
import { storedResponses } from "./tables.ts";
import type { Item } from "./to-parts.ts";

/**
 * A stored response as it was sent.
 * @throws AppError `not_found`
 */
export async function getResponse(
  ctx: Context,
  id: string,
  { showsMarks }: { showsMarks: boolean },
): Promise<Record<string, unknown>> {
  const { response, output } = await getTurn(ctx, id);
  return { ...response, output: shownOutput(output, showsMarks) };
}

/**
 * Deletes a stored response; responses that continued from it can no longer be continued.
 * @throws AppError `not_found`
 */
export async function deleteResponse(ctx: Context, id: string): Promise<void> {
  const { rowsAffected } = await ctx.db.delete(storedResponses).where(mine(ctx, id));
  if (rowsAffected === 0) throw unknownResponse(id);
}

/**
 * The input of a stored response, page by page.
 * @throws AppError `not_found`, also for an item that is not part of it
 */
export async function listInputItems(
  ctx: Context,
  id: string,
  { limit, order, after }: InputItemsQuery,
): Promise<{ data: Item[]; hasMore: boolean }> {
  const { input } = await getTurn(ctx, id);
  const ordered = order === "asc" ? input : input.toReversed();
  const at = after === undefined ? -1 : ordered.findIndex((item) => item["id"] === after);
  if (after !== undefined && at === -1)
    throw new AppError("not_found", `No such item: ${JSON.stringify(after)}`, { param: "after" });
  const data = ordered.slice(at + 1, at + 1 + limit);
  return { data, hasMore: at + 1 + limit < ordered.length };
}

async function getTurn(ctx: Context, id: string): Promise<StoredTurn> {
  const [row] = await ctx.db.select().from(storedResponses).where(mine(ctx, id));
  if (!row) throw unknownResponse(id);
  return openTurn(ctx, row);
}

function mine(ctx: Context, id: string) {
  const { id: userId } = requireUser(ctx);
  return and(eq(storedResponses.id, id), eq(storedResponses.userId, userId), gt(storedResponses.expiresAt, ctx.now()));
}

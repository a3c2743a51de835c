import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { itemsOf } from "./input-items.ts";
import { placeOfItem } from "./item-ids.ts";
import type { ResponsesRequest } from "./schema.ts";
import { openTurn, type StoredTurn, unknownResponse } from "./stored-turn.ts";
import { storedResponses } from "./tables.ts";
import type { Item } from "./to-parts.ts";

/** Limits of a conversation: turns, and their total size in UTF-16 units of JSON. */
const max = { turns: 1000, size: 32_000_000 };

export interface Conversation {
  /** All items, earlier turns first. */
  items: Item[];
  /** This turn's own. */
  input: Item[];
}

/**
 * The conversation of a request: the turns that it continues, and its own input, in which items of earlier answers may
 * be referenced by id. No round trip without references.
 * @throws AppError `not_found` for what is not stored for the caller; `payload_too_large`
 */
export async function readConversation(ctx: Context, request: ResponsesRequest): Promise<Conversation> {
  const given = itemsOf(request.input);
  const named = given.filter(({ type }) => type === "item_reference");
  const input = named.length === 0 ? given : await withReferences(ctx, given, named);
  const { previous_response_id: previous } = request;
  if (!previous) return { items: input, input };
  const earlier = await readTurns(ctx, previous);
  return { items: [...earlier.flatMap((turn) => [...turn.input, ...turn.output]), ...input], input };
}

/** The turns up to the given one, first one first: one round trip. */
async function readTurns(ctx: Context, last: string): Promise<StoredTurn[]> {
  const user = requireUser(ctx);
  const mine = sql`r.user_id = ${user.id} AND r.expires_at > ${ctx.now()}`;
  const rows = await ctx.db.all<{
    id: string;
    previous: string | null;
    response: string;
    input: string | null;
    large: number;
  }>(sql`
    WITH RECURSIVE turn (id, previous_id, depth, size) AS (
      SELECT r.id, r.previous_id, 1, r.size FROM stored_responses r WHERE r.id = ${last} AND ${mine}
      UNION ALL
      SELECT r.id, r.previous_id, turn.depth + 1, turn.size + r.size FROM turn
        JOIN stored_responses r ON r.id = turn.previous_id AND ${mine}
        WHERE turn.depth < ${max.turns} AND turn.size < ${max.size}
    )
    SELECT r.id AS id, r.previous_id AS previous, r.response AS response, r.input AS input, r.is_large AS large
    FROM turn JOIN stored_responses r ON r.id = turn.id ORDER BY turn.depth DESC`);
  const [first] = rows;
  if (!first) throw unknownResponse(last, "previous_response_id");
  const size = rows.reduce((sum, { response, input }) => sum + response.length + (input?.length ?? 0), 0);
  if (rows.length >= max.turns || size >= max.size)
    throw new AppError("payload_too_large", "The conversation of previous_response_id is too long", {
      param: "previous_response_id",
    });
  if (first.previous !== null) throw unknownResponse(first.previous, "previous_response_id");
  return Promise.all(
    rows.map(({ id, previous, response, input, large }) =>
      openTurn(ctx, {
        id,
        previousId: previous,
        response: JSON.parse(response) as Record<string, unknown>,
        input: input === null ? null : (JSON.parse(input) as Item[]),
        isLarge: large === 1,
      }),
    ),
  );
}

/** The items with references replaced by what they refer to. */
async function withReferences(ctx: Context, items: readonly Item[], named: readonly Item[]): Promise<Item[]> {
  const places = named.map(({ id }) => (typeof id === "string" ? placeOfItem(id) : undefined));
  const ids = [...new Set(places.flatMap((place) => (place ? [place.responseId] : [])))];
  const { id: userId } = requireUser(ctx);
  const table = storedResponses;
  const rows =
    ids.length === 0
      ? []
      : await ctx.db
          .select()
          .from(table)
          .where(
            and(inArray(table.id, ids.slice(0, max.turns)), eq(table.userId, userId), gt(table.expiresAt, ctx.now())),
          );
  const turns = new Map((await Promise.all(rows.map((row) => openTurn(ctx, row)))).map((turn) => [turn.id, turn]));
  return items.map((item) => {
    if (item["type"] !== "item_reference") return item;
    const place = typeof item["id"] === "string" ? placeOfItem(item["id"]) : undefined;
    const found = place && turns.get(place.responseId)?.[place.list][place.place];
    if (found) return found;
    throw new AppError(
      "not_found",
      `No such item: ${JSON.stringify(String(item["id"]).slice(0, 120))} (it was not stored)`,
      {
        param: "input",
      },
    );
  });
}

import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { itemsKey } from "./keep-response.ts";
import type { storedResponses } from "./tables.ts";
import type { Item } from "./to-parts.ts";

type Row = typeof storedResponses.$inferSelect;

/** One stored response with everything that belongs to it. */
export interface StoredTurn {
  id: string;
  previousId: string | null;
  /** With its output, and the provider's signatures on its thoughts. */
  response: Record<string, unknown>;
  input: Item[];
  output: Item[];
}

/**
 * The response of a row, whose items may be in object storage.
 * @throws AppError `not_found` if they were deleted meanwhile
 */
export async function openTurn(
  ctx: Context,
  row: Pick<Row, "id" | "previousId" | "response" | "input" | "isLarge">,
): Promise<StoredTurn> {
  const { id, previousId, response, isLarge } = row;
  const items = isLarge ? await readItems(ctx, id) : { input: row.input, output: response["output"] };
  const output = itemsIn(items["output"]);
  return { id, previousId, response: { ...response, output }, input: itemsIn(items["input"]), output };
}

async function readItems(ctx: Context, id: string): Promise<Record<string, unknown>> {
  const found = await ctx.blobs.get(itemsKey(id));
  const value = found && tryParseJson(await new Response(found.body).text());
  if (!isRecord(value)) throw unknownResponse(id);
  return value;
}

function itemsIn(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function unknownResponse(id: string, param?: string): AppError {
  const message = `No such response: ${JSON.stringify(id.slice(0, 120))} (it was not stored, was deleted, or belongs to someone else)`;
  return new AppError("not_found", message, param === undefined ? {} : { param });
}

/** The output for a client: signatures only if it asked for them. */
export function shownOutput(output: readonly Item[], showsMarks: boolean): Item[] {
  if (showsMarks) return [...output];
  return output.map((item) => {
    const { encrypted_content: _, ...rest } = item;
    return rest;
  });
}

import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { isRecord, tryParseJson } from "../../lib/json.ts";
import { itemsKey } from "./keep-response.ts";
import type { storedResponses } from "./tables.ts";
import type { Item } from "./to-parts.ts";

type Row = typeof storedResponses.$inferSelect;

/** One kept response with all that belongs to it. */
export interface StoredTurn {
  id: string;
  previousId: string | null;
  /** With its output, and the provider's marks on its thoughts. */
  response: Record<string, unknown>;
  input: Item[];
  output: Item[];
}

/** The response behind a row, whose items may be elsewhere. @throws AppError `not_found` where they have gone meanwhile */
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
  const message = `There is no response ${JSON.stringify(id.slice(0, 120))}: it was not kept, is deleted, or belongs to somebody else`;
  return new AppError("not_found", message, param === undefined ? {} : { param });
}

/** What a client is shown: marks only where it asked for them. */
export function shownOutput(output: readonly Item[], showsMarks: boolean): Item[] {
  if (showsMarks) return [...output];
  return output.map((item) => {
    const { encrypted_content: _, ...rest } = item;
    return rest;
  });
}

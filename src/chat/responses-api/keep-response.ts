import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { namedItems } from "./input-items.ts";
import { storedResponses } from "./tables.ts";
import type { Item } from "./to-parts.ts";

/** How long responses are kept, in seconds, as at OpenAI. */
export const keptSeconds = 30 * 86_400;
/** Maximum size of a stored turn, by `weightOf`. */
export const maxKeptLength = 8_000_000;
/** Maximum size of a row; larger inputs and outputs go to object storage. */
const maxRowLength = 64_000;

/** The key of a large response's items. */
export function itemsKey(responseId: string): string {
  return `responses/${responseId}`;
}

/**
 * Stores a finished response for its caller. Never fails: the answer is returned anyway, but continuing from it is then
 * refused.
 * @param response with the provider's signatures on its thoughts
 * @param input this turn's own
 */
export async function keepResponse(
  ctx: Context,
  { response, input }: { response: Record<string, unknown>; input: readonly Item[] },
): Promise<void> {
  const id = String(response["id"]);
  const { output, ...rest } = response;
  const named = namedItems(input, id);
  const items = JSON.stringify({ input: named, output });
  const isLarge = items.length > maxRowLength;
  const now = ctx.now();
  try {
    if (isLarge) await ctx.blobs.put(itemsKey(id), new TextEncoder().encode(items));
    await ctx.db.insert(storedResponses).values({
      id,
      userId: requireUser(ctx).id,
      previousId: (response["previous_response_id"] as string | null) ?? null,
      response: isLarge ? rest : response,
      input: isLarge ? null : named,
      isLarge,
      size: items.length,
      createdAt: now,
      expiresAt: now + keptSeconds,
    });
  } catch (error) {
    ctx.log.error("could not store a response", { response_id: id, error });
    if (isLarge) await ctx.blobs.delete([itemsKey(id)]).catch(() => undefined);
  }
}

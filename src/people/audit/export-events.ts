import { heldCredential, requireManager, type User } from "../../access.ts";
import type { Context } from "../../context.ts";
import { resolveActorById } from "../auth/resolve-actor.ts";
import { csvHead, toCsvLine } from "./audit-csv.ts";
import type { AuditFilter } from "./schema.ts";
import { type EventRow, type Place, selectEvents } from "./select-events.ts";

/** Rows that are read at once, and all that is ever held. */
export const exportedPage = 1000;

/**
 * All that the filter lets through as CSV, newest first, read page by page as fast as it is taken. Before each further page
 * the caller is looked at again: a download does not outlive the right to it. A failure in the middle breaks the body off.
 * @throws AppError `forbidden` for who administers nothing.
 */
export async function exportEvents(ctx: Context, filter: AuditFilter): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const user = requireManager(ctx);
  // Read before the answer begins, so that a database that is away is an error and no empty file.
  let first: EventRow[] | undefined = await selectEvents(ctx, user, filter, undefined, exportedPage);
  let after: Place = [0, ""];
  const next = async () => selectEvents(ctx, await now(ctx, user), filter, after, exportedPage);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const text = first ? csvHead : "";
        const rows = first ?? (await next());
        first = undefined;
        const last = rows.at(-1);
        if (last) after = [last.at, last.id];
        controller.enqueue(encoder.encode(text + rows.map(toCsvLine).join("")));
        if (rows.length < exportedPage) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The caller as they are now. */
async function now(ctx: Context, user: User): Promise<User> {
  return requireManager(await resolveActorById(ctx, heldCredential(user)));
}

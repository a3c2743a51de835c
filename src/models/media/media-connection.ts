import { requireUser } from "../../access.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { loadSnapshot } from "../catalog/catalog-snapshot.ts";
import { connectionsFor } from "../catalog/connections-for.ts";
import { knownList } from "../catalog/look-up-list.ts";
import { apiRoots } from "../connections/base-url.ts";
import { type Connection, requireUsable } from "../connections/connection.ts";

/**
 * The connection that the settings choose for pictures or speech, if the caller's organization has it.
 * @param use ends the sentence "The connection for ... is not available"
 * @throws AppError `upstream_unreachable`
 */
export async function mediaConnection(ctx: Context, id: string, use: string): Promise<Connection> {
  const found = connectionsFor(await loadSnapshot(ctx), requireUser(ctx)).find((connection) => connection.id === id);
  if (!found || found.kind !== "openai" || !found.enabled)
    throw new AppError("upstream_unreachable", `The connection for ${use} is not available`);
  return requireUsable(found);
}

/** Where the paths of OpenAI's API begin: where its list of models was found, or the likely place. */
export function apiRootOf(ctx: Context, connection: Connection): string {
  return connection.apiRoot ?? knownList(ctx, connection)?.list?.apiRoot ?? apiRoots(connection.baseUrl)[0];
}

import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { connectionsFor } from "../models/catalog/connections-for.ts";
import { loadSnapshot, type Snapshot } from "../models/catalog/catalog-snapshot.ts";
import type { Connection } from "../models/connections/connection.ts";

/** The local runtimes that there are for the caller, in their order; those whose secrets are lost are not among them. */
export async function runtimesFor(ctx: Context): Promise<{ snapshot: Snapshot; runtimes: Connection[] }> {
  const snapshot = await loadSnapshot(ctx);
  const runtimes = connectionsFor(snapshot, requireUser(ctx)).filter(
    ({ kind, pipe, unusable }) => kind === "local" && !pipe && unusable === undefined,
  );
  return { snapshot, runtimes };
}

/**
 * Those that are meant: all, or the one at this place or with this id.
 * @throws AppError `not_found` for a runtime that is not there for the caller
 */
export function chosenRuntimes(runtimes: readonly Connection[], place: string | undefined): readonly Connection[] {
  if (place === undefined) return runtimes;
  const chosen = /^\d+$/.test(place) ? runtimes[Number(place)] : runtimes.find(({ id }) => id === place);
  if (!chosen) throw new AppError("not_found", `No such local runtime: ${place}`);
  return [chosen];
}

/** @throws AppError `not_ready` where there is none to ask */
export function requireRuntime(runtimes: readonly Connection[]): Connection {
  const [first] = runtimes;
  if (first) return first;
  throw new AppError("not_ready", "No local runtime is connected. Ask an administrator to connect one");
}

import { requireUser } from "../access.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { Snapshot } from "../models/catalog/catalog-snapshot.ts";
import { knownList } from "../models/catalog/look-up-list.ts";
import { freshSeconds, providerLists } from "../models/catalog/provider-lists.ts";
import { mayUse, type Rules } from "../models/catalog/visibility.ts";
import { withoutPrefix, type Connection } from "../models/connections/connection.ts";
import { isHidden } from "../models/stored-models/stored-model.ts";

/** A model on the runtimes that have it. */
export interface RuntimeModel {
  /** As the catalogue lists it: what rights are decided by. */
  id: string;
  /** Those that have it, the likeliest to answer first; never empty. */
  places: {
    runtime: Connection;
    /** The name for this runtime: what the caller sent, without the prefix. */ name: string;
  }[];
}

/**
 * Finds the runtimes with a model that the caller may use. Permissions are checked first, so that ids without access
 * cause no work and reveal nothing. Custom models of Parley are excluded, because their settings would be lost.
 * @param asked the caller's name; without a tag `:latest` is assumed
 * @throws AppError `model_not_found` for a model that does not exist or is not accessible
 */
export async function findRuntimeModel(
  ctx: Context,
  { snapshot, runtimes }: { snapshot: Snapshot; runtimes: readonly Connection[] },
  asked: string,
): Promise<RuntimeModel> {
  const rules: Rules = { snapshot, settings: ctx.settings, viewer: requireUser(ctx) };
  const ids = spellings(asked).filter((id) => isOnRuntimes(snapshot, id) && mayUse(rules, id));
  const known = firstPlaced(ctx, runtimes, ids, asked);
  if (known) return known;
  const unclear = ids.length === 0 ? [] : runtimes.filter((runtime) => isOld(ctx, runtime));
  if (unclear.length > 0) await providerLists(ctx, [...unclear], { refresh: true });
  const found = firstPlaced(ctx, runtimes, ids, asked);
  if (found) return found;
  // The runtimes' own words, which their clients know.
  throw new AppError("model_not_found", `model '${asked.slice(0, 256)}' not found`, { param: "model" });
}

/** Whether a model of a runtime is visible to the caller. */
export function isShown(rules: Rules, id: string): boolean {
  return isOnRuntimes(rules.snapshot, id) && !isHidden(rules.snapshot.stored.get(id)) && mayUse(rules, id);
}

/** What runtimes take a name for: the tag behind the last slash may be left out. */
function spellings(name: string): string[] {
  return /:[^/]*$/.test(name) ? [name] : [name, `${name}:latest`];
}

function isOnRuntimes({ stored }: Pick<Snapshot, "stored">, id: string): boolean {
  return (stored.get(id)?.baseModelId ?? null) === null;
}

function isOld(ctx: Context, runtime: Connection): boolean {
  const known = knownList(ctx, runtime);
  return !known || ctx.now() - known.checkedAt > freshSeconds;
}

function firstPlaced(
  ctx: Context,
  runtimes: readonly Connection[],
  ids: readonly string[],
  asked: string,
): RuntimeModel | undefined {
  for (const id of ids) {
    const places = runtimes.flatMap((runtime) => {
      const name = withoutPrefix(runtime, asked);
      return name !== undefined && hasModel(ctx, runtime, id) ? [{ runtime, name }] : [];
    });
    if (places.length > 0)
      return { id, places: places.toSorted((a, b) => rank(ctx, a.runtime) - rank(ctx, b.runtime)) };
  }
  return undefined;
}

function hasModel(ctx: Context, runtime: Connection, id: string): boolean {
  const own = withoutPrefix(runtime, id);
  if (own === undefined) return false;
  if (runtime.modelIds.length > 0) return runtime.modelIds.includes(own);
  return knownList(ctx, runtime)?.byId.has(own) === true;
}

/** Those that did not answer last come last; they may be back. */
function rank(ctx: Context, runtime: Connection): number {
  return knownList(ctx, runtime)?.failure === undefined ? 0 : 1;
}

import type { Context } from "../context.ts";
import { knownList } from "../models/catalog/look-up-list.ts";
import { freshSeconds, providerLists } from "../models/catalog/provider-lists.ts";
import { withoutPrefix, type Connection } from "../models/connections/connection.ts";
import { requireRuntime } from "./runtimes.ts";

/**
 * The runtime for a call about these models: one with the first of them, otherwise one whose prefix they have,
 * otherwise the first that responded last time.
 * @throws AppError `not_ready` if there is none
 */
export async function chooseRuntime(
  ctx: Context,
  runtimes: readonly Connection[],
  names: readonly string[],
): Promise<Connection> {
  const first = requireRuntime(runtimes);
  if (runtimes.length === 1) return first;
  const old = runtimes.filter((runtime) => ctx.now() - (knownList(ctx, runtime)?.checkedAt ?? 0) > freshSeconds);
  if (old.length > 0) await providerLists(ctx, old, { refresh: true });
  for (const name of names) {
    const holder = runtimes.find((runtime) => holds(ctx, runtime, name));
    if (holder) return holder;
  }
  const answering = runtimes.filter((runtime) => knownList(ctx, runtime)?.failure === undefined);
  const bearer = answering.find(
    ({ prefixId }) => prefixId !== "" && names.some((name) => name.startsWith(`${prefixId}.`)),
  );
  return bearer ?? answering[0] ?? first;
}

function holds(ctx: Context, runtime: Connection, name: string): boolean {
  const own = withoutPrefix(runtime, name);
  const known = knownList(ctx, runtime)?.byId;
  return own !== undefined && known !== undefined && (known.has(own) || known.has(`${own}:latest`));
}

import type { Context } from "../../context.ts";
import { ProviderFailure, networkProblem, timedOut } from "../../upstream/errors/provider-failure.ts";
import { driverKindOf, type Connection } from "../connections/connection.ts";
import { driverOf } from "../drivers/driver-registry.ts";
import type { ProviderList } from "../drivers/driver.ts";
import { wayOut } from "../drivers/way-out.ts";
import { askPipes, type PipeContext } from "./ask-pipes.ts";
import { catalogState, type CatalogState, type ListState } from "./catalog-state.ts";
import { declaredModels } from "./pipe-connection.ts";

/** Time budget for a provider's model list, milliseconds. */
export const defaultBudgetMs = 3000;

export type LookContext = Pick<Context, "environment" | "outbound" | "now"> & PipeContext;

export interface Look {
  list: ProviderList | undefined;
  failure: ListState["failure"];
  latencyMs: number;
}

/** Asks a provider for its models within the budget. Never throws. */
export async function lookUpList(
  ctx: Pick<Context, "outbound"> & PipeContext,
  connection: Connection,
  budgetMs = defaultBudgetMs,
): Promise<Look> {
  if (connection.unusable !== undefined)
    return { list: undefined, failure: { reason: "secret_lost", message: connection.unusable }, latencyMs: 0 };
  const controller = new AbortController();
  const started = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const failure = connection.pipe
        ? new ProviderFailure("timeout", `${connection.name} did not list its models within ${budgetMs} ms`)
        : timedOut(connection.baseUrl, budgetMs);
      reject(failure);
      controller.abort(failure);
    }, budgetMs);
  });
  try {
    const asked = connection.pipe
      ? askPipes(ctx, connection.pipe, controller.signal, budgetMs)
      : driverOf(driverKindOf(connection)).listModels(connection, wayOut(ctx.outbound, connection), controller.signal);
    const list = await Promise.race([asked, late]);
    return { list, failure: undefined, latencyMs: Date.now() - started };
  } catch (error) {
    const { reason, message } =
      error instanceof ProviderFailure ? error : networkProblem("unreachable", connection.baseUrl, error);
    return { list: undefined, failure: { reason, message }, latencyMs: Date.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

/** Equal for connections that have the same models. */
export function fingerprintOf(connection: Connection): string {
  const { pipe } = connection;
  if (pipe) return JSON.stringify([pipe.fingerprint, pipe.version, pipe.name]);
  return JSON.stringify([connection.kind, connection.baseUrl, connection.key ?? null, connection.headers]);
}

/** The state of the connection as currently configured. */
export function knownList(ctx: Pick<Context, "environment">, connection: Connection): ListState | undefined {
  const { lists, ownLists } = catalogState(ctx);
  const known = (connection.ownerId === undefined ? lists : ownLists).get(connection.id);
  return known?.fingerprint === fingerprintOf(connection) ? known : undefined;
}

/** Invalidates a connection's models: the next reader asks the provider. */
export function forgetList(ctx: Pick<Context, "environment">, connection: Connection): void {
  const known = knownList(ctx, connection);
  if (known) known.checkedAt = 0;
}

/** Checks and remembers the result. A failed check keeps the known models beside the failure. */
export async function refreshList(ctx: LookContext, connection: Connection, budgetMs?: number): Promise<ListState> {
  const state = catalogState(ctx);
  state.looking.set(connection.id, ctx.now());
  const { list: received, failure, latencyMs } = await lookUpList(ctx, connection, budgetMs);
  state.looking.delete(connection.id);
  const list = received && connection.ownerId !== undefined ? shortened(received) : received;
  const before = knownList(ctx, connection);
  const fresh: ListState = {
    fingerprint: fingerprintOf(connection),
    list: list ?? before?.list,
    byId: list ? new Map(list.models.map((model) => [model.id, model])) : (before?.byId ?? new Map()),
    failure,
    checkedAt: ctx.now(),
    latencyMs,
    version: ++state.version,
  };
  if (connection.ownerId === undefined) state.lists.set(connection.id, fresh);
  else keepOwnList(state, connection.id, fresh);
  return fresh;
}

/** Most models of one of people's own connections, and of all of them together that an isolate remembers. */
const maxOwnModels = { each: 1000, together: 20_000 };
/** Most of these connections that an isolate remembers. */
const maxOwnLists = 200;

function shortened({ models, apiRoot }: ProviderList): ProviderList {
  return { models: models.slice(0, maxOwnModels.each), apiRoot };
}

/** There may be thousands of people's own connections: those that nobody has asked for longest are forgotten. */
function keepOwnList({ ownLists }: CatalogState, id: string, fresh: ListState): void {
  ownLists.delete(id);
  let together = fresh.byId.size;
  for (const { byId } of ownLists.values()) together += byId.size;
  for (const [oldest, { byId }] of ownLists) {
    if (ownLists.size < maxOwnLists && together <= maxOwnModels.together) break;
    together -= byId.size;
    ownLists.delete(oldest);
  }
  ownLists.set(id, fresh);
}

/** Remembers models that a function's source declares, without asking it. */
export function keepDeclaredList(ctx: Pick<Context, "environment">, connection: Connection): void {
  const list = connection.pipe && declaredModels(connection.pipe);
  if (!list) return;
  const state = catalogState(ctx);
  state.lists.set(connection.id, {
    fingerprint: fingerprintOf(connection),
    list,
    byId: new Map(list.models.map((model) => [model.id, model])),
    failure: undefined,
    // It never gets old.
    checkedAt: Infinity,
    latencyMs: 0,
    version: ++state.version,
  });
}

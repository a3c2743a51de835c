import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { finishesWithin } from "../../lib/finishes-within.ts";
import type { Connection } from "../connections/connection.ts";
import { connectionChecks } from "../connections/tables.ts";
import { catalogState, type ListState } from "./catalog-state.ts";
import { defaultBudgetMs, knownList, refreshList, type LookContext } from "./look-up-list.ts";

/** Seconds for which a list is used without a check, and while a new one is fetched. */
export const freshSeconds = 5;
export const staleSeconds = 30;
/** Minimum seconds between two writes of the same state to `connection_checks`. */
const noteIntervalSeconds = 60;
/** An edge runtime allows at most six open connections per request. */
const maxAtOnce = 6;
/**
 * How long a provider that failed last time may delay an answer, milliseconds: short, but enough to notice its
 * recovery.
 */
const graceMs = 300;

export interface ListOptions {
  /** Ask every provider now. */
  refresh?: boolean;
  /** Milliseconds that each provider may take. */
  budgetMs?: number;
  graceMs?: number;
}

export type ListContext = LookContext & Pick<Context, "waitUntil" | "log">;

/** What is known of each connection after asking those with too little known; `late` ones have not answered yet. */
export interface ProviderLists {
  states: Map<string, ListState | undefined>;
  late: Set<string>;
}

/** What is needed, depending on the age of the known list. */
type Need = "nothing" | "background" | "grace" | "answer";

function needOf(known: ListState | undefined, now: number, refresh: boolean): Need {
  if (refresh || !known) return "answer";
  const age = now - known.checkedAt;
  if (age <= freshSeconds) return "nothing";
  if (age <= staleSeconds) return "background";
  return known.failure ? "grace" : "answer";
}

/** Asks all providers in parallel; no answer waits longer than the budget, however many are unreachable. */
export async function providerLists(
  ctx: ListContext,
  connections: Connection[],
  options: ListOptions = {},
): Promise<ProviderLists> {
  const { refresh = false, budgetMs = defaultBudgetMs } = options;
  const now = ctx.now();
  const { looking } = catalogState(ctx);
  const awaited: Connection[] = [];
  const hopeful: Connection[] = [];
  const background: Connection[] = [];
  for (const connection of connections) {
    const need = needOf(knownList(ctx, connection), now, refresh);
    const begun = looking.get(connection.id);
    // A look of another request cannot be waited for, but it will be remembered.
    const isUnderWay = begun !== undefined && now - begun <= budgetMs / 1000 + 1;
    if (need === "answer") awaited.push(connection);
    else if (need === "grace" && !isUnderWay) hopeful.push(connection);
    else if (need === "background" && !isUnderWay) background.push(connection);
  }
  // Those that failed last stand at the end of the queue: they are the ones that hold a place for long.
  awaited.sort((a, b) => Number(hasFailed(ctx, a)) - Number(hasFailed(ctx, b)));
  const late = new Set(awaited.map((connection) => connection.id));
  if (awaited.length + hopeful.length + background.length > 0) {
    const looks = askAll(ctx, [...awaited, ...hopeful, ...background], budgetMs);
    const lookAt = (connection: Connection) => looks.get(connection.id)!.then(() => late.delete(connection.id));
    // The small extra lets the budget of the looks themselves end first, with its reason.
    await Promise.all([
      finishesWithin(budgetMs + 50, Promise.all(awaited.map(lookAt))),
      finishesWithin(options.graceMs ?? graceMs, Promise.all(hopeful.map(lookAt))),
    ]);
  }
  return { states: new Map(connections.map((connection) => [connection.id, knownList(ctx, connection)])), late };
}

function hasFailed(ctx: ListContext, connection: Connection): boolean {
  return knownList(ctx, connection)?.failure !== undefined;
}

/**
 * Starts a check of each connection, at most six at once, in this order. They continue after the answer, and results
 * are recorded for administrators.
 */
export function askAll(ctx: ListContext, connections: Connection[], budgetMs: number): Map<string, Promise<ListState>> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = () => (running < maxAtOnce ? void running++ : new Promise<void>((resolve) => waiting.push(resolve)));
  const done = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  const looks = new Map(
    connections.map((connection) => {
      const look = async () => {
        await turn();
        try {
          return await refreshList(ctx, connection, budgetMs);
        } finally {
          done();
        }
      };
      return [connection.id, look()] as const;
    }),
  );
  ctx.waitUntil(Promise.all(looks.values()).then(() => noteChecks(ctx, connections)));
  return looks;
}

/** Writes states that changed or were last written a minute ago: one statement for all. */
async function noteChecks(ctx: ListContext, connections: Connection[]): Promise<void> {
  const { noted } = catalogState(ctx);
  const rows = connections.flatMap((connection) => {
    const known = knownList(ctx, connection);
    // What functions do is noted with the functions; what people's own connections do is nobody else's business.
    if (!known || connection.pipe || connection.ownerId !== undefined) return [];
    const before = noted.get(connection.id);
    const ok = known.failure === undefined;
    if (before && before.ok === ok && known.checkedAt - before.at < noteIntervalSeconds) return [];
    noted.set(connection.id, { ok, at: known.checkedAt });
    return [checkRow(connection.id, known)];
  });
  if (rows.length === 0) return;
  try {
    await ctx.db
      .insert(connectionChecks)
      .values(rows)
      .onConflictDoUpdate({ target: connectionChecks.connectionId, set: newerCheck });
  } catch (error) {
    ctx.log.warn("could not store the state of connections", { error });
  }
}

type Check = Pick<ListState, "failure" | "checkedAt" | "latencyMs"> & { list: { models: unknown[] } | undefined };

export function checkRow(connectionId: string, known: Check): typeof connectionChecks.$inferInsert {
  return {
    connectionId,
    ok: known.failure === undefined,
    reason: known.failure?.reason ?? null,
    error: known.failure?.message ?? null,
    modelCount: known.failure ? 0 : (known.list?.models.length ?? 0),
    latencyMs: Math.round(known.latencyMs),
    checkedAt: known.checkedAt,
  };
}

export const newerCheck = {
  ok: sql`excluded.ok`,
  reason: sql`excluded.reason`,
  error: sql`excluded.error`,
  modelCount: sql`excluded.model_count`,
  latencyMs: sql`excluded.latency_ms`,
  checkedAt: sql`excluded.checked_at`,
};

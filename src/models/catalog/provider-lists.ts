import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Connection } from "../connections/connection.ts";
import { connectionChecks } from "../connections/tables.ts";
import { catalogState, type ListState } from "./catalog-state.ts";
import { defaultBudgetMs, knownList, refreshList, type LookContext } from "./look-up-list.ts";

/** Seconds for which a list is simply used, and for which it is used while a new one is fetched. */
export const freshSeconds = 5;
export const staleSeconds = 30;
/** Seconds between two notes of the same state in `connection_checks`. */
const noteIntervalSeconds = 60;
/** A runtime on the edge holds at most six connections of a request open at the same time. */
const maxAtOnce = 6;
/** What a provider that failed last time may hold up an answer: it costs nothing to speak of, and is seen at once when it is back. */
const graceMs = 300;

export interface ListOptions {
  /** Ask every provider now. */
  refresh?: boolean;
  /** Milliseconds that each provider may take. */
  budgetMs?: number;
  graceMs?: number;
}

export type ListContext = LookContext & Pick<Context, "waitUntil" | "log">;

/** What is known of each connection, after asking those of which too little was known; `late` ones have not answered yet. */
export interface ProviderLists {
  states: Map<string, ListState | undefined>;
  late: Set<string>;
}

/** What the age of what is known asks for. */
type Need = "nothing" | "background" | "grace" | "answer";

function needOf(known: ListState | undefined, now: number, refresh: boolean): Need {
  if (refresh || !known) return "answer";
  const age = now - known.checkedAt;
  if (age <= freshSeconds) return "nothing";
  if (age <= staleSeconds) return "background";
  return known.failure ? "grace" : "answer";
}

/** All providers are asked at the same time, and no answer waits longer than the budget for any number of dead ones. */
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
      within(budgetMs + 50, awaited.map(lookAt)),
      within(options.graceMs ?? graceMs, hopeful.map(lookAt)),
    ]);
  }
  return { states: new Map(connections.map((connection) => [connection.id, knownList(ctx, connection)])), late };
}

function hasFailed(ctx: ListContext, connection: Connection): boolean {
  return knownList(ctx, connection)?.failure !== undefined;
}

/**
 * Starts a look at each connection, at most six at once, in this order. They go on after the answer, and what they find is
 * noted for administrators.
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

/** Resolves when all are done or the time is over; rejections are the looks' own business, and there are none. */
async function within(milliseconds: number, looks: Promise<unknown>[]): Promise<void> {
  if (looks.length === 0) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([Promise.all(looks), over]);
  clearTimeout(timer);
}

/** Writes down what changed, or was last written a minute ago: one statement for all. */
async function noteChecks(ctx: ListContext, connections: Connection[]): Promise<void> {
  const { noted } = catalogState(ctx);
  const rows = connections.flatMap((connection) => {
    const known = knownList(ctx, connection);
    // What functions do is noted with the functions.
    if (!known || connection.pipe) return [];
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
    ctx.log.warn("the state of connections was not noted", { error });
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

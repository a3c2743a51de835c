import type { Context } from "../../context.ts";
import { fingerprintOf } from "../catalog/look-up-list.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionHealth } from "./schema.ts";

export type NotedFailure = ConnectionHealth["failures"][number];

/** What one isolate knows of the calls over a connection. Plain data: whatever belongs to a request hangs in another one. */
export interface ConnectionCalls {
  /** Of address and secrets: a changed connection is another one. */
  fingerprint: string;
  /** Calls under way, by number, each with the moment when it was last seen alive, epoch milliseconds. */
  running: Map<number, number>;
  /** Calls that stand in line for a place, in their order; as `running`. */
  waiting: Map<number, number>;
  /** Failures in a row that speak against the provider. */
  failedInRow: number;
  /** Until when it is left alone, epoch milliseconds; 0 while it is not. */
  openUntil: number;
  /** The one call that tries it again. */
  probe: number | undefined;
  calls: number;
  failed: number;
  /** The newest first. */
  failures: NotedFailure[];
}

interface IsolateCalls {
  /** Counts calls: their names in the maps. */
  last: number;
  connections: Map<string, ConnectionCalls>;
}

type StateContext = Pick<Context, "environment">;

/** By environment: one for each isolate, and one for each of several services in one process. */
const states = new WeakMap<Context["environment"], IsolateCalls>();

/** Most connections that are remembered: nobody tells of those that were deleted. */
const maxConnections = 1000;
const maxFailures = 10;

/** How long a call counts that shows no sign of life, milliseconds: a request that is thrown away says no farewell. */
export const aliveMs = { running: 20_000, waiting: 3000 };

function stateOf(ctx: StateContext): IsolateCalls {
  let state = states.get(ctx.environment);
  if (!state) states.set(ctx.environment, (state = { last: 0, connections: new Map() }));
  return state;
}

/** A number that no other call of this isolate has. */
export function newCallNumber(ctx: StateContext): number {
  return ++stateOf(ctx).last;
}

/** What is known of the connection as it is now. */
export function callsOf(ctx: StateContext, connection: Connection): ConnectionCalls {
  const { connections } = stateOf(ctx);
  const fingerprint = fingerprintOf(connection);
  const known = connections.get(connection.id);
  if (known?.fingerprint === fingerprint) return known;
  const fresh: ConnectionCalls = {
    fingerprint,
    // What still runs takes a place all the same.
    running: known?.running ?? new Map<number, number>(),
    waiting: known?.waiting ?? new Map<number, number>(),
    failedInRow: 0,
    openUntil: 0,
    probe: undefined,
    calls: 0,
    failed: 0,
    failures: [],
  };
  connections.delete(connection.id);
  connections.set(connection.id, fresh);
  const [oldest] = connections.keys();
  if (connections.size > maxConnections && oldest !== undefined) connections.delete(oldest);
  return fresh;
}

/** Forgets the calls that have shown no sign of life for too long. */
export function dropLost(calls: Map<number, number>, maxAgeMs: number, now: number): void {
  for (const [call, seen] of calls) if (now - seen > maxAgeMs) calls.delete(call);
}

export function noteFailure(calls: ConnectionCalls, failure: NotedFailure): void {
  calls.failed++;
  calls.failures.unshift(failure);
  calls.failures.length = Math.min(calls.failures.length, maxFailures);
}

/** For administrators. */
export function healthOf(ctx: StateContext, connection: Connection): ConnectionHealth {
  const calls = callsOf(ctx, connection);
  const now = Date.now();
  dropLost(calls.running, aliveMs.running, now);
  dropLost(calls.waiting, aliveMs.waiting, now);
  return {
    breaker: calls.openUntil === 0 ? "closed" : calls.openUntil > now ? "open" : "half_open",
    open_until: calls.openUntil === 0 ? null : Math.ceil(calls.openUntil / 1000),
    in_flight: calls.running.size,
    waiting: calls.waiting.size,
    calls: calls.calls,
    failed: calls.failed,
    failures: calls.failures,
  };
}

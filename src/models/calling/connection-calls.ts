import type { Context } from "../../context.ts";
import { type Circuit, closedCircuit } from "../../upstream/circuit.ts";
import { fingerprintOf } from "../catalog/look-up-list.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionHealth } from "./schema.ts";

export type NotedFailure = ConnectionHealth["failures"][number];

/**
 * What one isolate knows about the calls over a connection. Plain data: objects of a request cannot be used by another
 * one. Failures in a row are those that count against the provider.
 */
export interface ConnectionCalls extends Circuit {
  /** Of address and secrets: it changes with the connection. */
  fingerprint: string;
  /** Running calls by number, each with the time of its last sign of life, epoch milliseconds. */
  running: Map<number, number>;
  /** Calls waiting for a slot, in order; as `running`. */
  waiting: Map<number, number>;
  calls: number;
  failed: number;
  /** The newest first. */
  failures: NotedFailure[];
}

interface IsolateCalls {
  /** Counts calls: the keys of the maps. */
  last: number;
  connections: Map<string, ConnectionCalls>;
}

type StateContext = Pick<Context, "environment">;

/** By environment: one per isolate, and one for each of several services in one process. */
const states = new WeakMap<Context["environment"], IsolateCalls>();

/** Maximum number of connections kept, because deleted ones are not reported. */
const maxConnections = 1000;
const maxFailures = 10;

/**
 * After this time without a sign of life a call no longer counts, milliseconds: discarded requests do not end properly.
 */
export const aliveMs = { running: 20_000, waiting: 3000 };

function stateOf(ctx: StateContext): IsolateCalls {
  let state = states.get(ctx.environment);
  if (!state) states.set(ctx.environment, (state = { last: 0, connections: new Map() }));
  return state;
}

/** A unique number in this isolate. */
export function newCallNumber(ctx: StateContext): number {
  return ++stateOf(ctx).last;
}

/** The state of the connection as currently configured. */
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
    ...closedCircuit(),
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

/** Removes calls without a sign of life. */
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

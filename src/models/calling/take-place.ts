import { pause } from "../../lib/pause.ts";
import type { StopSignal } from "../../lib/stop-signal.ts";
import { realTimers, type Timers } from "../../lib/timers.ts";
import { beginProbe, pauseLeft } from "../../upstream/circuit.ts";
import { UpstreamError } from "../../upstream/errors/upstream-error.ts";
import { aliveMs, type ConnectionCalls, dropLost } from "./connection-calls.ts";
import type { ConnectionPolicy } from "./schema.ts";

/** A connection with a queue of calls. */
export interface Line {
  calls: ConnectionCalls;
  policy: ConnectionPolicy;
}

/** A slot among the calls of a connection. */
export interface Place<L extends Line> {
  line: L;
  /** Releases the slot; may be called again. */
  leave: () => void;
}

/** Interval of a call's signs of life, milliseconds. */
const heartbeatMs = 5000;
const manyRunning = 200;
/** How often the first call in the queue checks for a slot, and how much less often those behind it do. */
const lookMs = { first: 20, behind: 10, max: 250 };

/**
 * Takes a slot of the first connection that has one; if none has, waits in all of their queues at once.
 * @param call from `newCallNumber`
 * @throws UpstreamError 503 if all are paused; 429 with `Retry-After` if the queues are full or too slow; the signal's
 *   reason
 */
export async function takePlace<L extends Line>(
  call: number,
  lines: readonly L[],
  signal: StopSignal,
  timers: Timers = realTimers,
): Promise<Place<L>> {
  const since = Date.now();
  try {
    for (;;) {
      const now = Date.now();
      let ahead = Infinity;
      for (const line of lines) {
        if (pauseLeft(line.calls, call, now) > 0) continue;
        const before = callsAhead(line, call, now);
        if (before === 0) return take(call, line, timers);
        if (mayWait(line, call, now - since)) {
          line.calls.waiting.set(call, now);
          ahead = Math.min(ahead, before);
        } else line.calls.waiting.delete(call);
      }
      if (ahead === Infinity) throw noPlace(lines, call, now);
      await pause(Math.min(lookMs.max, lookMs.first + lookMs.behind * (ahead - 1)), signal);
    }
  } finally {
    for (const { calls } of lines) calls.waiting.delete(call);
  }
}

/** How many calls must end before this one can start. */
function callsAhead({ calls, policy }: Line, call: number, now: number): number {
  if (policy.max_concurrent === null) return 0;
  dropLost(calls.running, aliveMs.running, now);
  dropLost(calls.waiting, aliveMs.waiting, now);
  let before = 0;
  for (const other of calls.waiting.keys()) {
    if (other === call) break;
    before++;
  }
  return Math.max(0, calls.running.size + before + 1 - policy.max_concurrent);
}

function mayWait({ calls, policy }: Line, call: number, waitedMs: number): boolean {
  if (waitedMs >= policy.max_wait * 1000) return false;
  return calls.waiting.has(call) || calls.waiting.size < policy.max_waiting;
}

function take<L extends Line>(call: number, line: L, timers: Timers): Place<L> {
  const { running } = line.calls;
  // Where calls are not counted against a limit, nobody else looks for those that were lost.
  if (running.size >= manyRunning) dropLost(running, aliveMs.running, Date.now());
  const now = Date.now();
  running.set(call, now);
  beginProbe(line.calls, call, now + aliveMs.running);
  const beat = () => {
    running.set(call, Date.now());
    if (line.calls.probe === call) line.calls.probeUntil = Date.now() + aliveMs.running;
    heartbeat = timers.set(beat, heartbeatMs);
  };
  let heartbeat = timers.set(beat, heartbeatMs);
  return {
    line,
    leave() {
      timers.clear(heartbeat);
      running.delete(call);
      if (line.calls.probe === call) line.calls.probeUntil = 0;
    },
  };
}

function noPlace(lines: readonly Line[], call: number, now: number): UpstreamError {
  const rests = lines.map(({ calls }) => pauseLeft(calls, call, now));
  const full = lines.find((_, at) => rests[at] === 0);
  if (full) {
    const retryAfter = Math.max(1, Math.min(5, full.policy.max_wait));
    const message = `Too many calls to this model's provider are in progress. Try again in ${retryAfter} s.`;
    return new UpstreamError(429, message, { code: "too_many_requests", retryAfter: String(retryAfter) });
  }
  const [first] = lines;
  const retryAfter = Math.ceil(Math.min(...rests) / 1000);
  const last = first?.calls.failures[0]?.message;
  const times = (first?.calls.failedInRow ?? 1) > 1 ? ` ${first?.calls.failedInRow} times in a row` : "";
  const message = `This model's provider failed${times} and is paused for ${retryAfter} s.`;
  return new UpstreamError(503, last === undefined ? message : `${message} Last error: ${last}`, {
    code: "upstream_left_alone",
    retryAfter: String(retryAfter),
  });
}

/**
 * A circuit breaker: a provider or tool server that fails several times in a row is paused. After the pause one call
 * probes it, and others wait for its result. Plain data, because objects of a request cannot be used by another one.
 * Times are epoch milliseconds.
 */
export interface Circuit {
  /** Consecutive failures. */
  failedInRow: number;
  /** When the pause ends; 0 while the other side is not paused. */
  openUntil: number;
  /** The call that probes. */
  probe: number | undefined;
  /** Until then the others wait for the probe. */
  probeUntil: number;
}

export function closedCircuit(): Circuit {
  return { failedInRow: 0, openUntil: 0, probe: undefined, probeUntil: 0 };
}

/** How long no call may be made, milliseconds; 0 if this call may be made. */
export function pauseLeft(circuit: Circuit, call: number, now: number): number {
  if (circuit.openUntil === 0) return 0;
  if (circuit.openUntil > now) return circuit.openUntil - now;
  return circuit.probe === undefined || circuit.probe === call ? 0 : Math.max(0, circuit.probeUntil - now);
}

/** After a pause, marks the call as the probe. */
export function beginProbe(circuit: Circuit, call: number, until: number): void {
  if (circuit.openUntil > 0) Object.assign(circuit, { probe: call, probeUntil: until });
}

/** Lets another call probe: this one ended without saying anything about the other side. */
export function endProbe(circuit: Circuit, call: number): void {
  if (circuit.probe === call) circuit.probe = undefined;
}

/** Any answer shows that the other side works. */
export function closeCircuit(circuit: Circuit): void {
  Object.assign(circuit, closedCircuit());
}

/**
 * Counts another consecutive failure: after enough of them, or after a failed probe, the pause begins.
 * @param call undefined if calls are not numbered: then any failure after a pause is that of the probe
 * @param pauseMs of so many failures in a row
 */
export function countFailure(
  circuit: Circuit,
  call: number | undefined,
  now: number,
  maxFailures: number,
  pauseMs: (failures: number) => number,
): void {
  circuit.failedInRow++;
  const isProbe = circuit.probe !== undefined && (call === undefined || circuit.probe === call);
  if (isProbe) circuit.probe = undefined;
  // Calls that were running when the pause began say nothing new: only those made after it prolong it.
  if (isProbe || (circuit.openUntil === 0 && circuit.failedInRow >= maxFailures))
    circuit.openUntil = now + pauseMs(circuit.failedInRow);
}

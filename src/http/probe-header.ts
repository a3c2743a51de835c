/** By this header a monitor says that its call is a probe. */
export const probeHeader = "x-parley-probe";

/** A call of a model that a monitor makes, to see whether it is answered. */
export interface Probe {
  /** Whether it counts in no quota: decided when its quotas are asked for. */
  isFree: boolean;
}

/** The request as a probe, if it says that it is one. */
export function readProbe(headers: Headers): Probe | undefined {
  return headers.get(probeHeader)?.trim() === "1" ? { isFree: false } : undefined;
}

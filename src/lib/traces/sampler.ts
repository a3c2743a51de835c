import type { TraceContext } from "./trace-context.ts";

/** As OTEL_TRACES_SAMPLER names them. */
export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** Whether a trace is recorded. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

/** @param ratio share of the traces that are recorded, 0 to 1; only for those named after it */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const isOwn = ownDecision(name.replace("parentbased_", ""), ratio);
  if (!name.startsWith("parentbased_")) return isOwn;
  return (traceId, parent) => parent?.isSampled ?? isOwn(traceId, parent);
}

function ownDecision(name: string, ratio: number): Sampler {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  // The end of an id is what all services make at random: the same trace is recorded everywhere or nowhere. As many digits
  // as a number holds exactly.
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

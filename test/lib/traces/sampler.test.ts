import { expect, test } from "vitest";
import { createSampler, samplerNames } from "../../../src/lib/traces/sampler.ts";
import { newSpanId, newTraceId, type TraceContext } from "../../../src/lib/traces/trace-context.ts";

const parent = (isSampled: boolean): TraceContext => ({ traceId: newTraceId(), spanId: newSpanId(), isSampled });
const low = `${"f".repeat(19)}${"0".repeat(12)}1`;
const high = "f".repeat(32);

test.each([
  // Without a parent a low and a high id, then a parent that is recorded, and one that is not.
  ["always_on", [true, true, true, true]],
  ["always_off", [false, false, false, false]],
  ["traceidratio", [true, false, false, false]],
  ["parentbased_always_on", [true, true, true, false]],
  ["parentbased_always_off", [false, false, true, false]],
  ["parentbased_traceidratio", [true, false, true, false]],
] as const)("%s", (name, expected) => {
  const decide = createSampler(name, 0.5);
  expect([
    decide(low, undefined),
    decide(high, undefined),
    decide(high, parent(true)),
    decide(high, parent(false)),
  ]).toEqual(expected);
});

test("a share of 0 is nothing, and of 1 is all", () => {
  for (const id of [low, high, "0".repeat(32), newTraceId()]) {
    expect(createSampler("traceidratio", 0)(id, undefined)).toBe(false);
    expect(createSampler("traceidratio", 1)(id, undefined)).toBe(true);
  }
});

test("a tenth of many traces is recorded", () => {
  const decide = createSampler("traceidratio", 0.1);
  const recorded = Array.from({ length: 10_000 }, newTraceId).filter((id) => decide(id, undefined)).length;
  expect(recorded).toBeGreaterThan(800);
  expect(recorded).toBeLessThan(1200);
});

test("these are all that OpenTelemetry requires", () => {
  expect(samplerNames).toHaveLength(6);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { floods } from "../../scripts/attack/floods.ts";
import { startTarget, type Target } from "../../scripts/attack/service.ts";
import { tries } from "../../scripts/attack/tries.ts";
import { watchOthers } from "../../scripts/attack/watch-others.ts";

/** The short form of `npm run attack`. */
const floodMs = 3000;

let target: Target;
beforeAll(async () => {
  target = await startTarget(1, 5);
});
afterAll(() => target?.parley.stop());

test.each(tries.map((each) => [each.name, each] as const))("%s is refused", async (_, { refused, send }) => {
  const { status, text } = await send(target);
  expect(refused, text).toContain(status);
});

test.each(floods.map((flood) => [flood.name, flood] as const))(
  "%s: others lose nothing, and the memory stays bounded",
  async (_, flood) => {
    const signal = AbortSignal.timeout(floodMs);
    const [noticed] = await Promise.all([watchOthers(target, signal), flood.run(target, signal)]);
    expect(noticed.lost).toEqual([]);
    expect(noticed.requests).toBeGreaterThan(0);
    expect(noticed.memory).toBeLessThan(800_000_000);
  },
);

import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { channelWebhooks } from "../../../src/channels/tables.ts";
import { allowanceAt, allowanceSql, secondsUntilPost } from "../../../src/channels/webhooks/allowance.ts";
import type { WebhookView } from "../../../src/channels/webhooks/schema.ts";
import { createWebhookWorld, type WebhookWorld } from "./webhook-world.ts";

const limitsOf = fc.record({ rate: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 10_000 }) });
/** Milliseconds between two tries; clocks of two machines may go back a little. */
const pauses = fc.array(fc.oneof(fc.integer({ min: -50, max: 3000 }), fc.integer({ min: 0, max: 10_000_000 })), {
  minLength: 1,
  maxLength: 60,
});

let world: WebhookWorld;
let webhook: WebhookView;
beforeAll(async () => {
  world = await createWebhookWorld({ environment: { CHANNEL_WEBHOOK_RATE: "60", CHANNEL_WEBHOOK_BURST: "3" } });
});
beforeEach(async () => {
  webhook = await world.webhook();
});
afterAll(() => world.close());

/** One try, as the database decides it. */
async function take(limits: { rate: number; burst: number }, now: number): Promise<boolean> {
  const { isEnough, taken } = allowanceSql(limits, now);
  const { rowsAffected } = await world.db.run(
    sql`UPDATE channel_webhooks AS w SET ${taken} WHERE w.id = ${webhook.id} AND ${isEnough}`,
  );
  return rowsAffected > 0;
}

test("what the database decides is what the rule says, and Retry-After is neither too short nor a second too long", async () => {
  await fc.assert(
    fc.asyncProperty(limitsOf, pauses, async (limits, steps) => {
      await world.db.update(channelWebhooks).set({ allowance: 0, refilledAt: 0 });
      let bucket = { allowance: 0, refilledAt: 0 };
      let now = Date.now();
      for (const step of steps) {
        now += step;
        const there = allowanceAt(bucket, limits, now);
        expect(await take(limits, now)).toBe(there >= 1000);
        if (there >= 1000) {
          bucket = { allowance: there - 1000, refilledAt: Math.max(bucket.refilledAt, now) };
          continue;
        }
        const from = Math.max(now, bucket.refilledAt);
        const seconds = secondsUntilPost(bucket, limits, from);
        const isEnough = (second: number) => allowanceAt(bucket, limits, from + second * 1000) >= 1000;
        expect([isEnough(seconds), seconds > 1 && isEnough(seconds - 1)]).toEqual([true, false]);
      }
    }),
    { numRuns: 60 },
  );
});

test("in no stretch of time are more let in than the burst and what comes back in it", async () => {
  await fc.assert(
    fc.asyncProperty(limitsOf, pauses, async (limits, steps) => {
      let bucket = { allowance: 0, refilledAt: 0 };
      let now = Date.now();
      const times: number[] = [];
      for (const step of steps.map(Math.abs)) {
        now += step;
        const there = allowanceAt(bucket, limits, now);
        if (there < 1000) continue;
        bucket = { allowance: there - 1000, refilledAt: now };
        times.push(now);
      }
      for (let from = 0; from < times.length; from++)
        for (let to = from; to < times.length; to++)
          expect(to - from + 1).toBeLessThanOrEqual(
            limits.burst + ((times[to]! - times[from]!) * limits.rate) / 60_000 + 1e-6,
          );
    }),
  );
});

test("a webhook posts its burst, then as fast as its rate, each one by itself", async () => {
  const base = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(base);
  try {
    const other = await world.webhook("Other");
    const post = (to = webhook) => world.post(to, { content: "Built" });
    const first = await Promise.all([1, 2, 3, 4, 5].map(() => post()));
    expect(first.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const refused = first.find(({ status }) => status === 429)!;
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.body["code"]).toBe("too_many_requests");
    expect((await post(other)).status).toBe(200);
    clock.mockReturnValue(base + 999);
    expect((await post()).status).toBe(429);
    clock.mockReturnValue(base + 1000);
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(429);
  } finally {
    clock.mockRestore();
  }
});

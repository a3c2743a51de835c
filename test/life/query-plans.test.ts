import { afterAll, beforeAll, expect, it } from "vitest";
import { createDatabase } from "../../src/db/client.ts";
import { planErasure } from "../../src/life/erasure/plan-erasure.ts";
import { previewRetention } from "../../src/life/retention/preview-retention.ts";
import { sweepRetention } from "../../src/life/retention/sweep-retention.ts";
import { contextFor } from "../chat/conversations/context-for.ts";
import { findSlow, openSqld } from "../query-plan.ts";
import { createWorld, defaultOrganizationId, type Person, type World } from "../world.ts";

let world: World;
let sqld: Awaited<ReturnType<typeof openSqld>>;
let admin: Person;
beforeAll(async () => {
  sqld = await openSqld();
  const periods = {
    RETENTION_CHATS: "30",
    RETENTION_FILES: "30",
    RETENTION_CHANNEL_MESSAGES: "30",
    RETENTION_LOGS: "30",
  };
  world = await createWorld({ services: { db: createDatabase(sqld.client) }, environment: periods });
  // The server is that of other tests too.
  admin = await world.person({ role: "admin", email: `${crypto.randomUUID()}@harbour.example` });
});
afterAll(() => world.close());

const growing =
  /^SCAN (?!.*USING)(?:chats|c|messages|m|files|f|channel_messages|usage_records|r|audit_events|a|webhook_deliveries|d|stored_responses|users|u)\b/;

it.each([
  ["a round of the sweeper", () => sweepRetention(world.services)],
  ["the preview", () => previewRetention(contextFor(world, admin), defaultOrganizationId, {})],
  ["the plan of an erasure", () => planErasure(contextFor(world, admin), admin.id)],
])("%s reads no table that grows as a whole", async (_what, work) => {
  sqld.asked.length = 0;
  await work();
  const asked = sqld.asked.splice(0);
  expect(asked.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const { sql, args } of asked) {
    const { rows } = await sqld.client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args ?? [] });
    for (const row of rows) if (growing.test(String(row["detail"]))) found.push(`${String(row["detail"])} in ${sql}`);
  }
  expect([...found, ...(await findSlow(sqld.client, asked))]).toEqual([]);
});

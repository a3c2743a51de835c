import { rmSync } from "node:fs";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeOpenWebuiData } from "../fixtures/open-webui/make-data.ts";
import { createWorld, type World } from "../world.ts";
import { importData } from "./import-data.ts";

const tables = [
  "users",
  "passwords",
  "api_keys",
  "groups",
  "group_members",
  "grants",
  "files",
  "knowledge",
  "knowledge_directories",
  "folders",
  "folder_references",
  "chats",
  "messages",
  "chat_tags",
  "chat_shares",
  "stored_models",
  "prompts",
  "prompt_versions",
  "plugins",
  "memories",
  "channels",
  "channel_members",
  "channel_messages",
  "channel_reactions",
  "channel_webhooks",
];

let folder: string;
beforeAll(() => {
  folder = makeOpenWebuiData();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function countsOf(world: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const [row] = await world.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM ${sql.raw(table)}`);
    counts[table] = row!.n;
  }
  return counts;
}

test("broken off before each of its requests, and run again, it comes to the same as in one run", async () => {
  const whole = await createWorld();
  let requests = 0;
  await importData(whole, await whole.admin(), folder, { fail: () => void (requests += 1) });
  const expected = await countsOf(whole);
  await whole.close();
  for (const table of tables) expect([table, expected[table]]).not.toEqual([table, 0]);

  const world = await createWorld();
  const root = await world.admin();
  for (let place = 1; place <= requests; place += 1) {
    let asked = 0;
    const fail = () => {
      asked += 1;
      if (asked === place) throw new Error("killed");
    };
    await expect(importData(world, root, folder, { fail })).rejects.toThrow("killed");
  }
  const last = await importData(world, root, folder);
  expect(await countsOf(world)).toEqual(expected);
  expect(last.filter(({ state }) => state === "failed")).toEqual([]);
  await world.close();
});

test("a dry run stores nothing, and says what the import then does", async () => {
  const world = await createWorld();
  const root = await world.admin();
  const before = await countsOf(world);
  const plain = (outcomes: Awaited<ReturnType<typeof importData>>) =>
    // Files are sent side by side: which one ends first is chance.
    outcomes.map(({ kind, id, state }) => JSON.stringify([kind, id, state])).toSorted();
  const tried = await importData(world, root, folder, { dryRun: true });
  expect(await countsOf(world)).toEqual(before);
  const done = await importData(world, root, folder);
  const settings = (outcome: string) => outcome.startsWith('["setting"');
  expect(plain(tried).filter((each) => !settings(each))).toEqual(plain(done).filter((each) => !settings(each)));
  await world.close();
});

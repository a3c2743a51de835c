import { afterAll, beforeAll, expect, test } from "vitest";
import { DeafTab, eventually, forEach, gather, type Crowd, type CrowdTab } from "./socket-crowd.ts";
import { startParley, type Parley } from "./start-parley.ts";

const size = { people: 200, tabs: 5 };
let parley: Parley;
let crowd: Crowd;

beforeAll(async () => {
  parley = await startParley();
  crowd = await gather(parley, size);
}, 120_000);
afterAll(async () => {
  crowd?.close();
  await parley?.stop();
});

/** Where tabs have heard something else than exactly this, in this order; waits for those that have heard less. */
async function wrongTabs(expected: (person: number) => string[]): Promise<string[]> {
  const wrong = (isWrong: (tab: CrowdTab, expected: string[]) => boolean) =>
    crowd.people.flatMap(({ tabs }, number) =>
      tabs
        .filter((tab) => isWrong(tab, expected(number)))
        .map(
          (tab) => `${number}: ${JSON.stringify(tab.heard.map(({ content }) => content))}, ${tab.gaps}, ${tab.reloads}`,
        ),
    );
  await eventually(() => wrong((tab, all) => tab.heard.length < all.length)[0]);
  return wrong(
    ({ heard, gaps, reloads }, all) =>
      gaps + reloads > 0 || heard.length !== all.length || heard.some(({ content }, at) => content !== all[at]),
  );
}

test("an event reaches every tab of its person, and nobody else's, among a thousand sockets", async () => {
  await forEach(crowd.people, async (person, number) => {
    await crowd.notify(person, `${number} first`);
    await crowd.report(person, `${number} second`);
  });
  expect(await wrongTabs((number) => [`${number} first`, `${number} second`])).toEqual([]);
}, 240_000);

test("nothing is lost or doubled when connections break while events come", async () => {
  for (const { tabs } of crowd.people) for (const tab of tabs) tab.heard = [];
  const rounds = [0, 1, 2, 3];
  for (const round of rounds) {
    const events = forEach(crowd.people, (person, number) =>
      round % 2 === 0 ? crowd.notify(person, `${number} ${round}`) : crowd.report(person, `${number} ${round}`),
    );
    const breaks = forEach(crowd.people, async ({ tabs }, number) => {
      for (const [at, tab] of tabs.entries()) {
        if ((number + at + round) % 3 !== 0) continue;
        tab.drop();
        await tab.connect();
      }
    });
    await Promise.all([events, breaks]);
  }
  expect(await wrongTabs((number) => rounds.map((round) => `${number} ${round}`))).toEqual([]);
}, 120_000);

/**
 * By how many bytes resident memory may grow while sockets do not read. Without bounds it is 800 MB and more in each test
 * below; large events alone make the process grow and shrink by 100 MB.
 */
const maxGrowth = 450_000_000;

function memory(): number {
  return parley.processes().reduce((sum, { rss }) => sum + rss, 0);
}

test("sockets that do not read cost little memory, and their person's other tabs get everything", async () => {
  const person = crowd.people[0]!;
  const [tab, ...others] = person.tabs as [CrowdTab, ...CrowdTab[]];
  for (const other of others) other.drop();
  tab.heard = [];
  const rewrite = async () => {
    for (let round = 0; round < 60; round++) await crowd.rewrite(person, 900_000);
  };
  // The service has its size for events like these, before anybody is deaf.
  await rewrite();
  const [before, length] = [memory(), tab.length];
  const deaf = await Promise.all(Array.from({ length: 20 }, () => DeafTab.open(parley, person.token)));
  await rewrite();
  await crowd.notify(person, "end");
  await eventually(() => (tab.heard.at(-1)?.content === "end" ? undefined : "the other tab has not heard the end"));
  expect(memory() - before).toBeLessThan(maxGrowth);
  expect(tab.length - length).toBeGreaterThan(60 * 900_000);
  expect([tab.gaps, tab.reloads]).toEqual([0, 0]);
  for (const each of deaf) each.close();
}, 120_000);

test("hello again and again, without reading, costs little memory", async () => {
  const person = crowd.people[1]!;
  const tab = person.tabs[0]!;
  const { epoch, since } = tab.place;
  for (let round = 0; round < 2; round++) await crowd.rewrite(person, 100_000);
  const before = memory();
  const deaf = await DeafTab.open(parley, person.token);
  for (let round = 0; round < 4000; round++) deaf.hello({ epoch, since });
  tab.heard = [];
  // Every event comes after what was said before.
  for (let round = 0; round < 20; round++) await crowd.notify(person, `${round}`);
  await eventually(() => (tab.heard.length === 20 ? undefined : "the other tab has not heard everything"));
  expect(memory() - before).toBeLessThan(maxGrowth);
  deaf.close();
}, 120_000);

import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, forEach, gather, type Crowd, type CrowdTab } from "./socket-crowd.ts";
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
}, 60_000);

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

import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, forEach, gather, type Crowd } from "./socket-crowd.ts";
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

/** Every tab has heard exactly these, in this order, and of nobody else's. */
async function everyTabHeard(expected: (person: number) => string[]): Promise<void> {
  await eventually(() => {
    for (const [number, { tabs }] of crowd.people.entries())
      for (const [at, tab] of tabs.entries()) {
        const heard = tab.heard.map(({ content }) => content);
        if (heard.length < expected(number).length)
          return `tab ${at} of person ${number} has heard ${JSON.stringify(heard)} of ${JSON.stringify(expected(number))}`;
      }
    return undefined;
  });
  for (const [number, { tabs }] of crowd.people.entries())
    for (const tab of tabs) {
      expect(tab.heard.map(({ content }) => content)).toEqual(expected(number));
      expect([tab.gaps, tab.reloads]).toEqual([0, 0]);
    }
}

test("an event reaches every tab of its person, and nobody else's, among a thousand sockets", async () => {
  await forEach(crowd.people, async (person, number) => {
    await crowd.notify(person, `${number} first`);
    await crowd.report(person, `${number} second`);
  });
  await everyTabHeard((number) => [`${number} first`, `${number} second`]);
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
  await everyTabHeard((number) => rounds.map((round) => `${number} ${round}`));
}, 120_000);

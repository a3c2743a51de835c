import { setTimeout as wait } from "node:timers/promises";
import { eventually, gather, type Crowd, type CrowdPerson } from "../../test/stack/socket-crowd.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

const size = { people: 400, tabs: 5 };

/**
 * `npm run bench -- --sockets [--quick]`: 2,000 open sockets of 400 people at the started service, and the memory of each. Events come over the
 * event endpoint at a steady pace; measured is the time from sending one to its arrival at each tab of its person, in one process
 * that holds all the sockets, on loopback. The aim: p99 under 50 ms. Then the service starts again, and all tabs come back, each after the
 * random waits of the web page.
 */
export async function benchSockets(quick: boolean): Promise<void> {
  // The default leaves no connection for anything else.
  const parley = await startParley({ env: { MAX_CONNECTIONS: "4000" } });
  try {
    const before = residentOf(parley);
    const crowd = await gather(parley, size);
    const sockets = crowd.people.flatMap(({ tabs }) => tabs);
    const each = (residentOf(parley) - before) / sockets.length / 1000;
    console.log(
      `${sockets.length} sockets of ${crowd.people.length} people are open, ${each.toFixed(0)} kB for each in all processes`,
    );
    const seconds = quick ? 5 : 20;
    for (const [name, send] of [
      ["shown", crowd.notify],
      ["stored", crowd.report],
    ] as const)
      for (const perSecond of [20, 100]) {
        // The first seconds warm up what is measured then.
        await pace(crowd, 2, perSecond, send);
        const { times, refused } = await pace(crowd, seconds, perSecond, send);
        const sorted = times.toSorted((a, b) => a - b);
        const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => quantile(sorted, part).toFixed(1));
        console.log(
          `${name.padEnd(8)} ${String(perSecond).padStart(4)} events/s   p50 ${p50} ms   p99 ${p99} ms   max ${worst} ms   ${times.length} arrivals   ${refused} refused`,
        );
      }
    const [gaps, reloads] = [sum(sockets, "gaps"), sum(sockets, "reloads")];
    console.log(`lost or doubled: ${gaps}, told to load again: ${reloads}`);
    await storm(parley, crowd);
    crowd.close();
  } finally {
    await parley.stop();
  }
}

const residentOf = (parley: Parley) => parley.processes().reduce((all, { rss }) => all + rss, 0);

/** The service ends and starts again; meanwhile every tab tries again as `LiveSocket` of the web page does. */
async function storm(parley: Parley, { people }: Crowd): Promise<void> {
  const tabs = people.flatMap((person) => person.tabs);
  const returned: number[] = [];
  let refused = 0;
  const stopped = parley.restart();
  for (const tab of tabs) tab.drop();
  const back = tabs.map(async (tab) => {
    for (let failures = 0; ; failures++) {
      const ceiling = Math.min(500 * 2 ** failures, 10_000);
      await wait(ceiling / 2 + (Math.random() * ceiling) / 2);
      try {
        await tab.connectOnce();
        returned.push(performance.now());
        return;
      } catch {
        refused += 1;
      }
    }
  });
  await stopped;
  const ready = performance.now();
  // Somebody works meanwhile.
  const waits: number[] = [];
  while (returned.length < tabs.length) {
    const begin = performance.now();
    const response = await fetch(`${parley.url}/api/v1/chats/list?page=1`, {
      headers: { authorization: `Bearer ${people[0]!.token}` },
    });
    await response.text();
    waits.push(performance.now() - begin);
    await wait(100);
  }
  await Promise.all(back);
  const times = returned.map((at) => Math.max(0, at - ready)).toSorted((a, b) => a - b);
  const perSecond = new Map<number, number>();
  for (const time of times) perSecond.set(Math.floor(time / 1000), (perSecond.get(Math.floor(time / 1000)) ?? 0) + 1);
  waits.sort((a, b) => a - b);
  console.log(
    `after a restart: half of the tabs are back ${(quantile(times, 0.5) / 1000).toFixed(1)} s after it is ready, the last one ${(times.at(-1)! / 1000).toFixed(1)} s; ` +
      `${Math.max(...perSecond.values())} in the busiest second, ${refused} tries in vain; meanwhile a page of chats takes p50 ${quantile(waits, 0.5).toFixed(0)} ms, p99 ${quantile(waits, 0.99).toFixed(0)} ms`,
  );
}

function sum(tabs: readonly { gaps: number; reloads: number }[], what: "gaps" | "reloads"): number {
  return tabs.reduce((all, tab) => all + tab[what], 0);
}

let names = 0;

/** Sends at a steady pace, one person after the other. @returns milliseconds to each arrival, and how many the service was too busy for */
async function pace(
  { people }: Crowd,
  seconds: number,
  perSecond: number,
  send: (person: CrowdPerson, content: string) => Promise<void>,
): Promise<{ times: number[]; refused: number }> {
  for (const { tabs } of people) for (const tab of tabs) tab.heard = [];
  const sent = new Map<string, { person: CrowdPerson; at: number }>();
  const answers: Promise<void>[] = [];
  let refused = 0;
  const began = performance.now();
  for (let number = 0; number < seconds * perSecond; number++) {
    const due = began + (number * 1000) / perSecond;
    if (due > performance.now()) await wait(due - performance.now());
    const person = people[number % people.length]!;
    names += 1;
    const name = `e${names}`;
    sent.set(name, { person, at: performance.now() });
    answers.push(
      send(person, name).catch(() => {
        refused += 1;
        sent.delete(name);
      }),
    );
  }
  await Promise.all(answers);
  const expected = [...sent.values()].reduce((all, { person }) => all + person.tabs.length, 0);
  const arrived = () =>
    people.flatMap((person) => person.tabs.flatMap((tab) => tab.heard.map((heard) => ({ person, heard }))));
  await eventually(() =>
    arrived().length < expected ? `${arrived().length} of ${expected} events have arrived` : undefined,
  );
  const times = arrived().map(({ person, heard }) => {
    const event = sent.get(heard.content);
    if (event?.person !== person) throw new Error("an event came to somebody else");
    return heard.at - event.at;
  });
  return { times, refused };
}

import { setTimeout as wait } from "node:timers/promises";
import { eventually, gather, type Crowd, type CrowdPerson } from "../../test/stack/socket-crowd.ts";
import { startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

/**
 * `npm run bench -- --sockets [--quick]`: 1,000 open sockets of 200 people at the started service. Events come over the event
 * endpoint at a steady pace; measured is the time from sending one to its arrival at each tab of its person, in one process that
 * holds all the sockets, on loopback. The aim: p99 under 50 ms.
 */
export async function benchSockets(quick: boolean): Promise<void> {
  const parley = await startParley();
  const crowd = await gather(parley, { people: 200, tabs: 5 });
  const sockets = crowd.people.flatMap(({ tabs }) => tabs);
  console.log(`${sockets.length} sockets of ${crowd.people.length} people are open`);
  const seconds = quick ? 5 : 20;
  try {
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
  } finally {
    crowd.close();
    await parley.stop();
  }
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

import path from "node:path";
import autocannon from "autocannon";
import { signUpByApi } from "../../test/browser/accounts.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { cpuMicroseconds, eventRate, lastingPids, quantile, residentMb, throughput, type Target } from "./measure.ts";

/** One checkout of Parley, started. */
interface Subject {
  name: string;
  parley: Parley;
  target: Target;
  /** Of each round. */
  found: Round[];
}

interface Round {
  /** Microseconds of processor time for one completion: in the service's own process, in the database's, and in all processes. */
  completion: number;
  completionDatabase: number;
  completionAll: number;
  /** The same for one event of a stream that comes in a write of its own. */
  event: number;
  eventAll: number;
  perSecond: number;
  eventsPerSecond: number;
}

/**
 * `npm run bench -- --cost [--quick] [--against FOLDER]`: processor time for a completion and for an event of a stream, which says more
 * than the time of the clock where other work runs beside it. With another checkout, both are measured in turn, round by
 * round: a machine that gets faster or slower meanwhile changes both.
 * @param upstream address of `upstream.ts`
 */
export async function benchCost(quick: boolean, upstream: string, against: string | undefined): Promise<void> {
  const subjects: Subject[] = [];
  try {
    if (against) subjects.push(await begin("before", upstream, path.resolve(against)));
    subjects.push(await begin(against ? "after" : "parley", upstream, path.resolve(import.meta.dirname, "../..")));
    for (const { target } of subjects) {
      await throughput(target, 8, quick ? 2 : 5);
      await eventRate(target, 8, 2000, 1);
    }
    for (let round = 0; round < (quick ? 3 : 7); round++)
      for (const subject of subjects) subject.found.push(await measure(subject, quick));
    for (const { name, found, parley } of subjects) {
      const middle = (key: keyof Round) =>
        quantile(
          found.map((round) => round[key]).sort((a, b) => a - b),
          0.5,
        );
      console.log(
        `${name.padEnd(8)} µs for a completion ${middle("completion").toFixed(0)} (database ${middle("completionDatabase").toFixed(0)}, all processes ${middle("completionAll").toFixed(0)}), ${middle("perSecond").toFixed(0)}/s   ` +
          `µs for an event ${middle("event").toFixed(2)} (all ${middle("eventAll").toFixed(2)}), ${middle("eventsPerSecond").toFixed(0)}/s, ${(1e6 / middle("event")).toFixed(0)} for a second of processor time   ` +
          `resident ${residentMb(parley).toFixed(0)} MB, of the service ${(serviceOf(parley).rss / 1e6).toFixed(0)}`,
      );
      console.log(
        `         rounds ${found.map((round) => round.completion.toFixed(0)).join(" ")} / ${found.map((round) => round.event.toFixed(2)).join(" ")}`,
      );
    }
  } finally {
    for (const { parley } of subjects) await parley.stop();
  }
}

async function begin(name: string, upstream: string, folder: string): Promise<Subject> {
  const parley = await startParley({
    env: { OPENAI_API_BASE_URLS: upstream, OPENAI_API_KEYS: "sk-bench" },
    command: ["/bin/sh", path.join(folder, "scripts/start.sh")],
  });
  const person = { name: "Bench", email: "bench@example.com", password: "a long enough password" };
  const { token } = await signUpByApi(parley.url, person);
  const url = `${parley.url}/api/chat/completions`;
  return { name, parley, target: { name, url, headers: { authorization: `Bearer ${token}` } }, found: [] };
}

async function measure({ parley, target }: Subject, quick: boolean): Promise<Round> {
  const service = serviceOf(parley).pid;
  const database = processOf(parley, "/sqld ").pid;
  const pids = lastingPids(parley);
  const completions = quick ? 2000 : 5000;
  const databaseBefore = cpuMicroseconds(database);
  const calls = await spent(service, pids, () => complete(target, completions));
  const databaseSpent = cpuMicroseconds(database) - databaseBefore;
  const events = quick ? 2000 : 20_000;
  const streams = 8;
  const sent = await spent(service, pids, () => eventRate(target, streams, events, 1));
  return {
    completion: calls.own / completions,
    completionDatabase: databaseSpent / completions,
    completionAll: calls.all / completions,
    perSecond: calls.result,
    event: sent.own / (streams * events),
    eventAll: sent.all / (streams * events),
    eventsPerSecond: sent.result,
  };
}

/** @returns completions per second over sixteen connections */
async function complete({ url, headers }: Target, amount: number): Promise<number> {
  const body = JSON.stringify({
    model: "bench-plain",
    stream: false,
    messages: [{ role: "user", content: "Say pong" }],
  });
  const result = await autocannon({
    url,
    method: "POST",
    connections: 16,
    amount,
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  if (result.errors + result.non2xx > 0) throw new Error(`${result.errors + result.non2xx} calls failed`);
  return amount / result.duration;
}

/** The workerd process with the service. */
function serviceOf(parley: Parley) {
  return processOf(parley, "--socket-addr=entry=");
}

function processOf(parley: Parley, part: string) {
  const found = parley.processes().find(({ command }) => command.includes(part));
  if (!found) throw new Error(`no process with ${part} was found`);
  return found;
}

async function spent<T>(service: number, pids: readonly number[], run: () => Promise<T>) {
  const before = [service, ...pids].map(cpuMicroseconds);
  const result = await run();
  const [own = 0, ...each] = [service, ...pids].map((pid, at) => cpuMicroseconds(pid) - before[at]!);
  return { result, own, all: each.reduce((sum, value) => sum + value, 0) };
}

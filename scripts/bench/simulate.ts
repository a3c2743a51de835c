import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ada, callApi, signUpByApi } from "../../test/browser/accounts.ts";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { cpuMicroseconds } from "./measure.ts";
import { type Action, actions, type Costs, type Limits } from "./simulate/model.ts";
import { scaleTables } from "./simulate/tables.ts";
import { chain } from "./writes.ts";

const metricsToken = "the-token-of-the-benchmark-0123456789";
/** The database writes its own count of rows to a file every few seconds. */
const statsMs = 6000;

/**
 * `npm run bench -- --simulate [--quick]`: measures what people's actions cost at a started service, and computes from it what a
 * thousand to a million people would need: the tables of docs/scale.md.
 * @param upstream address of `upstream.ts`
 */
export async function benchSimulation(quick: boolean, upstream: string): Promise<void> {
  const parley = await startParley({
    env: {
      OPENAI_API_BASE_URLS: upstream,
      OPENAI_API_KEYS: "sk-bench",
      METRICS_TOKEN: metricsToken,
      TITLE_MODEL: "bench-plain",
    },
  });
  try {
    const { token } = await signUpByApi(parley.url, ada);
    const call = <T>(method: string, path: string, body?: object) => callApi<T>(parley.url, token, method, path, body);
    const chats: string[] = [];
    for (let n = 0; n < 60; n++)
      chats.push((await call<{ id: string }>("POST", "/api/v1/chats/new", { chat: chain(10) })).id);
    const channel = await call<{ id: string }>("POST", "/api/v1/channels/create", { name: "all", type: "" });
    const turn = (n: number) =>
      call("POST", "/api/chat/completions", {
        model: "bench-stream-20-1",
        chat_id: chats[n % chats.length],
        session_id: "s",
        id: crypto.randomUUID(),
        parent_id: "m9",
        user_message: { id: crypto.randomUUID(), content: "What is said" },
      });
    const works: Record<Action, (n: number) => Promise<unknown>> = {
      list: () => call("GET", "/api/v1/chats/list?page=1"),
      open: (n) => call("GET", `/api/v1/chats/${chats[n % chats.length]!}`),
      search: () => call("GET", "/api/v1/chats/search?text=said"),
      turn,
      post: () => call("POST", `/api/v1/channels/${channel.id}/messages/post`, { content: "Hello everybody" }),
    };
    const ended = async () => {
      while ((await call<{ tasks: unknown[] }>("GET", "/api/tasks")).tasks.length > 0) await wait(100);
    };
    const costs = {} as Costs;
    for (const action of actions) {
      for (let n = 0; n < 10; n++) await works[action](n);
      costs[action] = await measure(parley, quick ? 60 : 300, works[action], ended);
    }
    const limits = await measureLimits(works, quick ? 3 : 10, costs);
    console.log(scaleTables(costs, limits));
    console.log(
      `\nOne database: ${limits.writesPerSecond.toFixed(0)} batches that write in a second, ${limits.readsPerSecond.toFixed(0)} round trips that read`,
    );
  } finally {
    await parley.stop();
  }
}

async function measure(
  parley: Parley,
  count: number,
  work: (n: number) => Promise<unknown>,
  ended: () => Promise<void>,
) {
  await ended();
  const before = await countersOf(parley);
  for (let n = 0; n < count; n++) await work(n);
  await ended();
  const after = await countersOf(parley);
  const each = (key: keyof typeof after) => (after[key] - before[key]) / count;
  return {
    service: each("service") / 1000,
    database: each("database") / 1000,
    reads: each("trips") - each("writes"),
    writes: each("writes"),
    rowsRead: each("rowsRead"),
    rowsWritten: each("rowsWritten"),
  };
}

async function countersOf(parley: Parley) {
  const pidOf = (part: string) => parley.processes().find(({ command }) => command.includes(part))!.pid;
  const response = await fetch(`${parley.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const text = await response.text();
  const sum = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((all, [, value]) => all + Number(value), 0);
  const cpu = {
    service: cpuMicroseconds(pidOf("--socket-addr=entry=")),
    database: cpuMicroseconds(pidOf("--http-listen-addr")),
  };
  await wait(statsMs);
  const stats = JSON.parse(readFileSync(path.join(parley.dataDir, "db/dbs/default/stats.json"), "utf8")) as {
    rows_read: number;
    rows_written: number;
  };
  return {
    ...cpu,
    trips: sum(/^parley_database_request_duration_seconds_count\{[^}]*\} (\d+)/gm),
    writes: sum(/^parley_database_gate_wait_seconds_count\{line="writes"\} (\d+)/gm),
    rowsRead: stats.rows_read,
    rowsWritten: stats.rows_written,
  };
}

/** What one database does at most: as many posts as sixteen clients get in, and pages of chats by the time that its processor needs for one. */
async function measureLimits(
  works: Record<Action, (n: number) => Promise<unknown>>,
  seconds: number,
  costs: Costs,
): Promise<Limits> {
  const end = performance.now() + seconds * 1000;
  let posts = 0;
  const client = async () => {
    while (performance.now() < end) await works.post(posts++);
  };
  await Promise.all(Array.from({ length: 16 }, client));
  return {
    writesPerSecond: (posts / seconds) * costs.post.writes,
    readsPerSecond: (1000 / costs.list.database) * costs.list.reads,
    databaseGigabytes: 1000,
  };
}

import http from "node:http";
import { signUpByApi } from "../../test/browser/accounts.ts";
import { startParley, type Parley } from "../../test/stack/start-parley.ts";
import { cpuMicroseconds, lastingPids, quantile, residentMb } from "./measure.ts";
import { streamCosts } from "./stream-cost.ts";

/**
 * `npm run bench -- --streams [--quick]`: what an event of a stream costs, in the service's own code and in all processes of the
 * started service together, by API; and 500 streams at once, with the memory of all processes and how late events come. The
 * aims: under 10 µs of added processor time per event where the dialect stays, under 30 µs where it is converted; flat memory.
 * @param upstream address of `upstream.ts`
 */
export async function benchStreams(quick: boolean, upstream: string): Promise<void> {
  console.log("Added processor time per event, µs, in the service's own code");
  for (const { manner, way, added } of await streamCosts(quick ? 10_000 : 20_000, quick ? 5 : 9))
    console.log(`${manner.padEnd(30)} ${way.padEnd(18)} ${added.toFixed(2)}`);

  const parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream, OPENAI_API_KEYS: "sk-bench" } });
  try {
    const person = { name: "Bench", email: "bench@example.com", password: "a long enough password" };
    const { token } = await signUpByApi(parley.url, person);
    await benchProcesses(parley, token, quick);
    await benchCrowd(parley, token, quick);
  } finally {
    await parley.stop();
  }
}

const apis = [
  ["chat completions", "/api/chat/completions"],
  ["Messages API", "/api/v1/messages"],
  ["Responses API", "/api/responses"],
] as const;

/** All that the started service does for an event: sockets, parsing of HTTP, the way between its processes. */
async function benchProcesses(parley: Parley, token: string, quick: boolean): Promise<void> {
  console.log("\nProcessor time of all processes per event, µs, by how many events the upstream sends in one write");
  const count = quick ? 2000 : 20_000;
  for (const [name, path] of apis) {
    const found: string[] = [];
    for (const each of [1, 8, 64]) {
      const run = () => ask(parley.url, token, path, `bench-stream-${count}-${each}`, () => undefined);
      await run();
      const before = cpuSeconds(parley);
      const streams = quick ? 4 : 8;
      for (let stream = 0; stream < streams; stream++) await run();
      found.push(`${each}: ${(((cpuSeconds(parley) - before) * 1e6) / (streams * count)).toFixed(1)}`);
    }
    console.log(`${name.padEnd(18)} ${found.join("   ")}`);
  }
}

const atOnce = 500;
const paceMs = 100;

/** Streams as people have them: an event every 100 ms in each. */
async function benchCrowd(parley: Parley, token: string, quick: boolean): Promise<void> {
  const seconds = quick ? 10 : 60;
  const events = (seconds * 1000) / paceMs;
  console.log(`\n${atOnce} streams at once, an event each ${paceMs} ms in each, for ${seconds} s`);
  for (const [name, path] of apis) {
    const memory: number[] = [];
    const late: number[] = [];
    const timer = setInterval(() => memory.push(residentMb(parley)), 1000);
    const before = residentMb(parley);
    const streams = Array.from({ length: atOnce }, () => {
      let last = 0;
      return ask(parley.url, token, path, `bench-pace-${events}-${paceMs}`, () => {
        const now = performance.now();
        if (last > 0) late.push(Math.max(0, now - last - paceMs));
        last = now;
      });
    });
    const ended = await Promise.allSettled(streams);
    clearInterval(timer);
    const failures = ended.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    const half = memory.slice(Math.floor(memory.length / 2));
    late.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(18)} failed ${[failures.length, ...new Set(failures)].join(" ")}   resident MB: before ${before.toFixed(0)}, second half ${Math.min(...half).toFixed(0)} to ${Math.max(...half).toFixed(0)}   late by ms: p50 ${quantile(late, 0.5).toFixed(1)}, p99 ${quantile(late, 0.99).toFixed(1)}`,
    );
  }
}

function ask(base: string, token: string, path: string, model: string, onData: () => void): Promise<void> {
  const body = {
    model,
    stream: true,
    max_tokens: 100_000,
    messages: [{ role: "user", content: "Go" }],
    input: "Go",
    store: false,
  };
  const { messages, input, store, max_tokens, ...common } = body;
  const own = path.endsWith("/responses") ? { input, store } : { messages, max_tokens };
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const request = http.request(base + path, { method: "POST", agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.on("data", onData).on("end", resolve).on("error", reject);
    });
    request.on("error", reject).end(JSON.stringify({ ...common, ...own }));
  });
}

/** Of all processes that last, since they started. */
function cpuSeconds(parley: Parley): number {
  return lastingPids(parley).reduce((sum, pid) => sum + cpuMicroseconds(pid), 0) / 1e6;
}

import { readFileSync } from "node:fs";
import http from "node:http";
import autocannon from "autocannon";
import type { Parley } from "../../test/stack/start-parley.ts";

/** A server for chat completions. */
export interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

const body = (model: string, stream: boolean) =>
  JSON.stringify({ model, stream, messages: [{ role: "user", content: "Say pong" }] });

function post(
  agent: http.Agent,
  target: Target,
  model: string,
  stream: boolean,
  onData: (bytes: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      target.url,
      { method: "POST", agent, headers: { "content-type": "application/json", ...target.headers } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`${target.name} answered ${response.statusCode}`));
        response.on("data", onData).on("end", resolve).on("error", reject);
      },
    );
    request.on("error", reject).end(body(model, stream));
  });
}

export const quantile = (sorted: number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;

/** Milliseconds of each of `count` plain calls over one connection. */
export async function sequential(target: Target, count: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const start = performance.now();
    await post(agent, target, "bench-plain", false, () => undefined);
    times.push(performance.now() - start);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
}

export interface Throughput {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

export async function throughput(target: Target, connections: number, seconds: number): Promise<Throughput> {
  const result = await autocannon({
    url: target.url,
    method: "POST",
    connections,
    duration: seconds,
    headers: { "content-type": "application/json", ...target.headers },
    body: body("bench-plain", false),
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.non2xx,
  };
}

/** Milliseconds from sending to the first bytes of an answer that streams. */
export async function firstChunk(target: Target, count: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const start = performance.now();
    let first = 0;
    await post(agent, target, "bench-stream-20-1", true, () => (first ||= performance.now() - start));
    times.push(first);
  }
  agent.destroy();
  return times.sort((a, b) => a - b);
}

/** Events per second over `streams` streams at once, each of `events` events, `each` of them in one write. */
export async function eventRate(target: Target, streams: number, events: number, each: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true });
  let seen = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: streams }, () =>
      post(agent, target, `bench-stream-${events}-${each}`, true, (bytes) => {
        // Every event ends with two line feeds; one that is cut between them counts with its second half.
        for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) seen++;
      }),
    ),
  );
  agent.destroy();
  return seen / 2 / ((performance.now() - start) / 1000);
}

/** Runs `total` short streams, `atOnce` of them at a time. */
export async function manyStreams(
  target: Target,
  total: number,
  atOnce: number,
  after: (done: number) => void,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  let started = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (started < total) {
        started++;
        await post(agent, target, "bench-stream-20-1", true, () => undefined);
        after(++done);
      }
    }),
  );
  agent.destroy();
}

/** Resident memory of all processes, in MB. */
export function residentMb(parley: Parley): number {
  return parley.processes().reduce((sum, { rss }) => sum + rss, 0) / 1e6;
}

/** What hashes passwords: it ends half a minute after the last sign-in. */
export function isForPasswords({ command }: { command: string }): boolean {
  return command.includes("passwords");
}

/** The processes that are there from start to end. */
export function lastingPids(parley: Parley): number[] {
  const lasting = parley.processes().filter((each) => !isForPasswords(each));
  return lasting.map(({ pid }) => pid);
}

/** Of all its threads since it started (proc(5), `schedstat` would be of one thread): user and system time in ticks, 100 a second. */
export function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

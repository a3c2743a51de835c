import { type ChildProcess, fork, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { load } from "../test/browser/load-page.ts";
import { openBrowser } from "../test/browser/open-browser.ts";
import { startParley } from "../test/stack/start-parley.ts";
import {
  eventRate,
  firstChunk,
  isForPasswords,
  manyStreams,
  quantile,
  residentMb,
  sequential,
  throughput,
  type Target,
} from "./bench/measure.ts";

/**
 * `npm run bench [-- --quick]`: calls through Parley (accounts, rights and a database look-up included) against calls
 * straight to the same local upstream, and against the npm package `@portkey-ai/gateway` (no accounts, no database), in
 * one run on one machine. Everything listens on loopback. With `--scim`, provisioning instead (bench/scim.ts); with
 * `--plugins`, calls of plugins (bench/plugins.ts); with `--plugin-memory`, the memory of twenty (bench/plugin-memory.ts); with `--sockets`, events to a thousand open sockets (bench/sockets.ts); with
 * `--files`, uploads until they are searchable (bench/files.ts); with `--extraction`, what the extractor reads
 * (bench/extraction.ts); with `--cost`, processor time for a completion and an event, also beside another checkout (bench/cost.ts); with `--streams`, what events of streams cost on every API (bench/streams.ts); with `--channels`, messages to
 * five hundred open tabs of a channel of five thousand (bench/channels.ts); with `--writes`, what others wait for while a large chat
 * is saved (bench/writes.ts); with `--pages`, frames while a long answer arrives and how long a long chat takes to open (bench/pages.ts); with `--simulate`, what a million people would need (bench/simulate.ts); with `--growth`, each route with up to a hundred times the data (bench/growth.ts); with `--soak MINUTES`, whether memory and times stay what they are (bench/soak.ts).
 */
const quick = process.argv.includes("--quick");
if (process.argv.includes("--scim")) {
  const { benchScim } = await import("./bench/scim.ts");
  await benchScim(quick);
  process.exit();
}
if (process.argv.includes("--growth")) {
  const { benchGrowth } = await import("./bench/growth.ts");
  await benchGrowth(quick);
  process.exit();
}
if (process.argv.includes("--files")) {
  const { benchFiles } = await import("./bench/files.ts");
  await benchFiles(quick);
  process.exit();
}
if (process.argv.includes("--extraction")) {
  const { benchExtraction } = await import("./bench/extraction.ts");
  await benchExtraction(quick);
  process.exit();
}
if (process.argv.includes("--search")) {
  const { benchSearch } = await import("./bench/search.ts");
  await benchSearch(quick);
  process.exit();
}
if (process.argv.includes("--sockets")) {
  const { benchSockets } = await import("./bench/sockets.ts");
  await benchSockets(quick);
  process.exit();
}
if (process.argv.includes("--channels")) {
  const { benchChannels } = await import("./bench/channels.ts");
  await benchChannels(quick);
  process.exit();
}
if (process.argv.includes("--writes")) {
  const { benchWrites } = await import("./bench/writes.ts");
  await benchWrites(quick);
  process.exit();
}
if (process.argv.includes("--soak")) {
  const { benchSoak } = await import("./bench/soak.ts");
  process.exit((await benchSoak(Number(process.argv[process.argv.indexOf("--soak") + 1] ?? 60))) ? 0 : 1);
}
if (process.argv.includes("--plugin-memory")) {
  const { benchPluginMemory } = await import("./bench/plugin-memory.ts");
  await benchPluginMemory(quick);
  process.exit();
}
if (process.argv.includes("--plugins")) {
  const { benchPlugins } = await import("./bench/plugins.ts");
  const { child, url } = await startUpstream();
  await benchPlugins(quick, url).finally(() => child.kill());
  process.exit();
}
if (process.argv.includes("--pages")) {
  const { benchPages } = await import("./bench/pages.ts");
  const { child, url } = await startUpstream();
  await benchPages(quick, url).finally(() => child.kill());
  process.exit();
}
if (process.argv.includes("--cost")) {
  const { benchCost } = await import("./bench/cost.ts");
  const at = process.argv.indexOf("--against");
  const { child, url } = await startUpstream();
  await benchCost(quick, url, at === -1 ? undefined : process.argv[at + 1]).finally(() => child.kill());
  process.exit();
}
if (process.argv.includes("--simulate")) {
  const { benchSimulation } = await import("./bench/simulate.ts");
  const { child, url } = await startUpstream();
  await benchSimulation(quick, url).finally(() => child.kill());
  process.exit();
}
if (process.argv.includes("--streams")) {
  const { benchStreams } = await import("./bench/streams.ts");
  const { child, url } = await startUpstream();
  await benchStreams(quick, url).finally(() => child.kill());
  process.exit();
}
const seconds = quick ? 3 : 10;

function startUpstream(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(new URL("./bench/upstream.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  return new Promise((resolve) =>
    child.once("message", (message: { port: number }) =>
      resolve({ child, url: `http://127.0.0.1:${message.port}/v1` }),
    ),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startGateway(): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const main = createRequire(import.meta.url).resolve("@portkey-ai/gateway/build/start-server.js");
  const child = spawn(process.execPath, [main, `--port=${port}`, "--headless"], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    try {
      await fetch(url);
      return { child, url };
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const person = { name: "Bench", email: "bench@example.com", password: "a long enough password" };

async function signUp(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}

const line = (name: string, values: Record<string, string | number>) =>
  console.log(
    `${name.padEnd(12)} ${Object.entries(values)
      .map(([key, value]) => `${key} ${typeof value === "number" ? value.toFixed(value < 100 ? 2 : 0) : value}`)
      .join("   ")}`,
  );

const upstream = await startUpstream();
const gateway = await startGateway();
const began = performance.now();
const parley = await startParley({ env: { OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: "sk-bench" } });
console.log(
  `Parley ready after ${((performance.now() - began) / 1000).toFixed(1)} s, ${residentMb(parley).toFixed(0)} MB`,
);
const direct: Target = { name: "direct", url: `${upstream.url}/chat/completions`, headers: {} };
const through: Target = {
  name: "parley",
  url: `${parley.url}/api/chat/completions`,
  headers: { authorization: `Bearer ${await signUp(parley.url)}` },
};
const portkey: Target = {
  name: "portkey",
  url: `${gateway.url}/v1/chat/completions`,
  headers: { authorization: "Bearer sk-bench", "x-portkey-provider": "openai", "x-portkey-custom-host": upstream.url },
};
const targets = [direct, through, portkey];
/** That gateway's release cannot stream under the Node that runs here: it changes headers that are immutable. */
const streaming = [direct, through];

try {
  for (const target of targets) await throughput(target, 8, quick ? 2 : 5);

  console.log("\nOne connection, milliseconds");
  const plain = new Map<string, number>();
  for (const target of targets) {
    const times = await sequential(target, quick ? 300 : 2000);
    plain.set(target.name, quantile(times, 0.5));
    line(target.name, {
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      added: quantile(times, 0.5) - plain.get("direct")!,
    });
  }

  for (const connections of [16, 64]) {
    console.log(`\n${connections} connections`);
    for (const target of targets) {
      const { perSecond, p50, p99, failed } = await throughput(target, connections, seconds);
      line(target.name, { "requests/s": perSecond, p50, p99, failed });
    }
  }

  console.log("\nFirst bytes of a stream, milliseconds");
  for (const target of streaming) {
    const times = await firstChunk(target, quick ? 100 : 500);
    line(target.name, { p50: quantile(times, 0.5), p99: quantile(times, 0.99) });
  }

  for (const each of [1, 8, 64]) {
    console.log(`\nEight streams, ${each} events in each write of the upstream`);
    let own = 0;
    for (const target of streaming) {
      const rate = await eventRate(target, 8, quick ? 2000 : 20_000, each);
      own ||= rate;
      line(target.name, { "events/s": rate, "of direct": `${((rate / own) * 100).toFixed(0)}%` });
    }
  }

  console.log("\nPages with an empty cache, milliseconds until they can be used");
  const browser = await openBrowser();
  for (const [name, path, field, who] of [
    ["sign-in", "/sign-in", "input[name=email]", undefined],
    ["composer", "/", "textarea", person],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 6; round++)
      times.push((await load({ url: parley.url, browser }, path, field, who)).interactive);
    times.sort((a, b) => a - b);
    line(name, { best: times[0]!, p50: quantile(times, 0.5) });
  }
  await browser.close();

  const total = quick ? 1000 : 10_000;
  console.log(`\nMemory of all processes over ${total} streams, MB`);
  await manyStreams(through, total, 16, (done) => {
    if (done % (total / 10) === 0) line(String(done), { resident: residentMb(parley) });
  });
  // The pages were opened by somebody who signed in.
  while (parley.processes().some(isForPasswords)) await wait(500);
  line("at rest", { resident: residentMb(parley) });
} finally {
  await parley.stop();
  gateway.child.kill();
  upstream.child.kill();
}

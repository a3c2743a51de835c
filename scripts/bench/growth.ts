import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseKeyRing } from "../../src/lib/key-ring.ts";
import { createTokenSigner } from "../../src/people/auth/tokens.ts";
import { startParley, type Parley } from "../../test/stack/start-parley.ts";
import { benchCollector } from "./growth/collector.ts";
import { callers, fillDatabase, type GrowthCaller, personId, sessionId, sizeAt } from "./growth/data.ts";
import { measuredRoutes, type MeasuredRoute } from "./growth/routes.ts";
import { cpuMicroseconds, quantile } from "./measure.ts";

/**
 * `npm run bench -- --growth [--quick] [--scale 0.01,0.1,1] [--data FOLDER]`: the started service with 20,000 people, 200,000 chats, 50,000 files, 2 M messages in
 * channels and 5 M calls, and with parts of that. What each route of lists, search, usage and provisioning takes for somebody whose own share stays the same,
 * what of that the database worked, and how long a start takes. Then 24 clients of a person with 20,000 chats. FOLDER keeps the data for the next run.
 */
const scimToken = "the-token-of-the-benchmark-0123456789";

/** A route grows if the database works so much longer for it with all the data than with the least, and so many milliseconds more. */
const grows = { times: 1.5, milliseconds: 1 };

interface Took {
  /** Milliseconds of the middle one of some requests. */
  middle: number;
  /** Milliseconds that the processor of the database worked for each: other work on the machine changes it less. */
  database: number;
}
type Times = Map<MeasuredRoute, Took>;

export async function benchGrowth(quick: boolean): Promise<void> {
  const scales = (option("--scale") ?? (quick ? "0.01,0.1" : "0.01,0.1,1")).split(",").map(Number);
  const kept = option("--data");
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), "parley-growth-"));
  const columns: { scale: number; times: Times }[] = [];
  try {
    for (const scale of scales) {
      const dataDir = path.join(folder, String(scale));
      if (!existsSync(dataDir)) await makeData(dataDir, scale);
      const parley = await startMeasured(dataDir, scale);
      try {
        const headers = await signAll(dataDir);
        const times: Times = new Map();
        for (const route of measuredRoutes) times.set(route, await timeRoute(parley, headers, route, quick ? 25 : 50));
        columns.push({ scale, times });
        await benchCollector(parley.url, headers.collector, quick ? 3 : 10);
      } finally {
        await parley.stop();
      }
      if (kept === undefined) rmSync(dataDir, { recursive: true });
    }
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
  printTable(columns);
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

const environment = {
  SCIM_ENABLED: "true",
  SCIM_TOKEN: scimToken,
  SCIM_AUTH_PROVIDER: "scim",
  METRICS_TOKEN: scimToken,
  // The timer would delete most of the ledger meanwhile, and writes wait for it.
  USAGE_RECORD_DAYS: "365",
};

async function makeData(dataDir: string, scale: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  // Makes the schema and the keys.
  const parley = await startParley({ dataDir, env: environment });
  await parley.stop();
  const file = path.join(dataDir, "db/dbs/default/data");
  const began = performance.now();
  fillDatabase(file, sizeAt(scale));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${percent(scale)}: ${(statSync(file).size / 1e6).toFixed(0)} MB made in ${seconds} s`);
}

async function startMeasured(dataDir: string, scale: number): Promise<Parley> {
  const times: number[] = [];
  let parley = await startParley({ dataDir, env: environment });
  for (let run = 0; run < 3; run++) {
    await parley.stop();
    const began = performance.now();
    parley = await startParley({ dataDir, env: environment });
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  console.log(`${percent(scale)}: ready ${quantile(times, 0.5).toFixed(0)} ms after the start`);
  return parley;
}

type Headers = Record<MeasuredRoute["caller"], Record<string, string>>;

async function signAll(dataDir: string): Promise<Headers> {
  const secrets = JSON.parse(readFileSync(path.join(dataDir, "secrets.json"), "utf8")) as Record<string, string>;
  const signer = createTokenSigner(parseKeyRing(secrets["PARLEY_SECRET_KEYS"]!));
  const headers = { scim: { authorization: `Bearer ${scimToken}` } } as Partial<Headers> as Headers;
  for (const caller of Object.keys(callers) as GrowthCaller[]) {
    const token = await signer.sign(
      { id: personId(caller), jti: sessionId(caller), iat: Math.floor(Date.now() / 1000) },
      null,
    );
    headers[caller] = { authorization: `Bearer ${token}` };
  }
  return headers;
}

async function timeRoute(parley: Parley, headers: Headers, route: MeasuredRoute, runs: number): Promise<Took> {
  const times: number[] = [];
  const { pid } = parley.processes().find(({ command }) => command.includes("--http-listen-addr"))!;
  let busy = 0;
  const init: RequestInit = route.body === undefined ? {} : { method: "POST", body: JSON.stringify(route.body) };
  const sent = { ...headers[route.path === "/metrics" ? "scim" : route.caller], "content-type": "application/json" };
  for (let run = -2; run < runs; run++) {
    if (run === 0) busy = cpuMicroseconds(pid);
    const began = performance.now();
    const response = await fetch(parley.url + route.path, { ...init, headers: sent });
    const text = await response.text();
    const took = performance.now() - began;
    if (!response.ok)
      throw new Error(`${route.caller} ${route.path} answered ${response.status}: ${text.slice(0, 300)}`);
    // The first two warm up.
    if (run >= 0) times.push(took);
    if (took > 2000 && run >= 1) break;
  }
  const database = (cpuMicroseconds(pid) - busy) / 1000 / times.length;
  times.sort((a, b) => a - b);
  return { middle: quantile(times, 0.5), database };
}

const percent = (scale: number) => `${scale * 100} %`;

function printTable(columns: readonly { scale: number; times: Times }[]): void {
  const [first, last] = [columns[0]!, columns.at(-1)!];
  console.log("\nMilliseconds of a request, and those of them that the database's processor worked");
  console.log(`\n| who | route | ${columns.map(({ scale }) => percent(scale)).join(" | ")} | |`);
  console.log(`|---|---|${"---|".repeat(columns.length)}---|`);
  let growing = 0;
  for (const route of measuredRoutes) {
    const [least, most] = [first.times.get(route)!.database, last.times.get(route)!.database];
    const isGrowing = most > least * grows.times && most > least + grows.milliseconds;
    if (isGrowing && !route.isWhole) growing++;
    const mark = isGrowing ? (route.isWhole ? "all of it" : "GROWS") : "";
    const cells = columns.map(({ times }) => {
      const { middle, database } = times.get(route)!;
      return `${middle.toFixed(1)} / ${database.toFixed(1)}`;
    });
    console.log(
      `| ${route.caller} | ${route.body === undefined ? "" : "POST "}${route.path} | ${cells.join(" | ")} | ${mark} |`,
    );
  }
  console.log(`\n${growing} routes grow with what their caller does not see.`);
}

import http from "node:http";
import { startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

/**
 * `npm run bench -- --scim [--quick]`: the started service with 10,000 people and 1,000 groups, one of 5,000 members, all of them
 * made over SCIM. What one call takes, and a minute of mixed provisioning at 50 requests a second. Everything is on loopback.
 */
interface Answer {
  status: number;
  body: string;
  milliseconds: number;
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

const token = "the-token-of-the-benchmark-0123456789";
const base = "/api/v1/scim/v2";

export async function benchScim(quick: boolean): Promise<void> {
  const [people, groups, members] = quick ? [2000, 200, 1000] : [10_000, 1000, 5000];
  const parley = await startParley({
    env: { SCIM_ENABLED: "true", SCIM_TOKEN: token, SCIM_AUTH_PROVIDER: "oidc" },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const call = caller(agent, parley.url);
  try {
    const began = performance.now();
    const ids = await make(call, people, 8, (n) => ["/Users", person(n)]);
    const small = await make(call, groups - 1, 4, (n) => [
      "/Groups",
      { displayName: `Group ${n}`, members: take(ids, n * 7, 10) },
    ]);
    const [large] = await make(call, 1, 1, () => ["/Groups", { displayName: "Large", members: take(ids, 0, members) }]);
    const seconds = (performance.now() - began) / 1000;
    console.log(`${people} people and ${groups} groups made in ${seconds.toFixed(0)} s`);

    const runs = quick ? 100 : 500;
    const patch = (op: string, n: number) => ({
      Operations: [{ op, path: "members", value: [{ value: ids[(n * 13) % ids.length] }] }],
    });
    console.log("\nOne after the other, milliseconds");
    await sequence("GET by userName", runs, (n) => call("GET", find(`userName eq "${person(n * 17).userName}"`)));
    await sequence("GET by externalId", runs, (n) => call("GET", find(`externalId eq "ext-${n * 17}"`)));
    await sequence("PATCH, large group", runs, (n) =>
      call("PATCH", `/Groups/${large!}`, patch(n % 2 ? "remove" : "add", n >> 1)),
    );
    await sequence("PATCH, small group", runs, (n) =>
      call("PATCH", `/Groups/${small[n % small.length]!}`, patch("add", n)),
    );
    await sequence("PATCH active", runs, (n) =>
      call("PATCH", `/Users/${ids[n]!}`, { Operations: [{ op: "replace", path: "active", value: n % 2 === 0 }] }),
    );
    await sequence("GET, page of 100", runs / 5, (n) => call("GET", `/Users?count=100&startIndex=${n * 90 + 1}`));
    await sequence("GET, 100 groups", runs / 5, () => call("GET", "/Groups?count=100&excludedAttributes=members"));

    await mixed(call, quick ? 10 : 60, 50, (n): [string, string, unknown?] => {
      const id = ids[(n * 31) % ids.length]!;
      const group = small[(n * 5) % small.length]!;
      switch (n % 10) {
        case 0:
          return ["POST", "/Users", person(people + n)];
        case 1:
          return [
            "PATCH",
            `/Users/${id}`,
            { Operations: [{ op: "replace", path: "displayName", value: `Name ${n}` }] },
          ];
        case 2:
          return [
            "PATCH",
            `/Users/${id}`,
            { Operations: [{ op: "Replace", path: "active", value: n % 20 === 2 ? "False" : "True" }] },
          ];
        case 3:
          return ["PATCH", `/Groups/${group}`, patch("add", n)];
        case 4:
          return ["PATCH", `/Groups/${large!}`, patch(n % 20 === 4 ? "remove" : "add", n)];
        case 5:
          return [
            "GET",
            `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "Group ${n % (groups - 1)}"`)}`,
          ];
        case 6:
          return ["GET", `/Users/${id}`];
        default:
          return ["GET", find(`userName eq "${person((n * 7) % people).userName}"`)];
      }
    });
  } catch (error) {
    console.log(parley.output);
    throw error;
  } finally {
    agent.destroy();
    await parley.stop();
  }
}

const person = (n: number) => ({
  userName: `person${n}@bench.example`,
  externalId: `ext-${n}`,
  displayName: `Person ${n}`,
  name: { givenName: "Person", familyName: String(n) },
  emails: [{ value: `person${n}@bench.example`, type: "work", primary: true }],
  active: true,
});

const find = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`;

function take(ids: string[], from: number, count: number): { value: string }[] {
  return Array.from({ length: count }, (_, n) => ({ value: ids[(from + n) % ids.length]! }));
}

function caller(agent: http.Agent, url: string): Call {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const request = http.request(`${url}${base}${path}`, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part)).on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: text, milliseconds: performance.now() - start }),
        );
      });
      request.setTimeout(30_000, () => request.destroy(new Error(`${method} ${path} had no answer within 30 s`)));
      request.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** Makes resources, so many at a time. @returns their ids, in order */
async function make(
  call: Call,
  count: number,
  atOnce: number,
  of: (n: number) => [string, unknown],
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      const [path, body] = of(n);
      const answer = await call("POST", path, body);
      if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.body}`);
      ids[n] = (JSON.parse(answer.body) as { id: string }).id;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return ids;
}

async function sequence(name: string, count: number, each: (n: number) => Promise<Answer>): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const { status, milliseconds, body } = await each(n);
    if (status >= 300) throw new Error(`${name} answered ${status}: ${body}`);
    // The first ones warm up.
    if (n >= count / 10) times.push(milliseconds);
  }
  report(name, times);
}

/** Calls begin on time, whether or not those before them have ended. */
async function mixed(
  call: Call,
  seconds: number,
  rate: number,
  of: (n: number) => [string, string, unknown?],
): Promise<void> {
  const times = new Map<string, number[]>();
  const failures: string[] = [];
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < seconds * rate; n++) {
    const wait = began + (n * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const [method, path, body] = of(n);
    const kind = `${method} ${path.split(/[/?]/)[1]!}`;
    running.push(
      call(method, path, body).then(
        (answer) => {
          if (answer.status >= 300) failures.push(`${kind} ${answer.status} ${answer.body}`);
          const known = times.get(kind) ?? [];
          known.push(answer.milliseconds);
          times.set(kind, known);
        },
        (error: unknown) => void failures.push(`${kind} ${String(error)}`),
      ),
    );
  }
  await Promise.all(running);
  const took = (performance.now() - began) / 1000;
  console.log(
    `\n${running.length} mixed requests in ${took.toFixed(1)} s (${(running.length / took).toFixed(0)}/s), ${failures.length} failed`,
  );
  for (const failure of failures.slice(0, 5)) console.log(`  ${failure}`);
  for (const [kind, each] of times) report(kind, each);
}

function report(name: string, times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (part: number) => quantile(times, part).toFixed(1);
  console.log(`${name.padEnd(20)} p50 ${at(0.5)}   p95 ${at(0.95)}   p99 ${at(0.99)}   (${times.length})`);
}

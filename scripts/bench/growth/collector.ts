import http from "node:http";
import { quantile } from "../measure.ts";
import { commonWord, idOf } from "./text.ts";

const clients = 24;

/** What somebody with 20,000 chats does: of ten requests, so many of each. */
const mix: [kind: string, share: number, path: (n: number) => string][] = [
  ["page of chats", 4, () => "/api/v1/chats/list?page=1"],
  ["opens a chat", 3, (n) => `/api/v1/chats/${idOf("collected", (n * 37) % 19_000)}`],
  ["common word", 1, () => `/api/v1/chats/search?text=${commonWord}`],
  ["part of a word", 1, () => `/api/v1/chats/search?text=${commonWord.slice(0, 4)}`],
  ["tags", 1, () => "/api/v1/chats/all/tags"],
];
const turns = mix.flatMap(([kind, share, path]) => Array.from({ length: share }, () => ({ kind, path })));

/** 24 clients of one person with 20,000 chats, each one request after the other. */
export async function benchCollector(url: string, headers: Record<string, string>, seconds: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const times = new Map<string, number[]>(mix.map(([kind]) => [kind, []]));
  let asked = 0;
  const end = performance.now() + seconds * 1000;
  const work = async () => {
    while (performance.now() < end) {
      const n = asked++;
      const { kind, path } = turns[n % turns.length]!;
      const began = performance.now();
      await get(agent, url + path(n), headers);
      times.get(kind)!.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  agent.destroy();
  const parts = [...times].map(([kind, each]) => {
    const sorted = each.toSorted((a, b) => a - b);
    return `${kind} ${quantile(sorted, 0.5).toFixed(0)} (p99 ${quantile(sorted, 0.99).toFixed(0)})`;
  });
  console.log(
    `20,000 chats of one person, ${clients} clients: ${(asked / seconds).toFixed(0)} requests/s; p50 in ms: ${parts.join(", ")}`,
  );
}

function get(agent: http.Agent, url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
        response.resume().on("end", resolve).on("error", reject);
      })
      .on("error", reject);
  });
}

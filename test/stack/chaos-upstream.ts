import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** How an embedding upstream behaves at a call. */
export type Mood = "well" | "slow" | "busy" | "broken" | "cut";

export interface ChaosUpstream {
  url: string;
  /** Calls that came in each mood. */
  calls: Record<Mood, number>;
  /** From now on it behaves. */
  calm(): void;
  close(): Promise<void>;
}

const dimension = 8;

/** An upstream with one embedding model that answers as it likes: 429 with Retry-After, 500, slowly, cut off, or well. */
export async function startChaosUpstream(random: () => number): Promise<ChaosUpstream> {
  const calls: ChaosUpstream["calls"] = { well: 0, slow: 0, busy: 0, broken: 0, cut: 0 };
  let isCalm = false;
  const choose = (): Mood => {
    const at = isCalm ? 1 : random();
    return at < 0.15 ? "busy" : at < 0.25 ? "broken" : at < 0.3 ? "cut" : at < 0.4 ? "slow" : "well";
  };
  const server = createServer(async (request, response) => {
    if (request.method === "GET") {
      response.setHeader("content-type", "application/json");
      return void response.end(JSON.stringify({ object: "list", data: [{ id: "embedder", object: "model" }] }));
    }
    const body = (await json(request).catch(() => undefined)) as { input: string[] } | undefined;
    // Whoever asked was killed in the middle of it.
    if (!body) return;
    const { input } = body;
    const mood = choose();
    calls[mood]++;
    if (mood === "busy") return void response.writeHead(429, { "retry-after": "1" }).end("{}");
    if (mood === "broken") return void response.writeHead(500).end("{}");
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: embed(text) }));
    const answer = JSON.stringify({
      object: "list",
      model: "embedder",
      data,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
    response.setHeader("content-type", "application/json");
    if (mood === "cut") {
      response.write(answer.slice(0, answer.length / 2));
      return void response.destroy();
    }
    if (mood === "slow") setTimeout(() => response.end(answer), 1500);
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    calm: () => void (isCalm = true),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The same text has the same vector, and hardly another one. */
function embed(text: string): number[] {
  const vector = Array.from({ length: dimension }, () => 0.01);
  for (let at = 0; at < text.length; at++) vector[text.charCodeAt(at) % dimension]! += 1;
  return vector;
}

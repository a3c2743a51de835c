import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type Parley, startParley } from "../../test/stack/start-parley.ts";
import { quantile } from "./measure.ts";

/**
 * `npm run bench -- --files [--quick]`: from the first byte of an upload until its text is searchable, in the started service, with
 * an embedder that answers at once (384 dimensions), and by words alone. Everything is on loopback, one upload after the other;
 * then many small files at the same time.
 */
export async function benchFiles(quick: boolean): Promise<void> {
  const embedder = await startEmbedder();
  const runs = quick ? 5 : 15;
  const small = quick ? 50 : 200;
  try {
    for (const model of ["embedder", ""]) {
      const parley = await startParley({ env: { OPENAI_API_BASE_URLS: embedder.url, RAG_EMBEDDING_MODEL: model } });
      try {
        const token = await signUp(parley);
        console.log(model === "" ? "\nBy words alone" : "\nWith vectors of 384 dimensions");
        await one(parley, token, "Warm");
        for (const size of [1000, 100_000, 1_000_000, 10_000_000]) {
          const times: number[] = [];
          const count = size > 1_000_000 ? Math.ceil(runs / 5) : runs;
          for (let run = 0; run < count; run++) times.push(await one(parley, token, prose(size, run)));
          const middle = quantile(times, 0.5).toFixed(0);
          console.log(
            `${(size / 1e6).toFixed(3).padStart(7)} MB of text, upload to completed: p50 ${middle} ms, worst ${Math.max(...times).toFixed(0)} ms`,
          );
        }
        const began = performance.now();
        await Promise.all(Array.from({ length: 8 }, (_, lane) => many(parley, token, small / 8, lane)));
        const seconds = (performance.now() - began) / 1000;
        console.log(`${small} files of 5 kB, 8 at a time: ${(small / seconds).toFixed(0)} files/s`);
      } finally {
        await parley.stop();
      }
    }
  } finally {
    embedder.close();
  }
}

async function many(parley: Parley, token: string, count: number, lane: number): Promise<void> {
  for (let at = 0; at < count; at++) await one(parley, token, prose(5000, lane * 1000 + at));
}

/** @returns milliseconds until it is completed, as the status stream says it */
async function one({ url }: Parley, token: string, text: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const form = new FormData();
  form.append("file", new Blob([text]), "bench.md");
  const began = performance.now();
  const uploaded = await fetch(`${url}/api/v1/files/`, { method: "POST", headers, body: form });
  const { id } = (await uploaded.json()) as { id: string };
  const stream = await fetch(`${url}/api/v1/files/${id}/process/status?stream=true`, { headers });
  const frames = await stream.text();
  if (!frames.includes('"completed"')) throw new Error(`a file was not processed: ${frames}`);
  return performance.now() - began;
}

/** So many bytes of prose with headings; another one for each seed. */
function prose(size: number, seed: number): string {
  const words = ["harbour", "pilot", "crane", "tide", "mooring", "vessel", "anchor", "lighthouse", "captain", "cargo"];
  const pieces: string[] = [`# Log ${seed}\n\n`];
  let length = pieces[0]!.length;
  for (let at = 0; length < size; at++) {
    const word = words[(at * 7 + seed) % words.length]!;
    const piece = at % 400 === 399 ? `${word}.\n\n## Watch ${at}\n\n` : at % 13 === 12 ? `${word}. ` : `${word} `;
    pieces.push(piece);
    length += piece.length;
  }
  return pieces.join("");
}

async function signUp({ url }: Parley): Promise<string> {
  const response = await fetch(`${url}/api/v1/auths/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Bench", email: "bench@example.com", password: "a long enough password" }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function startEmbedder(): Promise<{ url: string; close(): void }> {
  const embedding = Array.from({ length: 384 }, (_, at) => Math.round(Math.sin(at) * 1e6) / 1e6);
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.method === "GET")
      return void response.end(JSON.stringify({ object: "list", data: [{ id: "embedder", object: "model" }] }));
    const { input } = (await json(request)) as { input: string[] };
    response.end(
      JSON.stringify({ object: "list", data: input.map((_, index) => ({ object: "embedding", index, embedding })) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close: () => void server.close() };
}

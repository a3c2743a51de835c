import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ExtractEvent } from "../../src/documents/files/extraction/extractor.ts";
import { corpus } from "../../test/fixtures/documents/corpus.ts";
import { prose } from "../../test/fixtures/documents/prose.ts";
import { ensureWorker } from "../launch/build.ts";
import { Guard } from "../launch/guard.ts";
import { createOnDemandHost, documents } from "../launch/on-demand/host.ts";
import { extractorWorker } from "../launch/topology.ts";
import { Confinement } from "../launch/workerd/confinement.ts";

interface Sample {
  name: string;
  bytes: Uint8Array;
}

/** Documents of the corpus that are long enough to be measured. */
const measured = [
  "book.pdf",
  "manual.docx",
  "many-slides.pptx",
  "forty-thousand-rows.xlsx",
  "many-strings.xlsx",
  "long-book.epub",
  "long.rtf",
];

/**
 * `npm run bench -- --extraction [--quick]`: the extractor as it is started beside the service, read from the outside: bytes in,
 * events out, passages included. The first reading of each kind warms up; the best of the others counts. Text is what came out.
 */
export async function benchExtraction(quick: boolean): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), "parley-bench-"));
  const guard = new Guard(path.join(scratch, "children"), scratch);
  const host = createOnDemandHost(documents, scratch, guard, new Confinement([], scratch));
  try {
    await host.start(await ensureWorker(extractorWorker));
    for (const sample of await samples()) {
      const times: number[] = [];
      let told = { text: 0, pages: null as number | null };
      for (let time = 0; time < (quick ? 2 : 5); time += 1) {
        const start = performance.now();
        told = await read(host.socket, sample);
        times.push(performance.now() - start);
      }
      const seconds = Math.min(...times.slice(1)) / 1000;
      const perSecond = (amount: number) => (amount / seconds).toFixed(1).padStart(7);
      const pages = told.pages === null ? "" : `${perSecond(told.pages)} pages/s`;
      console.log(
        `${sample.name.padEnd(26)} ${(seconds * 1000).toFixed(0).padStart(6)} ms   file ${perSecond(sample.bytes.length / 1e6)} MB/s   text ${perSecond(told.text / 1e6)} MB/s   ${pages}`,
      );
    }
  } finally {
    host.stop();
    guard.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function samples(): Promise<Sample[]> {
  const made: Sample[] = [];
  for (const name of measured) {
    const fixture = corpus.find(({ filename }) => filename === name);
    if (!fixture) throw new Error(`No ${name} in the corpus`);
    made.push({ name, bytes: await fixture.make() });
  }
  const paragraphs = Array.from({ length: 8000 }, (_, at) => prose(10, at));
  const rows = Array.from({ length: 60_000 }, (_, at) => `${at},Name of row ${at},"a, b",2026-01-01`);
  return [
    ...made,
    { name: "long.txt", bytes: Buffer.from(paragraphs.join("\n\n")) },
    { name: "long.md", bytes: Buffer.from(paragraphs.map((text, at) => `## Part ${at}\n\n${text}`).join("\n\n")) },
    { name: "long.html", bytes: Buffer.from(`<html><body>${paragraphs.map((text) => `<p>${text}</p>`).join("")}`) },
    { name: "long.csv", bytes: Buffer.from(`Number,Name,Note,Day\n${rows.join("\n")}`) },
  ];
}

/** Fails where the document does. */
function read(socketPath: string, { name, bytes }: Sample): Promise<{ text: number; pages: number | null }> {
  const options = {
    filename: name,
    contentType: "application/octet-stream",
    bytes: bytes.length,
    pictures: false,
    size: 1000,
    overlap: 100,
  };
  return new Promise((resolve, reject) => {
    const headers = { "x-options": encodeURIComponent(JSON.stringify(options)) };
    const asking = request({ socketPath, path: "/extract", method: "POST", headers }, (response) => {
      let text = 0;
      createInterface({ input: response })
        .on("line", (line) => {
          const event = JSON.parse(line) as ExtractEvent;
          if (event.type === "text") text += event.text.length;
          else if (event.type === "end") resolve({ text, pages: event.pages });
          else if (event.type === "failed") reject(new Error(`${name}: ${event.message}`));
        })
        .on("close", () => reject(new Error(`${name}: the answer ended early`)));
    });
    asking.on("error", reject);
    asking.end(bytes);
  });
}

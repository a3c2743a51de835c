import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ExtractEvent } from "../../../../../src/documents/files/extraction/extractor.ts";
import { textCorpus } from "../../../../fixtures/documents/text-corpus.ts";
import { checkFixture } from "../check-fixture.ts";
import { readFixture } from "../read-fixture.ts";
import { type StartedExtractor, startExtractor } from "./start-extractor.ts";

let started: StartedExtractor;
beforeAll(async () => {
  // What an isolate on the edge has, less what the runtime takes of it.
  started = await startExtractor({ v8Flags: ["--max-old-space-size=100", "--max-semi-space-size=4"] });
}, 120_000);
afterAll(() => started.stop());

/** Reads so many bytes, made of the same ones again and again. */
async function readMuch(filename: string, part: string, bytes: number, begin = "") {
  const [first, more] = [
    new TextEncoder().encode(begin),
    new TextEncoder().encode(part.repeat(Math.ceil(50_000 / part.length))),
  ];
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= bytes) return controller.close();
      const piece = sent === 0 && begin !== "" ? first : more;
      sent += piece.length;
      controller.enqueue(piece);
    },
  });
  const options = { filename, contentType: "", bytes, pictures: false, size: 1000, overlap: 100 };
  let last: ExtractEvent | undefined;
  const seen = { text: 0, passages: 0, end: 0, memory: 0 };
  for await (const event of started.extractor.extract(body, options, new AbortController().signal)) {
    last = event;
    if (event.type === "text") seen.text += event.text.length;
    if (event.type === "passages") {
      seen.passages += event.passages.length;
      seen.end = event.passages.at(-1)!.end;
    }
    seen.memory = Math.max(seen.memory, ...started.pool.processes.map(({ rss }) => rss));
  }
  return { ...seen, last };
}

const sentence = "The quick brown fox jumps over the lazy dog, again and again.\n";

test("200 MB of text take no more memory than 80", { timeout: 300_000 }, async () => {
  // The heap has grown to the size that it works with.
  const small = await readMuch("small.txt", sentence, 80e6);
  const large = await readMuch("large.txt", sentence, 200e6);
  expect(large.last).toEqual({ type: "end", pages: null, title: null });
  expect(large.text).toBeGreaterThanOrEqual(200e6);
  // The last passage ends where the text does, but for its line end.
  expect(large.end).toBe(large.text - 1);
  expect(large.passages / small.passages).toBeCloseTo(large.text / small.text, 1);
  expect(large.memory - small.memory).toBeLessThan(40e6);
  expect(large.memory).toBeLessThan(350e6);
});

test.each([
  ["one line", "line.txt", "word ", ""],
  ["a table", "table.csv", "a1,b2,some text here,12.5,2026-01-01\n", "one,two,three,four,five\n"],
  ["dense JSON", "dense.json", '{"a":[1,2,3,"text"],"b":{"c":null}},', "["],
  ["a page", "page.html", "<p>Para <b>graph</b> text.</p><h2>Head</h2><table><tr><td>1</td></tr></table>", "<html>"],
  ["XML", "data.xml", "<item id='1'><name>Some name</name></item>", "<list>"],
  ["a mailbox", "mails.mbox", `From a@b.c Mon\nFrom: a@b.c\nSubject: S\n\n${sentence.repeat(20)}\n`, ""],
])("10 MB of %s pass in little memory", { timeout: 120_000 }, async (_, filename, part, begin) => {
  const read = await readMuch(filename, part, 10e6, begin);
  expect(read.text).toBeGreaterThan(2.5e6);
  expect(read.passages).toBeGreaterThan(2500);
  expect(read.memory).toBeLessThan(400e6);
});

describe("the corpus of texts in an isolate with 100 MB", () => {
  test.for(textCorpus.map((fixture) => [fixture.filename, fixture] as const))(
    "%s",
    { timeout: 60_000 },
    async ([, fixture]) => {
      const read = await readFixture(started.extractor, fixture);
      checkFixture(fixture, read);
      expect(read.events.at(-1)).toBe(read.last);
    },
  );
});

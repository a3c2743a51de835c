import fc from "fast-check";
import { expect, test } from "vitest";
import { readEventStream } from "../../../src/ui/lib/read-event-stream.ts";

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function readAll(pieces: readonly Uint8Array[]): Promise<string[]> {
  const all: string[] = [];
  for await (const events of readEventStream(streamOf(pieces))) all.push(...events);
  return all;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test("gives the data of each event, and nothing of comments, other fields and an event that was cut", async () => {
  const text = ': hi\n\ndata: {"a":1}\n\nevent: x\nid: 1\ndata:one\ndata: two\n\ndata\n\ndata: [DONE]\n\ndata: cut';
  expect(await readAll([bytes(text)])).toEqual(['{"a":1}', "one\ntwo", "", "[DONE]"]);
});

test.each(["\n", "\r\n", "\r"])("reads lines that end with %j", async (end) => {
  expect(await readAll([bytes(["data: a", "data: b", "", "data: c", "", ""].join(end))])).toEqual(["a\nb", "c"]);
});

test("is the same however the bytes are cut", async () => {
  const events = ["Café – 巴黎 🗼", '{"x":"\\n"}', "[DONE]"];
  const all = bytes(events.map((event) => `data: ${event}\n\n`).join(""));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(all.length), { maxLength: 20 }), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((place, index) => all.slice(places[index], place));
      expect(await readAll(pieces)).toEqual(events);
    }),
    { numRuns: 200 },
  );
});

test("lets the stream go when nobody reads on", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes("data: x\n\n")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const events of readEventStream(body)) if (events.length > 0) break;
  expect(cancelled).toBe(true);
});

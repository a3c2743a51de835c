import { expect, test } from "vitest";
import { ExtractorLost } from "../../../../src/documents/files/extraction/extractor.ts";
import { createExtractor } from "../../../../workers/ports/extractor-client.ts";

/** Why a document could not be read, by an extractor that answers so. */
async function reasonFor(fetch: () => Response | Promise<Response>): Promise<string> {
  const extractor = createExtractor({ EXTRACTOR: { fetch } as never });
  const options = { filename: "a.txt", contentType: "text/plain" } as never;
  const events = extractor.extract(new ReadableStream(), options, new AbortController().signal);
  const readAll = async () => {
    for await (const event of events) void event;
  };
  const error = await readAll().catch((cause: unknown) => cause);
  return error instanceof ExtractorLost ? error.reason : String(error);
}
const broken = (message: string) => () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"type":"progress","done":1,"total":null}\n'));
      },
      pull: (controller) => controller.error(new Error(message)),
    }),
  );

test.each([
  ["that is not connected", () => new Response('Worker "parley-extractor" not found', { status: 503 })],
  ["that is not there", () => Promise.reject(new Error("Network connection lost."))],
])("an extractor %s says nothing about the file", async (_, answer) => {
  expect(await reasonFor(answer)).toBe("unreachable");
});

test.each([
  ["memory", "Worker exceeded memory limit.", () => Promise.reject(new Error("Worker exceeded memory limit."))],
  ["time", "Worker exceeded CPU time limit.", () => Promise.reject(new Error("Worker exceeded CPU time limit."))],
  ["memory", "its memory in the middle", broken("Network connection lost.")],
  ["time", "its time in the middle", broken("Worker exceeded CPU time limit.")],
])("an isolate of the edge that ended at its bound: %s, by %s", async (reason, _, answer) => {
  expect(await reasonFor(answer)).toBe(reason);
});

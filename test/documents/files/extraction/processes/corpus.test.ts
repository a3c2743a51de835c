import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpus } from "../../../../fixtures/documents/corpus.ts";
import { checkFixture } from "../check-fixture.ts";
import { readFixture } from "../read-fixture.ts";
import { type StartedExtractor, startExtractor } from "./start-extractor.ts";

/** What an isolate on the edge has, less what the runtime takes of it. */
const heap = "--max-old-space-size=100";
/** Bytes of all memory, WebAssembly and buffers included, after everything that was read; one process reads them all. */
const mostMemory = 600e6;

describe("the corpus in an isolate with 100 MB", () => {
  let started: StartedExtractor;
  beforeAll(async () => {
    started = await startExtractor({ v8Flags: [heap, "--max-semi-space-size=4"] });
  }, 120_000);
  afterAll(() => started.stop());

  test.for(corpus.map((fixture) => [fixture.filename, fixture] as const))(
    "%s",
    { timeout: 120_000 },
    async ([, fixture]) => {
      // A process that ran out of memory throws here, whatever the document was expected to end with.
      const read = await readFixture(started.extractor, fixture);
      checkFixture(fixture, read);
      expect(read.events.filter(({ type }) => type === "end" || type === "failed")).toEqual([read.last]);
    },
  );

  test("takes little memory besides its heap", () => {
    const memory = started.pool.processes.map(({ rss }) => rss);
    expect(memory.length).toBeGreaterThan(0);
    for (const rss of memory) expect(rss).toBeLessThan(mostMemory);
  });
});

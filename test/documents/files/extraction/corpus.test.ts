import { describe, expect, test } from "vitest";
import { corpus } from "../../../fixtures/documents/corpus.ts";
import { createNodeExtractor } from "../node-extractor.ts";
import { checkFixture } from "./check-fixture.ts";
import { readFixture } from "./read-fixture.ts";

const extractor = createNodeExtractor();

describe("documents of the corpus", () => {
  test.for(corpus.filter(({ isLarge }) => !isLarge).map((fixture) => [fixture.filename, fixture] as const))(
    "%s",
    { timeout: 60_000 },
    async ([, fixture]) => {
      const read = await readFixture(extractor, fixture);
      checkFixture(fixture, read);
      expect(read.events.filter(({ type }) => type === "end" || type === "failed")).toEqual([read.last]);
    },
  );
});

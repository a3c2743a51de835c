import { describe, test } from "vitest";
import { corpus } from "../../fixtures/documents/corpus.ts";
import { createNodeExtractor } from "../node-extractor.ts";
import { checkFixture } from "./check-fixture.ts";
import { readFixture } from "./read-fixture.ts";

const extractor = createNodeExtractor();

describe("documents of the corpus", () => {
  test.for(corpus.map((fixture) => [fixture.filename, fixture] as const))(
    "%s",
    { timeout: 60_000 },
    async ([, fixture]) => {
      checkFixture(fixture, await readFixture(extractor, fixture));
    },
  );
});

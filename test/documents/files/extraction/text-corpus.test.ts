import { describe, expect, test } from "vitest";
import { textCorpus } from "../../../fixtures/documents/text-corpus.ts";
import { createNodeExtractor } from "../node-extractor.ts";
import { checkFixture } from "./check-fixture.ts";
import { readFixture } from "./read-fixture.ts";

const extractor = createNodeExtractor();

describe("texts, pages, tables, data, mails and pictures", () => {
  test.for(textCorpus.map((fixture) => [fixture.filename, fixture] as const))("%s", async ([, fixture]) => {
    const read = await readFixture(extractor, fixture);
    checkFixture(fixture, read);
    expect(read.events.filter(({ type }) => type === "end" || type === "failed")).toEqual([read.last]);
  });
});

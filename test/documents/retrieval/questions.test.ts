import { afterAll, beforeAll, expect, test } from "vitest";
import { findByMeaning } from "../../../src/documents/retrieval/find-by-meaning.ts";
import { findByWords } from "../../../src/documents/retrieval/find-by-words.ts";
import { fuse } from "../../../src/documents/retrieval/fuse.ts";
import { loadFound } from "../../../src/documents/retrieval/load-found.ts";
import { retrievalSettings } from "../../../src/documents/retrieval/settings.ts";
import { askedPassages } from "../../fixtures/retrieval/questions.ts";
import { readVectors } from "../../fixtures/retrieval/vectors.ts";
import { createWorld, type World } from "../../world.ts";
import { addFile, addSpace, addText, addVectors, userOf } from "./add-passages.ts";

let world: World;
/** For each question the place of the passage that answers it, from 0; 10 where it is not among the first ten. */
let places: { kind: "words" | "meaning"; byWords: number; byMeaning: number; hybrid: number }[];

beforeAll(async () => {
  world = await createWorld();
  const { db } = world;
  const owner = await world.person();
  const fileId = await addFile(world, owner);
  const given = askedPassages.map(({ title, text }) => ({ text, headings: [title] }));
  const numbers = await addText(world, fileId, given);
  const spaceId = await addSpace(world);
  const vectors = readVectors();
  await addVectors(world, spaceId, fileId, new Map(numbers.map((number, index) => [number, vectors.passages[index]!])));

  const user = userOf(owner);
  const place = (chunks: number[], number: number) => {
    const found = chunks.slice(0, 10).indexOf(number);
    return found < 0 ? 10 : found;
  };
  const threshold = retrievalSettings.RAG_RELEVANCE_THRESHOLD.default;
  const weight = retrievalSettings.RAG_HYBRID_BM25_WEIGHT.default;
  places = [];
  for (const [index, asked] of askedPassages.entries()) {
    for (const kind of ["words", "meaning"] as const) {
      const scope = { user, scope: { files: [fileId] }, count: 50 };
      const words = await findByWords({ db }, { ...scope, queries: [asked[kind]] });
      const meant = await findByMeaning({ db }, { ...scope, spaceId, vectors: [vectors[kind][index]!] });
      const hits = fuse(await loadFound({ db }, { words, meant, eager: 0 }), { keywordWeight: weight, threshold });
      const number = numbers[index]!;
      places.push({
        kind,
        byWords: place(
          words[0]!.map(({ chunk }) => chunk),
          number,
        ),
        byMeaning: place(meant.lists[0]!, number),
        hybrid: place(
          hits.map(({ chunk }) => chunk),
          number,
        ),
      });
    }
  }
}, 60_000);
afterAll(() => world.close());

type Way = "byWords" | "byMeaning" | "hybrid";
const of = (kind?: "words" | "meaning") => places.filter((one) => kind === undefined || one.kind === kind);
/** Part of the questions whose answer stands among the first so many. */
const recall = (way: Way, first: number, kind?: "words" | "meaning") =>
  of(kind).filter((one) => one[way] < first).length / of(kind).length;
/** Mean of 1 / place. */
const reciprocal = (way: Way, kind?: "words" | "meaning") =>
  of(kind).reduce((sum, one) => sum + (one[way] < 10 ? 1 / (one[way] + 1) : 0), 0) / of(kind).length;

test("both together find at least as much as the better of the two alone, over all questions", () => {
  expect(of()).toHaveLength(askedPassages.length * 2);
  for (const first of [1, 5, 10])
    expect(recall("hybrid", first)).toBeGreaterThanOrEqual(
      Math.max(recall("byWords", first), recall("byMeaning", first)),
    );
  expect(reciprocal("hybrid")).toBeGreaterThan(Math.max(reciprocal("byWords"), reciprocal("byMeaning")));
});

test("and over each kind of questions, though one of the two may be at a loss there", () => {
  for (const kind of ["words", "meaning"] as const)
    for (const first of [1, 5])
      expect(recall("hybrid", first, kind)).toBeGreaterThanOrEqual(
        Math.max(recall("byWords", first, kind), recall("byMeaning", first, kind)),
      );
  // Else the questions would not tell anything.
  expect(recall("byWords", 1, "meaning")).toBeLessThan(0.3);
  expect(recall("byMeaning", 1, "meaning")).toBeGreaterThan(0.5);
  expect(recall("byWords", 1, "words")).toBe(1);
});

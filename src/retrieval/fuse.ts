import type { Found } from "./load-hits.ts";
import type { Hit } from "./search.ts";

export interface FuseOptions {
  /** 0 to 1: 1 counts words alone, 0 meaning alone. */
  keywordWeight: number;
  /** Least cosine of what was found by meaning only. */
  threshold: number;
}

/** One order out of two: see test/retrieval/questions.test.ts for what it is worth. The same text stands in it once. */
export function fuse(found: readonly Found[], { keywordWeight, threshold }: FuseOptions): Hit[] {
  const wordings = Math.max(0, ...found.map(({ words, similarities }) => Math.max(words.length, similarities.length)));
  const best = new Map<Found, number>();
  for (let wording = 0; wording < wordings; wording++) {
    const byWords = scaled(
      found.map(({ words }) => words[wording] ?? 0),
      0,
    );
    const near = found.map(({ similarities }) => similarities[wording] ?? null);
    const byMeaning = scaled(near, Math.min(...near.filter((value) => value !== null)));
    found.forEach((one, index) => {
      const score = keywordWeight * byWords[index]! + (1 - keywordWeight) * byMeaning[index]!;
      best.set(one, Math.max(best.get(one) ?? 0, score));
    });
  }
  const texts = new Set<string>();
  return found
    .map((one) => toHit(one, best.get(one) ?? 0))
    .filter(({ keyword, similarity }) => keyword || (similarity ?? 0) >= threshold)
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
    .filter(({ text }) => !texts.has(text) && texts.add(text));
}

/** From `least`, which becomes 0, to the largest, which becomes 1. */
function scaled(values: readonly (number | null)[], least: number): number[] {
  const largest = Math.max(...values.filter((value) => value !== null));
  return values.map((value) => (value === null || largest <= least ? 0 : (value - least) / (largest - least)));
}

function toHit({ words, similarities, ...rest }: Found, score: number): Hit {
  const near = similarities.filter((value) => value !== null);
  return {
    ...rest,
    score,
    similarity: near.length > 0 ? Math.max(...near) : null,
    keyword: words.some((weight) => weight > 0),
  };
}

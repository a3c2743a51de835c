/** What a passage is compared by. */
export interface Comparable {
  text: string;
  headings: readonly string[];
}

export interface Ranked<T> {
  passage: T;
  /** 0 to 1. */
  score: number;
}

/** The usual constants of BM25 (Robertson and Zaragoza, 2009). */
const k1 = 1.2;
const b = 0.75;
/** Words of a text: scripts without spaces are cut by a dictionary. Made when it is first needed: it takes time at the start. */
let segmenter: Intl.Segmenter | undefined;
/** UTF-16 units of a passage that are compared. */
const maxCompared = 8000;

/**
 * Passages by how well they fit the queries (BM25 over their words), best first. Passages without any of the words keep
 * their order behind the others.
 */
export function rankPassages<T extends Comparable>(passages: readonly T[], queries: readonly string[]): Ranked<T>[] {
  const wanted = new Set(queries.flatMap(wordsOf));
  const counted = passages.map((passage) => count(passage, wanted));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const rarity = new Map(
    [...wanted].map((word) => {
      const holders = counted.filter(({ found }) => found.has(word)).length;
      return [word, Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5))] as const;
    }),
  );
  const scored = passages.map((passage, at) => {
    const { length, found } = counted[at]!;
    let score = 0;
    for (const [word, times] of found)
      score += (rarity.get(word)! * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / Math.max(1, average)));
    return { passage, score };
  });
  const best = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .map(({ passage, score }) => ({ passage, score: best === 0 ? 0 : score / best }))
    .sort((one, other) => other.score - one.score);
}

function count({ text, headings }: Comparable, wanted: ReadonlySet<string>) {
  const words = wordsOf(`${headings.join(" ")} ${text.slice(0, maxCompared)}`);
  const found = new Map<string, number>();
  for (const word of words) if (wanted.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
  return { length: words.length, found };
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  return [...segmenter.segment(plain)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

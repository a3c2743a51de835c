import { dimension, readVectors } from "../../test/fixtures/retrieval/vectors.ts";

export { dimension };

const words = 30_000;
/** How far a made-up vector is from the real one that it begins with. */
const width = 0.5;
const syllables = "ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu".split(" ");

export interface Generator {
  /** A vector of length 1, made out of real ones: near one of them, and away from it as they are away from each other. */
  vector(): Float32Array;
  /** Real ones of questions. */
  questions: Float32Array[];
  /** So many words, the usual ones often. */
  text(count: number): string;
  /** A word that stands in few passages. */
  rareWord(): string;
}

/** Passages and vectors for as large an index as one likes, the same for the same seed. */
export function createGenerator(seed: number): Generator {
  const random = mulberry(seed);
  const { passages, words: worded, meaning } = readVectors();
  const questions = [...worded, ...meaning];
  const real = [...passages, ...questions];
  const any = () => real[Math.floor(real.length * random())]!;
  const word = (rank: number) => {
    let text = "";
    for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / 20)) text += syllables[rest % 20]!;
    return text;
  };
  return {
    vector() {
      const [from, a, b, c, d] = [any(), any(), any(), any(), any()];
      return unit(from.map((value, at) => value + width * (a[at]! - b[at]! + 0.7 * (c[at]! - d[at]!))));
    },
    questions,
    text(count) {
      let text = "";
      // As in any language the n-th word is about n times as rare as the first.
      for (let index = 0; index < count; index++) text += `${word(Math.floor(words ** random()) - 1)} `;
      return text;
    },
    rareWord: () => word(Math.floor(words * (0.3 + 0.7 * random()))),
  };
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
}

/** Numbers from 0 to 1. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

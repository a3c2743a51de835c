/** Made-up passages and vectors that are spread as those of real texts are: many topics, some of them near each other. */

export const dimension = 384;
const topics = 600;
const words = 30_000;

export interface Generator {
  /** A vector of length 1, and the topic that it is of. */
  vector(): Float32Array;
  /** A question: a passage that there might be. */
  question(): Float32Array;
  /** About `count` words, the usual ones often. */
  text(count: number): string;
  /** A word that stands in few passages. */
  rareWord(): string;
}

export function createGenerator(seed: number): Generator {
  const random = mulberry(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // Numbers of a direction weigh less and less, as in vectors of texts; mixed, so that no single one stands out.
  const spread = Float32Array.from({ length: dimension }, (_, index) => (1 + index) ** -0.45);
  const noise = () => mix(Float32Array.from(spread, (weight) => weight * normal()));
  const fields = Array.from({ length: 24 }, () => unit(noise()));
  const centres = Array.from({ length: topics }, (_, index) =>
    unit(sum(fields[index % fields.length]!, 0.8, unit(noise()), 1)),
  );
  // Topics have many passages or few.
  const topic = () => centres[Math.floor(topics * random() ** 1.6)]!;
  const around = (centre: Float32Array, width: number) => unit(sum(centre, 1, unit(noise()), width));
  const word = (rank: number) => {
    let text = "";
    for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / 20)) text += syllables[rest % 20]!;
    return text;
  };
  return {
    vector: () => around(topic(), 0.9),
    question: () => around(topic(), 1.2),
    text(count) {
      let text = "";
      // As in any language the n-th word is about n times as rare as the first.
      for (let index = 0; index < count; index++) text += `${word(Math.floor(words ** random()) - 1)} `;
      return text;
    },
    rareWord: () => word(Math.floor(words * (0.3 + 0.7 * random()))),
  };
}

const syllables = "ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu".split(" ");

/** Hadamard's transform of the first 256 and of the last 256, in place: each number ends up in all of them. */
function mix(vector: Float32Array): Float32Array {
  for (const start of [0, dimension - 256]) {
    for (let half = 1; half < 256; half *= 2)
      for (let at = start; at < start + 256; at++)
        if (((at - start) & half) === 0) {
          const [a, b] = [vector[at]!, vector[at + half]!];
          vector[at] = a + b;
          vector[at + half] = a - b;
        }
  }
  return vector;
}

function sum(a: Float32Array, x: number, b: Float32Array, y: number): Float32Array {
  return a.map((value, index) => x * value + y * b[index]!);
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
  return vector.map((value) => value / length);
}

/** Numbers from 0 to 1, the same for the same seed. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Passes over the vectors; the centres hardly move after them. */
const passes = 10;
/** Bytes that may be sent. */
const maxBytes = 128e6;

/**
 * Finds centres of vectors by k-means (Lloyd), the same ones for the same vectors. Centres are as far apart from each other as chance
 * makes them (k-means++ on a sample), and one that nobody is near begins anew where most are far from theirs.
 * @param bytes float32, little endian, one vector after the other
 * @returns at most `count` centres, fewer only where there are fewer vectors
 * @throws RangeError when the bytes are no vectors of this dimension
 */
export function clusterVectors(bytes: Uint8Array, dimension: number, count: number): Uint8Array<ArrayBuffer> {
  if (!(dimension > 0) || !(count > 0) || bytes.length > maxBytes || bytes.length % (dimension * 4) !== 0)
    throw new RangeError("vectors with a different dimension");
  const vectors = readFloats(bytes);
  const total = vectors.length / dimension;
  const centers = firstCenters(vectors, dimension, Math.min(count, total));
  for (let pass = 0; pass < passes; pass++) if (!improve(vectors, dimension, centers)) break;
  return writeFloats(centers);
}

/** One pass. @returns whether anything changed */
function improve(vectors: Float32Array, dimension: number, centers: Float32Array): boolean {
  const count = centers.length / dimension;
  const sums = new Float64Array(centers.length);
  const sizes = new Uint32Array(count);
  let farthest = { at: 0, distance: -1 };
  for (let at = 0; at < vectors.length; at += dimension) {
    const { center, distance } = nearest(vectors, at, dimension, centers);
    if (distance > farthest.distance) farthest = { at, distance };
    sizes[center]!++;
    for (let axis = 0; axis < dimension; axis++) sums[center * dimension + axis]! += vectors[at + axis]!;
  }
  let isChanged = false;
  for (let center = 0; center < count; center++) {
    const size = sizes[center]!;
    for (let axis = 0; axis < dimension; axis++) {
      const place = center * dimension + axis;
      const value = Math.fround(size === 0 ? vectors[farthest.at + axis]! : sums[place]! / size);
      isChanged ||= value !== centers[place];
      centers[place] = value;
    }
  }
  return isChanged;
}

function nearest(vectors: Float32Array, at: number, dimension: number, centers: Float32Array) {
  let best = { center: 0, distance: Infinity };
  for (let center = 0, place = 0; place < centers.length; center++, place += dimension) {
    const distance = squaredDistance(vectors, at, centers, place, dimension, best.distance);
    if (distance < best.distance) best = { center, distance };
  }
  return best;
}

/** Stops where it is larger than `limit`. */
function squaredDistance(
  a: Float32Array,
  atA: number,
  b: Float32Array,
  atB: number,
  dimension: number,
  limit: number,
): number {
  let sum = 0;
  let axis = 0;
  for (; axis + 16 <= dimension; axis += 16) {
    // Four sums that do not wait for each other.
    let w = 0;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let step = axis; step < axis + 16; step += 4) {
      const one = a[atA + step]! - b[atB + step]!;
      const two = a[atA + step + 1]! - b[atB + step + 1]!;
      const three = a[atA + step + 2]! - b[atB + step + 2]!;
      const four = a[atA + step + 3]! - b[atB + step + 3]!;
      w += one * one;
      x += two * two;
      y += three * three;
      z += four * four;
    }
    sum += w + x + y + z;
    if (sum >= limit) return sum;
  }
  for (; axis < dimension; axis++) {
    const difference = a[atA + axis]! - b[atB + axis]!;
    sum += difference * difference;
  }
  return sum;
}

function firstCenters(vectors: Float32Array, dimension: number, count: number): Float32Array {
  const random = createRandom();
  const total = vectors.length / dimension;
  const centers = new Float32Array(count * dimension);
  const distances = new Float64Array(total).fill(Infinity);
  let chosen = Math.floor(random() * total);
  for (let center = 0; center < count; center++) {
    centers.set(vectors.subarray(chosen * dimension, (chosen + 1) * dimension), center * dimension);
    let sum = 0;
    for (let index = 0; index < total; index++) {
      const known = distances[index]!;
      const found = squaredDistance(vectors, index * dimension, centers, center * dimension, dimension, known);
      if (found < known) distances[index] = found;
      sum += distances[index]!;
    }
    let left = random() * sum;
    chosen = 0;
    while (chosen < total - 1 && (left -= distances[chosen]!) > 0) chosen++;
  }
  return centers;
}

/** Numbers from 0 to 1 in the same order every time (mulberry32). */
function createRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

function writeFloats(floats: Float32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(floats.length * 4));
  for (const [at, value] of floats.entries()) view.setFloat32(at * 4, value, true);
  return new Uint8Array(view.buffer);
}

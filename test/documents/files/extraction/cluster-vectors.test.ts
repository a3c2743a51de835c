import { expect, test } from "vitest";
import { clusterVectors } from "../../../../workers/extractor/cluster-vectors.ts";
import { createNodeExtractor } from "../node-extractor.ts";

const dimension = 20;

/** Points around so many corners, in turn. */
function around(corners: number, count: number): Float32Array {
  const vectors = new Float32Array(count * dimension);
  for (let at = 0; at < count; at++) {
    for (let axis = 0; axis < dimension; axis++) {
      const noise = (((at * 7919 + axis * 104_729) % 1000) / 1000 - 0.5) * 0.2;
      vectors[at * dimension + axis] = (axis === at % corners ? 5 : 0) + noise;
    }
  }
  return vectors;
}

const toBytes = (vectors: Float32Array) => new Uint8Array(vectors.buffer);
const rowsOf = (bytes: Uint8Array) => {
  const floats = new Float32Array(bytes.slice().buffer);
  return Array.from({ length: floats.length / dimension }, (_, at) => [
    ...floats.subarray(at * dimension, (at + 1) * dimension),
  ]);
};

test("each group of vectors gets a centre, by the port that the service uses", async () => {
  const options = { dimension, count: 12 };
  const bytes = await createNodeExtractor().cluster(toBytes(around(12, 600)), options, new AbortController().signal);
  const corners = rowsOf(bytes).map((row) => row.findIndex((value) => value > 4.5));
  expect(corners.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at));
  for (const row of rowsOf(bytes)) expect(Math.hypot(...row)).toBeCloseTo(5, 0);
});

test("the same vectors give the same centres, wherever they lie in memory", () => {
  const bytes = toBytes(around(5, 100));
  const shifted = new Uint8Array(bytes.length + 1);
  shifted.set(bytes, 1);
  expect(clusterVectors(shifted.subarray(1), dimension, 5)).toEqual(clusterVectors(bytes, dimension, 5));
});

test("there are no more centres than vectors, also of equal ones", () => {
  expect(rowsOf(clusterVectors(toBytes(around(3, 3)), dimension, 10))).toHaveLength(3);
  const equal = toBytes(new Float32Array(dimension * 50).fill(0.5));
  for (const row of rowsOf(clusterVectors(equal, dimension, 4)))
    expect(row).toEqual(Array.from({ length: dimension }, () => 0.5));
  expect(clusterVectors(new Uint8Array(), dimension, 4)).toHaveLength(0);
});

test.each([
  ["half a vector", dimension * 6, dimension, 2],
  ["no dimension", dimension * 4, 0, 2],
  ["no centres", dimension * 4, dimension, 0],
])("%s is refused", (_, length, axes, count) => {
  expect(() => clusterVectors(new Uint8Array(length), axes, count)).toThrow(RangeError);
});

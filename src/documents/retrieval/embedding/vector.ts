import { fromBase64, toBase64 } from "../../../lib/base64.ts";

/** What is wrong with a vector, in words for people. */
export class BadVector extends Error {
  override name = "BadVector";
}

/**
 * A vector as providers write it: numbers, or base64 of float32, little endian.
 * @throws BadVector for anything else, and for numbers that are none
 */
export function readVector(value: unknown): Float32Array {
  const vector = typeof value === "string" ? fromFloats(value) : fromNumbers(value);
  if (vector.length === 0) throw new BadVector("an empty vector");
  for (const number of vector)
    if (!Number.isFinite(number)) throw new BadVector("a vector with a value that is not a number");
  return vector;
}

function fromNumbers(value: unknown): Float32Array {
  if (!Array.isArray(value)) throw new BadVector("something that is not a vector");
  const vector = new Float32Array(value.length);
  // Not `Float32Array.from`: it takes texts, null and lists for numbers.
  for (let at = 0; at < value.length; at++)
    vector[at] = typeof value[at] === "number" ? (value[at] as number) : Number.NaN;
  return vector;
}

function fromFloats(text: string): Float32Array {
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(text);
  } catch {
    throw new BadVector("something that is not a vector");
  }
  if (bytes.length % 4 !== 0) throw new BadVector("an incomplete vector");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

/** The same direction with length 1: what is stored. @throws BadVector for one that has no direction */
export function toUnit(vector: Float32Array): Float32Array {
  let sum = 0;
  // In double precision: squares of large or tiny numbers do not fit into float32.
  for (const number of vector) sum += number * number;
  const length = Math.sqrt(sum);
  if (length === 0) throw new BadVector("a vector of zeros");
  return vector.map((number) => number / length);
}

/** Base64 of float32, little endian: OpenAI's `encoding_format: "base64"`. */
export function toFloats(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  vector.forEach((number, at) => view.setFloat32(at * 4, number, true));
  return toBase64(bytes);
}

/** All parts one after the other; a single part is given as it is. None lies in shared memory: no stream gives such. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (parts.length === 1 && only) return only as Uint8Array<ArrayBuffer>;
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

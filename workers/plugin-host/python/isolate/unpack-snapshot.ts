const page = 4096;

/**
 * A snapshot is mostly zeros, and a file of the edge may have 25 MiB at most, so only pages with something in them are kept:
 * u32 length, then u32 number of pages, their numbers (u32 each), then their bytes.
 */
export function unpackSnapshot(packed: ArrayBuffer): Uint8Array {
  const head = new DataView(packed);
  const whole = new Uint8Array(head.getUint32(0, true));
  const count = head.getUint32(4, true);
  const start = 8 + 4 * count;
  for (let index = 0; index < count; index++) {
    const at = head.getUint32(8 + 4 * index, true) * page;
    const length = Math.min(page, whole.length - at);
    whole.set(new Uint8Array(packed, start + index * page, length), at);
  }
  return whole;
}

/** One range of bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/**
 * The range of a `Range` header (RFC 9110, section 14.2): one range; undefined for the whole content, also if the
 * header is not understood, which must be ignored; `unsatisfiable` if it starts after the end.
 * @param size total bytes
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | "unsatisfiable" {
  const found = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "");
  if (!found) return undefined;
  const [, from = "", to = ""] = found;
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const length = Math.min(Number(to), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < offset) return undefined;
  return offset >= size ? "unsatisfiable" : { offset, length: last - offset + 1 };
}

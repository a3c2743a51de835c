/** One range of bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/**
 * What a `Range` header asks for (RFC 9110, section 14.2): one range; undefined for everything, also where the header is none
 * that is understood, as that must be left unheeded; `unsatisfiable` where it lies behind the end.
 * @param size bytes there are
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

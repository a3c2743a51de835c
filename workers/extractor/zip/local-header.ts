import { DocumentError } from "../document.ts";

/** The header before the bytes of an entry (APPNOTE.TXT 4.3.7). */
export interface LocalHeader {
  name: string;
  /** 0: stored, 8: deflated; nothing else is met in documents. */
  method: number;
  isEncrypted: boolean;
  /** Bytes as packed; undefined where they are said after the entry only. */
  packed: number | undefined;
}

export const localHeaderLength = 30;

export const localSignature = 0x04034b50;

/** @param fixed the first 30 bytes @param variable name and extra fields */
export function readLocalHeader(fixed: Buffer, variable: Buffer): LocalHeader {
  const flags = fixed.readUInt16LE(6);
  const nameLength = fixed.readUInt16LE(26);
  const name = variable.toString("utf8", 0, nameLength).replaceAll("\\", "/").replace(/^\/+/, "");
  const packed = fixed.readUInt32LE(18);
  const unpacked = fixed.readUInt32LE(22);
  const isLarge = packed === 0xffff_ffff || unpacked === 0xffff_ffff;
  const isLater = (flags & 8) !== 0 && (packed === 0 || isLarge);
  return {
    name,
    method: fixed.readUInt16LE(8),
    isEncrypted: (flags & 1) !== 0,
    packed: isLater ? undefined : isLarge ? readLargeSize(variable.subarray(nameLength)) : packed,
  };
}

/** The packed size in the extra field of ZIP64: it comes after the unpacked one. */
function readLargeSize(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length;) {
    const id = extra.readUInt16LE(at);
    const length = extra.readUInt16LE(at + 2);
    if (id === 1 && length >= 16 && at + 20 <= extra.length) {
      const size = Number(extra.readBigUInt64LE(at + 12));
      if (Number.isSafeInteger(size)) return size;
    }
    at += 4 + length;
  }
  throw new DocumentError("file_corrupt", "It is damaged: the size of a part is missing");
}

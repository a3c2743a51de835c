import { Unzip } from "fflate";
import { AppError } from "../../../errors.ts";
import { readBytes } from "../../../http/byte-reader.ts";
import { joinBytes } from "../../../lib/join-bytes.ts";

/** A file of a bundle. */
export interface BundleEntry {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/**
 * The files of a zip file one after another, as they arrive: only one is in memory.
 * @throws AppError `plugin_invalid` for what is no such file, `payload_too_large`
 */
export async function* readBundle(
  body: ReadableStream<Uint8Array>,
  { maxBytes, maxEntryBytes }: { maxBytes: number; maxEntryBytes: number },
): AsyncGenerator<BundleEntry, undefined> {
  let ready: BundleEntry[] = [];
  const unzip = new Unzip((file) => {
    const parts: Uint8Array[] = [];
    let length = 0;
    file.ondata = (error, piece, isLast) => {
      if (error) throw error;
      length += piece.length;
      if (length > maxEntryBytes)
        throw new AppError("payload_too_large", `${file.name} has more than ${maxEntryBytes / 1_000_000} MB`);
      parts.push(piece.slice());
      if (isLast) ready.push({ name: file.name, bytes: joinBytes(parts) });
    };
    file.start();
  });
  const push = (piece: Uint8Array, isLast: boolean): BundleEntry[] => {
    try {
      unzip.push(piece, isLast);
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("plugin_invalid", "The file is not a bundle of packages, or it is damaged");
    }
    const entries = ready;
    ready = [];
    return entries;
  };
  const reader = readBytes(body);
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || !value) break;
      total += value.length;
      if (total > maxBytes)
        throw new AppError("payload_too_large", `The bundle has more than ${maxBytes / 1_000_000} MB`);
      yield* push(value, false);
    }
    yield* push(new Uint8Array(), true);
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  return undefined;
}

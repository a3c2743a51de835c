import { Zip, ZipPassThrough } from "fflate";

/** What the plain form of a zip file can hold (APPNOTE.TXT, section 4.4.1.4), with some room for its own bookkeeping. */
export const maxZipBytes = 4_200_000_000;
export const maxZipFiles = 65_000;

export interface ZipEntry {
  path: string;
  /** Epoch seconds. */
  at: number;
  body: AsyncIterable<Uint8Array>;
}

/** Zip files know no time before 1980. */
const earliest = Date.UTC(1980, 0, 2) / 1000;

/**
 * A zip file that is written as fast as it is read: only the piece that is next is in memory.
 * @param ended called once, when all was read or nobody reads on
 */
export function zipStream(entries: AsyncIterable<ZipEntry>, ended?: () => Promise<void>): ReadableStream<Uint8Array> {
  const chunks = zipChunks(entries, ended);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
        // A generator that never began runs no `finally`.
        await ended?.();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* zipChunks(
  entries: AsyncIterable<ZipEntry>,
  ended?: () => Promise<void>,
): AsyncGenerator<Uint8Array, undefined> {
  let made: Uint8Array[] = [];
  const names = new ZipNames();
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  function* flush() {
    const ready = made;
    made = [];
    for (const chunk of ready) if (chunk.length > 0) yield chunk;
  }
  try {
    for await (const { path, at, body } of entries) {
      const entry = new ZipPassThrough(names.take(path));
      entry.mtime = new Date(Math.max(at, earliest) * 1000);
      zip.add(entry);
      for await (const piece of body) {
        entry.push(piece);
        yield* flush();
      }
      entry.push(new Uint8Array(), true);
      yield* flush();
    }
    zip.end();
    yield* flush();
  } finally {
    await ended?.();
  }
  return undefined;
}

/** Names that unpack anywhere, each once: `tides.pdf`, `tides (2).pdf`. A name that it has given stays what it is in another one. */
export class ZipNames {
  readonly #taken = new Set<string>();

  take(path: string): string {
    return freeName(path, this.#taken);
  }
}

function freeName(path: string, taken: Set<string>): string {
  const clean = path
    .split("/")
    .map((name) => name.replaceAll(/[\\:*?"<>|]/g, "_").replace(/^\.+$/, "_"))
    .join("/");
  const [, stem = clean, ending = ""] = /^(.*?[^/])(\.[^./]+)?$/s.exec(clean) ?? [];
  let name = clean;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${ending}`;
  taken.add(name.toLowerCase());
  return name;
}

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { RequestRefused } from "../../src/shared/moving-in/ask-service.ts";
import { jsonLines } from "../../src/shared/moving-in/parley/json-lines.ts";
import type { ExportSource } from "./export-source.ts";

const atOnce = 3;
const maxLineBytes = 1_000_000;
/** Ids that are names of files anywhere. */
const safeName = /^[\w-]{1,100}$/;

interface ExportedFile {
  id: string;
  size: number;
  sha256: string | null;
}

/**
 * Writes the bytes of all files that the list names; those of a run before stay.
 * @param list the file with their records
 * @returns how many have no bytes any more
 */
export async function exportFiles(
  source: ExportSource,
  exportId: string,
  { list, folder, onDone }: { list: string; folder: string; onDone: () => void },
): Promise<number> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let missing = 0;
  for await (const line of jsonLines(createReadStream(list), maxLineBytes)) {
    const file = "value" in line ? (line.value as unknown as ExportedFile) : undefined;
    if (!file || !safeName.test(file.id)) {
      missing += 1;
      continue;
    }
    const work: Promise<void> = fetchFile(source, exportId, file, folder)
      .then((isThere) => {
        if (!isThere) missing += 1;
        onDone();
      })
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(work));
    running.add(work);
    if (running.size >= atOnce) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  return missing;
}

/** False where the service does not have its bytes any more. */
async function fetchFile(
  source: ExportSource,
  exportId: string,
  { id, size, sha256 }: ExportedFile,
  folder: string,
): Promise<boolean> {
  const file = path.join(folder, id);
  // Only whole ones have this name.
  if (existsSync(file) && statSync(file).size === size) return true;
  try {
    await source.file(exportId, id, async (body) => {
      const hash = createHash("sha256");
      const counted = new Transform({
        transform(piece: Uint8Array, _encoding, done) {
          hash.update(piece);
          done(undefined, piece);
        },
      });
      const part = `${file}.part`;
      await pipeline(
        Readable.fromWeb(body as NodeReadableStream<Uint8Array>),
        counted,
        createWriteStream(part, { mode: 0o600 }),
      );
      if (sha256 !== null && hash.digest("hex") !== sha256)
        throw new Error(`the bytes of ${id} are not what they were`);
      renameSync(part, file);
    });
    return true;
  } catch (error) {
    rmSync(`${file}.part`, { force: true });
    if (error instanceof RequestRefused && error.status === 404) return false;
    throw error;
  }
}

import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { type Pack, pack } from "tar-stream";
import type { Version } from "../launch/version.ts";
import { archiveFormat, databaseName, type Manifest, manifestName, type Member, secretsName } from "./manifest.ts";
import { encrypt } from "./passphrase.ts";
import { addSeal } from "./seal.ts";
import type { Snapshot } from "./take-snapshot.ts";

interface Source {
  name: string;
  file: string;
  size: number;
}

export interface ArchiveInput {
  /** With what `takeSnapshot` has put there. */
  folder: string;
  secretsFile: string;
  snapshot: Snapshot;
  version: Version;
  passphrase: string | undefined;
  /** @param part from 0 to 1 */
  onProgress(part: number): void;
}

/** The bytes of a backup: a tar archive in zstd with a checksum of all of it, in age with a passphrase. */
export function writeArchive(input: ArchiveInput): AsyncGenerator<Buffer> {
  const { passphrase } = input;
  const archive = pack();
  const filled = fill(archive, input).catch((error: unknown) => archive.destroy(error as Error));
  const compressed = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const piped = pipeline(Readable.from(archive), compressed).catch((error: unknown) =>
    compressed.destroy(error as Error),
  );
  const sealed = addSeal(
    (async function* () {
      yield* compressed as AsyncIterable<Buffer>;
      await Promise.all([filled, piped]);
    })(),
  );
  return passphrase === undefined ? sealed : encrypt(sealed, passphrase);
}

async function fill(
  archive: Pack,
  { folder, secretsFile, snapshot, version, onProgress }: ArchiveInput,
): Promise<void> {
  const sources = listSources(folder, secretsFile);
  const total = sources.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const members: Member[] = [];
  for (const source of sources) {
    const hash = createHash("sha256");
    const entry = archive.entry({ name: source.name, size: source.size, mode: 0o600, mtime: snapshot.moment });
    await pipeline(
      createReadStream(source.file, { highWaterMark: 2 ** 18 }),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          done += chunk.length;
          onProgress(done / total);
          yield chunk;
        }
      },
      entry,
    );
    members.push({ name: source.name, size: source.size, sha256: hash.digest("hex") });
  }
  const manifest: Manifest = {
    format: archiveFormat,
    ...version,
    migrations: snapshot.migrations,
    moment: snapshot.moment.toISOString(),
    missingObjects: snapshot.missingObjects,
    members,
  };
  archive.entry({ name: manifestName, mode: 0o600, mtime: snapshot.moment }, JSON.stringify(manifest, null, 2));
  archive.finalize();
}

function listSources(folder: string, secretsFile: string): Source[] {
  const objects = readdirSync(path.join(folder, "state/r2"), { recursive: true, encoding: "utf8" }).map((name) =>
    path.posix.join("state/r2", name.replaceAll("\\", "/")),
  );
  return [
    ...[databaseName, ...objects.toSorted()].map((name) => ({ name, file: path.join(folder, name) })),
    ...(existsSync(secretsFile) ? [{ name: secretsName, file: secretsFile }] : []),
  ].flatMap(({ name, file }) => {
    const stats = statSync(file);
    return stats.isFile() ? [{ name, file, size: stats.size }] : [];
  });
}

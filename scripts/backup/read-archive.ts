import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { StartError } from "../launch/start-error.ts";
import { archiveFormat, databaseName, type Manifest, manifest, manifestName, type Member } from "./manifest.ts";
import { decrypt } from "./passphrase.ts";
import { removeSeal } from "./seal.ts";

/** Gets each member but the manifest, in order, and has to read it to its end. */
export type OnMember = (name: string, content: AsyncIterable<Buffer>) => Promise<void>;

/** Larger ones are not written. */
const maxManifestBytes = 2 ** 28;

const ignore: OnMember = async (_name, content) => {
  for await (const _chunk of content);
};

/**
 * Reads a whole backup and compares every byte with what was written.
 * @throws StartError when it is damaged or no backup, has another passphrase, or is of a newer version
 */
export async function readArchive(
  file: string,
  passphrase: string | undefined,
  onMember: OnMember = ignore,
): Promise<Manifest> {
  const source = createReadStream(file, { highWaterMark: 2 ** 18 });
  try {
    const found = await readMembers(removeSeal(decrypt(source, passphrase)), onMember);
    requireKnown(found, file);
    return found;
  } catch (error) {
    if (error instanceof StartError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES" || code === "EISDIR")
      throw new StartError(`${file} cannot be read (${message}).`, "noInput");
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    throw new StartError(
      `${file} is damaged, incomplete, or no backup of Parley (${message}). Use another backup.`,
      "data",
    );
  } finally {
    source.destroy();
  }
}

async function readMembers(source: AsyncIterable<Buffer>, onMember: OnMember): Promise<Manifest> {
  const entries = extract();
  const piped = pipeline(Readable.from(source), createZstdDecompress(), entries);
  // Told below, when the members end early.
  piped.catch(() => undefined);
  const members: Member[] = [];
  let found: Manifest | undefined;
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type !== "file" || found !== undefined) throw new Error(`unexpected member ${name}`);
      const content = entry as AsyncIterable<Buffer>;
      if (name === manifestName) {
        found = manifest.parse(JSON.parse(await readText(content)));
        continue;
      }
      const hash = createHash("sha256");
      let size = 0;
      await onMember(
        name,
        (async function* () {
          for await (const chunk of content) {
            hash.update(chunk);
            size += chunk.length;
            yield chunk;
          }
        })(),
      );
      members.push({ name, size, sha256: hash.digest("hex") });
    }
  } finally {
    await piped;
  }
  if (found === undefined) throw new Error("its list of members is missing");
  if (JSON.stringify(found.members) !== JSON.stringify(members)) throw new Error("a member is not what was written");
  return found;
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxManifestBytes) throw new Error("its list of members is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function requireKnown(found: Manifest, file: string): void {
  if (found.format > archiveFormat)
    throw new StartError(
      `${file} was made by a newer version of Parley (${found.version}). Use that version.`,
      "configuration",
    );
  if (!found.members.some(({ name }) => name === databaseName)) throw new Error("it has no database");
}

import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { jsonLines } from "../../src/shared/moving-in/parley/json-lines.ts";
import { type ExportManifest, manifestName, readManifest } from "../../src/shared/moving-in/parley/manifest.ts";
import { brokenLine, parleyReaders } from "../../src/shared/moving-in/parley/readers.ts";
import type { Row } from "../../src/shared/moving-in/row-source.ts";
import { hashFile } from "../export/hash-file.ts";
import { StartError } from "../launch/start-error.ts";
import { chooseReaders, type ImportCall, type ImportPlace } from "./import-place.ts";
import type { OpenSource } from "./open-source.ts";
import { openUploads } from "./uploads.ts";

/** Largest line, in bytes: what one request may send. */
const maxLineBytes = 15_000_000;
const maxManifestBytes = 1_000_000;

/** An export of another Parley. @throws StartError */
export function parleyPlace(call: ImportCall): ImportPlace {
  const folder = call.source;
  const manifest = manifestOf(folder);
  const readers = chooseReaders(parleyReaders(manifest), "config", call);
  const files = path.join(folder, "files");
  const uploads = openUploads(existsSync(files) ? files : undefined, {});
  return {
    product: "parley",
    name: path.resolve(folder),
    readers,
    open: async () => ({
      reading: { source: openExport(folder, manifest), uploads },
      fingerprint: manifest.source,
      close: async () => undefined,
    }),
  };
}

/** @throws StartError */
function manifestOf(folder: string): ExportManifest {
  const file = path.join(folder, manifestName);
  if (!existsSync(file) || !statSync(file).isFile())
    throw new StartError(`There is no ${manifestName} in ${folder}: it is not an export of Parley.`, "noInput");
  const isTooLarge = statSync(file).size > maxManifestBytes;
  const read = isTooLarge ? { reason: "its manifest.json is too large" } : readManifest(readFileSync(file, "utf8"));
  if ("reason" in read) throw new StartError(`${folder} cannot be read: ${read.reason}.`, "data");
  if (!read.manifest.complete)
    throw new StartError(`The export in ${folder} is not complete: run the same line of "export" again.`, "data");
  return read.manifest;
}

/** The files of records as tables. */
function openExport(folder: string, { kinds }: ExportManifest): OpenSource {
  const entryOf = (kind: string) => kinds.find((each) => each.kind === kind);
  return {
    columns: async (kind) => new Set(entryOf(kind) ? ["id"] : []),
    async *rows(kind) {
      const entry = entryOf(kind);
      if (!entry) return;
      const file = path.join(folder, entry.file);
      const broken = (at: string, reason: string): Row => ({ [brokenLine]: reason, at });
      if (!existsSync(file) || !statSync(file).isFile()) return yield broken(entry.file, "There is no such file");
      if (statSync(file).size !== entry.bytes || (await hashFile(file)) !== entry.sha256)
        yield broken(entry.file, "It isn't as it was exported: what can be read of it is imported");
      let number = 0;
      for await (const line of jsonLines(createReadStream(file), maxLineBytes)) {
        number += 1;
        yield "value" in line ? line.value : broken(`${entry.file}, record ${number}`, line.reason);
      }
    },
    rowsOf: async () => [],
    count: async (kind) => entryOf(kind)?.records ?? 0,
    close: async () => undefined,
  };
}

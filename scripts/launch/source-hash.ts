import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Hash of the names and contents of files, to check whether a build is up to date.
 * @param sources files and folders relative to `root`; missing ones count as empty
 * @param takes which files inside folders count; gets paths relative to `root`
 * @param extra anything else the result depends on
 */
export function hashSources(
  root: string,
  sources: readonly string[],
  takes: (file: string) => boolean,
  extra: string,
): string {
  const hash = createHash("sha256").update(extra);
  for (const file of sources
    .flatMap((source) => listFiles(root, source))
    .filter(takes)
    .toSorted()) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** What wrangler writes beside its configuration while it builds: no source, and gone a moment later. */
const wranglersOwn = ".wrangler";

function listFiles(root: string, source: string): string[] {
  const stats = statSync(path.join(root, source), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (stats.isFile()) return [source];
  return readdirSync(path.join(root, source), { withFileTypes: true }).flatMap((entry) => {
    const file = `${source}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === wranglersOwn ? [] : listFiles(root, file);
    return entry.isFile() ? [file] : [];
  });
}

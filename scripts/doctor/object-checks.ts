import { neededObjects, passingObjects } from "../../src/health/repair/object-keys.ts";
import { openReadOnly } from "../admin/open-read-only.ts";
import { storedObjects } from "../backup/stored-objects.ts";
import type { Finding } from "./finding.ts";

/** An object is stored before the row that names it: a younger one may still get its row. */
const minAgeMs = 3_600_000;
/** So many are deleted in one run. */
const maxRepaired = 10_000;

/** Object storage compared with the database, both only read, also beside a running service. */
export function checkObjects(dataDir: string): Finding[] {
  const read = (query: string) => new Set([...openReadOnly(dataDir, query)].map(({ key }) => String(key)));
  // Before and after: what came or went in between is not wrong.
  const neededBefore = read(neededObjects);
  const stored = new Map([...storedObjects(dataDir)].map(({ key, ...rest }) => [key, rest]));
  const needed = read(neededObjects);
  const passing = read(passingObjects);
  const missing = [...needed].filter((key) => neededBefore.has(key) && !stored.has(key));
  const oldest = Date.now() - minAgeMs;
  const orphans = [...stored].filter(
    ([key, { uploaded }]) => uploaded < oldest && !needed.has(key) && !passing.has(key),
  );
  const findings: Finding[] = [];
  if (missing.length > 0)
    findings.push({
      check: "objects",
      found: `The bytes of ${missing.length} files, texts or other objects are gone, for example of ${missing[0]}`,
      advice: "restore a backup, or delete those files",
    });
  if (orphans.length > 0) {
    const bytes = orphans.reduce((sum, [, { size }]) => sum + size, 0);
    findings.push({
      check: "objects",
      found: `${orphans.length} stored objects belong to nothing, and take up ${(bytes / 1e6).toFixed(1)} MB`,
      advice: "--fix has the service delete them within a minute or two",
      repair: "objects",
      objects: orphans.slice(0, maxRepaired).map(([key]) => key),
    });
  }
  return findings;
}

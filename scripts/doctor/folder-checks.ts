import { chmodSync, existsSync, statfsSync, statSync } from "node:fs";
import path from "node:path";
import type { Finding } from "./finding.ts";

/** Below so much of a disk, or so many bytes, little is left. */
const minFree = { share: 0.1, bytes: 1e9 };

/** What may be wrong with the files of a data folder. */
export function checkFolder(dataDir: string): Finding[] {
  return [...permissionFindings(dataDir), ...diskFindings(dataDir)];
}

function permissionFindings(dataDir: string): Finding[] {
  const wanted = [
    ["db", 0o700],
    ["state", 0o700],
    ["secrets.json", 0o600],
  ] as const;
  return wanted.flatMap(([name, mode]) => {
    const file = path.join(dataDir, name);
    if (!existsSync(file)) return [];
    const is = statSync(file).mode & 0o777;
    if ((is & 0o077) === 0) return [];
    return {
      check: "permissions",
      found: `Other users of this machine can reach ${file} (mode ${is.toString(8)})`,
      advice: `--fix sets its mode to ${mode.toString(8)}`,
      fix: () => chmodSync(file, mode),
    };
  });
}

function diskFindings(dataDir: string): Finding[] {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  if (bavail / blocks >= minFree.share && bavail * bsize >= minFree.bytes) return [];
  const left = `${((bavail * bsize) / 1e9).toFixed(1)} GB, ${Math.round((bavail / blocks) * 100)} %`;
  return [
    {
      check: "disk",
      found: `Little room is left on the disk of ${dataDir} (${left}): uploads and chats fail when it is full`,
      advice: "make room, or set MAX_SERVICE_STORAGE",
    },
  ];
}

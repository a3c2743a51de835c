import { readFileSync, writeFileSync } from "node:fs";
import { missingOptionalPackages, type LockedPackages } from "./lock/missing-optional-packages.ts";

/**
 * npm run lock:fix, after every change of package-lock.json: `npm ci` refuses a lock file that does not name every
 * optional package of every platform, and npm does not write those that the registry in use does not offer. This adds
 * them by name and version. They are fetched only on the platform they are for.
 */
const file = "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: LockedPackages };
const missing = missingOptionalPackages(lock.packages);
lock.packages = Object.fromEntries(
  Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
for (const [place, entry] of Object.entries(missing)) console.log(`added ${place} ${entry.version}`);
console.log(`${Object.keys(missing).length} added`);

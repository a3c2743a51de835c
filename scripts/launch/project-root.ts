import { existsSync } from "node:fs";
import path from "node:path";

/** The checkout this launcher belongs to. */
export const projectRoot = path.resolve(import.meta.dirname, "../..");

/** What a release has in place of sources to build from: a folder for each build. */
export const releasedBuilds = path.join(projectRoot, "built");

/** Whether this is a release (scripts/package.ts), and no checkout. */
export const isRelease = existsSync(releasedBuilds);

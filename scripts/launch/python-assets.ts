import { ensure, linkBuild } from "./build.ts";
import { projectRoot } from "./project-root.ts";
import { hashSources } from "./source-hash.ts";

/**
 * Makes what isolates of Python plugins have in common (build-python-assets.ts) unless it was made from these very files already;
 * that takes a few seconds.
 * @returns the folder, which never changes again
 */
export async function ensurePythonAssets(): Promise<string> {
  const sources = [
    "package-lock.json",
    "scripts/launch/build-child.ts",
    "scripts/launch/build-python-assets.ts",
    "workers/plugin-host/python/harness",
    "workers/plugin-host/python/isolate",
    "workers/plugin-host/python/stand-ins",
  ];
  const key = hashSources(projectRoot, sources, () => true, `${projectRoot}\0${process.version}`);
  return ensure("python", key, (out) => ["python", out]);
}

/** Points dist/python, which the plugin host's wrangler.toml names, at what was made. */
export function linkPythonAssets(folder: string): void {
  linkBuild("python", folder);
}

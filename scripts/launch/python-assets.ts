import { ensure, linkBuild } from "./build.ts";
import { projectRoot } from "./project-root.ts";
import { hashSources } from "./source-hash.ts";

/**
 * Creates the shared data of Python isolates (build-python-assets.ts), unless it exists for these files; that takes a
 * few seconds.
 * @returns the folder, which never changes again
 */
export async function ensurePythonAssets(): Promise<string> {
  const sources = [
    "package-lock.json",
    "scripts/launch/build-child.ts",
    "scripts/launch/build-python-assets.ts",
    "scripts/launch/make-python-snapshot.ts",
    "scripts/launch/read-built-in-wheels.ts",
    "workers/plugin-host/python/harness",
    "workers/plugin-host/python/isolate",
    "workers/plugin-host/python/stand-ins",
    "workers/plugin-host/python/wheels",
  ];
  const key = () => hashSources(projectRoot, sources, () => true, process.version);
  return ensure("python", key, (out) => ["python", out]);
}

/** Points dist/python, used by the plugin host's wrangler.toml, to the created folder. */
export function linkPythonAssets(folder: string): void {
  linkBuild("python", folder);
}

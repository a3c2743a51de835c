import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";

/** What the packages of workers/plugin-host/python/wheels hold. */
export interface BuiltInPackages {
  /** Path of each module in its wheel, such as `httpx/__init__.py` -> its source. */
  sources: Record<string, string>;
  /** Name of each module that is a compiled library -> its bytes. */
  libraries: Record<string, Uint8Array>;
  /** Path of each other file that the packages read while they run -> its bytes. */
  data: Record<string, Uint8Array>;
  /** Normalized name of each package -> its version. */
  versions: Record<string, string>;
}

const leftOut = /(?:^|\/)tests?\/|\.dist-info\/|\/$/;
/** Files that no module is, and that are read all the same. */
const keptData = new Set(["certifi/cacert.pem"]);

export function readBuiltInWheels(folder: string): BuiltInPackages {
  const found: BuiltInPackages = { sources: {}, libraries: {}, data: {}, versions: {} };
  for (const filename of readdirSync(folder).filter((name) => name.endsWith(".whl"))) {
    const [name = "", version = ""] = filename.split("-");
    found.versions[name.toLowerCase().replaceAll("_", "-")] = version;
    const files = unzipSync(readFileSync(path.join(folder, filename)), { filter: (file) => !leftOut.test(file.name) });
    for (const [file, bytes] of Object.entries(files)) {
      const library = /^(.+?)\.[\w-]+\.so$/.exec(file)?.[1];
      if (library !== undefined) found.libraries[library.replaceAll("/", ".")] = bytes;
      else if (file.endsWith(".py")) found.sources[file] = new TextDecoder().decode(bytes);
      else if (keptData.has(file)) found.data[file] = bytes;
    }
  }
  return found;
}

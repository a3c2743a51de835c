import { unzipSync } from "fflate";

/** What is in a wheel, as far as an isolate needs it. */
export interface Wheel {
  files: Map<string, Uint8Array>;
  /** Names of the packages without extras and conditions that it says it needs. */
  requires: string[];
  /** Names that it is imported by. */
  modules: string[];
}

/** Of a wheel's own description, this is what Python reads. */
const keptInfo = /\.dist-info\/(?:METADATA|entry_points\.txt)$/;
const leftOut =
  /(?:^|\/)(?:tests?|__pycache__)\/|\.(?:pyc|pyi|pyx|c|h|rs)$|\.dist-info\/|\.data\/(?:scripts|headers|data)\//;

/** @throws Error for a file that is no wheel */
export function readWheel(bytes: Uint8Array): Wheel {
  const files = new Map<string, Uint8Array>();
  const entries = unzipSync(bytes, {
    filter: ({ name }) => !name.endsWith("/") && (keptInfo.test(name) || !leftOut.test(name)),
  });
  let metadata = "";
  for (const [name, content] of Object.entries(entries)) {
    // `.data/purelib` and `.data/platlib` are put where the rest is.
    const path = name.replace(/^[^/]+\.data\/(?:pure|plat)lib\//, "");
    if (path.split("/").includes("..") || path.startsWith("/")) throw new Error(`The wheel has a file named ${name}`);
    if (path.endsWith(".dist-info/METADATA")) metadata = new TextDecoder().decode(content);
    files.set(path, content);
  }
  return { files, requires: readRequires(metadata), modules: readModules(files.keys()) };
}

function readRequires(metadata: string): string[] {
  const [head = ""] = metadata.split(/\r?\n\r?\n/);
  const lines = [...head.matchAll(/^Requires-Dist:\s*([\w.-]+)([^\n]*)$/gim)];
  return lines.filter(([, , rest]) => !rest?.includes(";")).map(([, name]) => name ?? "");
}

function readModules(paths: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const path of paths) {
    const [first = ""] = path.split("/");
    if (first.endsWith(".dist-info")) continue;
    const module = path.includes("/") ? first : (/^(\w+)(?:\.py|\.[\w.-]*so)$/.exec(first)?.[1] ?? "");
    if (/^\w+$/.test(module)) names.add(module);
  }
  return [...names];
}

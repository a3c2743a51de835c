import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a set of programs consists of. */
export interface SourceFiles {
  /** Relative to the root, sorted. */
  files: string[];
  /** Names of the packages that they import. */
  packages: Set<string>;
}

/** Node removes these: nothing of them is needed at run time. */
const typeImports = /^(?:import|export) type [^;]*? from "[^"]+";$/gm;
const texts = /"([^"\n]+)"/g;
const packageImports =
  /(?:\bfrom |\bimport |\bimport\(|\brequire\(|createRequire\(import\.meta\.url\)\(|import\.meta\.resolve\()"([^".][^"]*)"/g;

/**
 * Follows the files that programs import or start. A file is started by its name in a text, relative to the file that
 * says it or to the root; so every text that names a script counts.
 * @param entries relative to the root
 * @param without files that the programs name, but do not need here
 */
export function findSourceFiles(root: string, entries: readonly string[], without: ReadonlySet<string>): SourceFiles {
  const found = new Set<string>();
  const packages = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || without.has(file)) continue;
    found.add(file);
    if (!/\.(?:ts|mjs|svelte)$/.test(file)) continue;
    const code = readFileSync(path.join(root, file), "utf8").replaceAll(typeImports, "");
    for (const [, name = ""] of code.matchAll(packageImports)) {
      // Modules of the runtime have a colon, and files of the web page a slash in front.
      if (!name.includes(":") && !name.startsWith("/")) packages.add(packageName(name));
    }
    for (const [, text = ""] of code.matchAll(texts)) {
      if (!/\.(?:ts|mjs|sh|svelte)$/.test(text)) continue;
      for (const base of [path.posix.dirname(file), "."]) {
        const named = path.posix.join(base, text);
        if (!named.startsWith("..") && existsSync(path.join(root, named))) waiting.push(named);
      }
    }
  }
  return { files: [...found].toSorted(), packages };
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

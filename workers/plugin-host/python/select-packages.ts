import { builtInPackages, pinnedPackages } from "../../../src/plugins/packages/built-in.ts";
import { normalizeName } from "../../../src/plugins/packages/wheel-index.ts";
import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import { readWheel, type Wheel } from "./read-wheel.ts";

/** Whether an uploaded package has nothing to add to what every plugin has. */
function isBuiltIn({ name, version }: Pick<PluginPackage, "name" | "version">): boolean {
  return pinnedPackages.has(normalizeName(name)) || builtInPackages[normalizeName(name)] === version;
}

/**
 * The uploaded packages that a source needs: those that it imports or requires, and what these require. Which they are is
 * known from the index of each wheel, so only they are asked for their bytes. Names are matched generously, because an extra
 * package does no harm.
 */
export async function selectPackages(source: string, packages: readonly PluginPackage[]): Promise<Wheel[]> {
  return Promise.all(findNeeded(source, packages).map((each) => openWheel(each, source)));
}

/** The same without opening them. */
export function findNeeded<P extends Pick<PluginPackage, "name" | "version" | "contents">>(
  source: string,
  packages: readonly P[],
): P[] {
  const offered = packages.filter((each) => !isBuiltIn(each));
  const byName = new Map(offered.map((each) => [normalizeName(each.name), each]));
  const selected = new Set<P>();
  /** Packages and optional parts whose requirements were looked at. */
  const seen = new Set<string>();
  const take = (name: string, extras: readonly string[]): void => {
    const found = byName.get(name);
    if (!found) return;
    selected.add(found);
    for (const part of ["", ...extras]) {
      if (seen.has(`${name}[${part}]`)) continue;
      seen.add(`${name}[${part}]`);
      for (const each of found.contents.requires) if ((each.for ?? "") === part) take(each.name, each.extras ?? []);
    }
  };
  for (const { name, extras } of readRequirements(source)) take(name, extras);
  const imports = readImports(source);
  const isImported = (module: string) => imports.some((name) => name === module || name.startsWith(`${module}.`));
  // What stands for Open WebUI's database is built upon it.
  if (imports.some((name) => name.startsWith("open_webui.internal.db"))) take("sqlalchemy", []);
  for (const each of offered) if (each.contents.modules.some(isImported)) take(normalizeName(each.name), []);
  return [...selected];
}

async function openWheel(found: PluginPackage, source: string): Promise<Wheel> {
  const bytes = await found.bytes();
  try {
    return await readWheel(bytes, source);
  } catch (error) {
    throw new Error(`${found.filename} is not a valid wheel: ${(error as Error).message}`, { cause: error });
  }
}

function readRequirements(source: string): { name: string; extras: string[] }[] {
  const line = /^\s*requirements\s*:\s*(.+)$/m.exec(source)?.[1] ?? "";
  return [...line.matchAll(/(?:^|,)\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?/g)].map(
    ([, name = "", extras = ""]) => ({
      name: normalizeName(name),
      extras: extras.split(",").flatMap((extra) => (extra.trim() ? [normalizeName(extra.trim())] : [])),
    }),
  );
}

/** Names behind `import` and `from`, wherever they stand: of `from google import genai`, both `google` and `google.genai`. */
function readImports(source: string): string[] {
  const names = new Set<string>();
  const dotted = /^\s*([\p{L}_][\p{L}\p{N}_.]*)/u;
  for (const [, from, taken, list] of source.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))/gm,
  )) {
    if (from !== undefined) {
      names.add(from);
      for (const part of (taken ?? "").replaceAll(/[()]|#[^\n]*/g, "").split(",")) {
        const name = /^\s*(\w+)/.exec(part)?.[1];
        if (name !== undefined) names.add(`${from}.${name}`);
      }
    }
    for (const part of (list ?? "").split(",")) {
      const name = dotted.exec(part)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names];
}

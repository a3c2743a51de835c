import type { PluginPackage } from "../../../src/plugins/plugin-host.ts";
import { readWheel, type Wheel } from "./read-wheel.ts";

/** Packages whose real selves open sockets: what is built in stands in for them always (harness/finder.py). */
const pinned = new Set(["requests", "httpx", "aiohttp", "urllib3", "open-webui"]);

/**
 * The uploaded packages that a source needs: those that it imports or requires, and what these need in turn. Names are looked for
 * generously: a package too many does no harm.
 */
export async function selectPackages(source: string, packages: readonly PluginPackage[]): Promise<Wheel[]> {
  const byName = new Map(packages.map((each) => [normalizeName(each.name), each]));
  for (const name of pinned) byName.delete(name);
  if (byName.size === 0) return [];
  const selected = new Map<string, Wheel>();
  const wanted = [...readRequirements(source), ...readImports(source)].map(normalizeName);
  await take(wanted, byName, selected);
  // Packages that are imported by another name than they are called: only a look inside tells.
  const known = new Set([...selected.values()].flatMap((wheel) => wheel.modules));
  const imports = readImports(source).filter((name) => !known.has(name) && !byName.has(normalizeName(name)));
  if (imports.length > 0) {
    for (const [name, each] of byName) {
      if (selected.has(name)) continue;
      const wheel = await openWheel(each);
      if (wheel.modules.some((module) => imports.includes(module))) {
        selected.set(name, wheel);
        await take(wheel.requires.map(normalizeName), byName, selected);
      }
    }
  }
  return [...selected.values()];
}

async function take(
  names: readonly string[],
  byName: ReadonlyMap<string, PluginPackage>,
  selected: Map<string, Wheel>,
): Promise<void> {
  for (const name of names) {
    const found = byName.get(name);
    if (!found || selected.has(name)) continue;
    const wheel = await openWheel(found);
    selected.set(name, wheel);
    await take(wheel.requires.map(normalizeName), byName, selected);
  }
}

async function openWheel(found: PluginPackage): Promise<Wheel> {
  const bytes = await found.bytes();
  try {
    return await readWheel(bytes);
  } catch (error) {
    throw new Error(`${found.filename} is not a valid wheel: ${(error as Error).message}`, { cause: error });
  }
}

function readRequirements(source: string): string[] {
  const line = /^\s*requirements\s*:\s*(.+)$/m.exec(source)?.[1] ?? "";
  return line.split(",").map((part) => /^\s*([\w.-]*)/.exec(part)?.[1] ?? "");
}

/** Names of packages behind `import` and `from`, wherever they stand. */
function readImports(source: string): string[] {
  const names = new Set<string>();
  for (const [, from, list] of source.matchAll(/^[ \t]*(?:from[ \t]+(\w+)|import[ \t]+([^\n#;]+))/gm)) {
    if (from !== undefined) names.add(from);
    for (const part of (list ?? "").split(",")) {
      const name = /^\s*(\w+)/.exec(part)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  return [...names];
}

/** PEP 503. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

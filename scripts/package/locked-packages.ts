/** An entry of package-lock.json (lockfileVersion 3), as far as it is used here. */
export interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/**
 * Packages with everything that they depend on, as npm has put them in place.
 * @param names where to begin
 * @param without names that are not needed, whoever depends on them
 * @returns keys of package-lock.json, such as `node_modules/zod`, sorted
 */
export function withDependencies(
  locked: LockedPackages,
  names: Iterable<string>,
  without: ReadonlySet<string> = new Set(),
): string[] {
  const found = new Set<string>();
  const waiting: string[] = [];
  const want = (from: string, name: string) => {
    const place = without.has(name) ? undefined : placeOf(locked, from, name);
    if (place !== undefined && !found.has(place)) waiting.push(place);
  };
  for (const name of names) want("", name);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = locked[place]!;
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) want(place, name);
  }
  return [...found].toSorted();
}

/** Where a package finds another one: in its own node_modules, or in that of a folder above it. */
function placeOf(locked: LockedPackages, from: string, name: string): string | undefined {
  const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (locked[place]) return place;
  if (from === "") return undefined;
  const end = from.lastIndexOf("/node_modules/");
  return placeOf(locked, end < 0 ? "" : from.slice(0, end), name);
}

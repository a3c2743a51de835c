/**
 * Parents in a tree from which messages are removed: the nearest ancestor that is kept, or null.
 * @param parents the parent of each, null or unknown ids at the top
 */
export function reparent(
  parents: ReadonlyMap<string, string | null>,
  isKept: (id: string) => boolean,
): (id: string) => string | null {
  // Found ones are noted, so that long chains of what is left out are gone through once.
  const found = new Map<string, string | null>();
  return (id) => {
    const trail: string[] = [];
    let at = parents.get(id) ?? null;
    const seen = new Set([id]);
    while (at !== null && !isKept(at) && !seen.has(at)) {
      const known = found.get(at);
      if (known !== undefined) {
        at = known;
        break;
      }
      seen.add(at);
      trail.push(at);
      at = parents.get(at) ?? null;
    }
    const parent = at !== null && isKept(at) ? at : null;
    for (const each of trail) found.set(each, parent);
    return parent;
  };
}

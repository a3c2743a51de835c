export interface Placed<T> {
  item: T;
  /** Null at the top. */
  parentId: string | null;
  /** Why it is at the top, if that is not where it was. */
  moved?: "missing" | "loop" | "deep";
}

/**
 * All items, parents before children, otherwise in their order. What has no such parent, closes a loop or is too deep is at the top.
 * @param maxDepth 1 is the top
 */
export function parentsFirst<T extends { id: string; parentId: string | null }>(
  items: readonly T[],
  maxDepth = Infinity,
): Placed<T>[] {
  const known = new Map(items.map((item) => [item.id, item]));
  const placed = new Map<string, Placed<T>>();
  const depths = new Map<string, number>();
  for (const [start] of known) {
    const trail: T[] = [];
    const seen = new Set<string>();
    let at: T | undefined = known.get(start);
    let moved: Placed<T>["moved"];
    while (at && !placed.has(at.id)) {
      trail.push(at);
      seen.add(at.id);
      if (at.parentId === null) break;
      const parent: T | undefined = known.get(at.parentId);
      if (!parent) moved = "missing";
      else if (seen.has(parent.id)) moved = "loop";
      at = moved ? undefined : parent;
    }
    let isFirst = true;
    for (const item of trail.reverse()) {
      const wanted = isFirst && moved ? null : item.parentId;
      const depth = wanted === null ? 1 : depths.get(wanted)! + 1;
      const why = isFirst && moved ? moved : depth > maxDepth ? ("deep" as const) : undefined;
      depths.set(item.id, why ? 1 : depth);
      placed.set(item.id, { item, parentId: why ? null : wanted, ...(why ? { moved: why } : {}) });
      isFirst = false;
    }
  }
  return [...placed.values()];
}

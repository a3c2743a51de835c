import type { MemorySearch, PathContent, PathGroups, PathQuery, PathReading } from "./schema.ts";
import type { memories } from "./tables.ts";

type Memory = typeof memories.$inferSelect;

const maxChildrenOfGroup = 20;
const maxChildren = 50;

/** Memories that have all that is asked for: with a path the nearest to it first, else the last changed. */
export function searchRows(
  rows: readonly Memory[],
  { query, type, path, memory_id: id, limit }: MemorySearch,
): Memory[] {
  const wanted = query?.trim().toLowerCase() ?? "";
  const found = rows.flatMap((memory) => {
    if ((id && memory.id !== id) || !isOfType(memory, type) || !hasText(memory, wanted)) return [];
    const distance = path ? distanceTo(memory, path) : 0;
    return distance === undefined ? [] : [{ memory, distance }];
  });
  return found
    .toSorted((a, b) => a.distance - b.distance || byChange(a.memory, b.memory))
    .slice(0, limit)
    .map(({ memory }) => memory);
}

/** The paths that memories have, with how many there are at each. */
export function groupPaths(rows: readonly Memory[], { query, type, limit }: PathQuery): PathGroups {
  const wanted = query?.trim().toLowerCase() ?? "";
  const groups = new Map<string, PathGroups["paths"][number]>();
  for (const memory of rows) {
    if (!isOfType(memory, type) || !hasText(memory, wanted)) continue;
    const key = JSON.stringify([memory.path, memory.type]);
    const group = groups.get(key) ?? { path: memory.path, type: memory.type, count: 0, updated_at: 0, children: [] };
    group.count += 1;
    group.updated_at = Math.max(group.updated_at, memory.updatedAt);
    groups.set(key, group);
  }
  const paths = [...groups.values()].toSorted((a, b) => b.updated_at - a.updated_at);
  const children = childrenByPath(paths.flatMap(({ path }) => path ?? []));
  for (const group of paths) group.children = [...(children.get(group.path) ?? [])].slice(0, maxChildrenOfGroup);
  return { paths: paths.slice(0, limit), count: paths.length };
}

/** What is at a path, then what is below it, then what is at the paths above it. */
export function readPath(
  rows: readonly Memory[],
  { path, type, include_children: withChildren, limit }: PathReading,
): Omit<PathContent, "memories"> & { memories: Memory[] } {
  const some = rows.filter((memory) => isOfType(memory, type));
  const there = new Set(some.flatMap((memory) => memory.path ?? []));
  const parents = waysUp(path).filter((parent) => there.has(parent));
  const rank = (memory: Memory): number | undefined => {
    if (memory.path === path) return 0;
    if (memory.path?.startsWith(`${path}/`)) return withChildren ? depthOf(memory.path) : undefined;
    return memory.path !== null && parents.includes(memory.path) ? 1e6 - depthOf(memory.path) : undefined;
  };
  const ranked = some.flatMap((memory) => {
    const at = rank(memory);
    return at === undefined ? [] : [{ memory, at }];
  });
  return {
    path,
    parents,
    children: [...(childrenByPath([...there, path]).get(path) ?? [])].toSorted().slice(0, maxChildren),
    memories: ranked
      .toSorted((a, b) => a.at - b.at || byChange(a.memory, b.memory))
      .slice(0, limit)
      .map(({ memory }) => memory),
  };
}

function isOfType(memory: Memory, type: Memory["type"] | "all"): boolean {
  return type === "all" || memory.type === type;
}

function hasText({ content, path }: Memory, wanted: string): boolean {
  return content.toLowerCase().includes(wanted) || path?.toLowerCase().includes(wanted) === true;
}

function byChange(a: Memory, b: Memory): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1);
}

/** How far a memory is from a path: there, below, above, beside it, with parts in common, or only naming it. Undefined: unrelated. */
function distanceTo({ path, content }: Memory, wanted: string): number | undefined {
  if (path !== null) {
    if (path === wanted) return 0;
    if (path.startsWith(`${wanted}/`)) return 1000 + depthOf(path);
    if (wanted.startsWith(`${path}/`)) return 2000 - depthOf(path);
    const [parts, asked] = [path.split("/"), wanted.split("/")];
    if (parts.length > 1 && parts.slice(0, -1).join("/") === asked.slice(0, -1).join("/")) return 3000;
    const shared = new Set(parts.filter((part) => asked.includes(part))).size;
    if (shared > 0) return 4000 - shared;
  }
  const text = `${path ?? ""}\n${content}`.toLowerCase();
  return text.includes(wanted.slice(wanted.lastIndexOf("/") + 1).toLowerCase()) ? 5000 : undefined;
}

function depthOf(path: string): number {
  return path.split("/").length;
}

/** `a/b/c` is in `a` and in `a/b`. */
function waysUp(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** For each path of the list: the next steps below it that lead to another one. */
function childrenByPath(paths: readonly string[]): Map<string | null, Set<string>> {
  const known = new Set(paths);
  const children = new Map<string | null, Set<string>>();
  for (const path of known) {
    const steps = [...waysUp(path), path];
    for (const [at, parent] of steps.slice(0, -1).entries()) {
      if (!known.has(parent)) continue;
      const below = children.get(parent) ?? new Set();
      children.set(parent, below.add(steps[at + 1]!));
    }
  }
  return children;
}

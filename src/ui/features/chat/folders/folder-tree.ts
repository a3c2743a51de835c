import type { Folder } from "./folders-api.ts";

export interface Branch {
  folder: Folder;
  inside: Branch[];
}

/** Folders as a tree, by name. What is in a folder that the person does not see stands at the top. */
export function treeOf(folders: readonly Folder[]): Branch[] {
  const ids = new Set(folders.map(({ id }) => id));
  const byParent = Map.groupBy(folders, ({ parent_id: parent }) =>
    parent !== null && ids.has(parent) ? parent : null,
  );
  const below = (parent: string | null): Branch[] =>
    (byParent.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map((folder) => ({ folder, inside: below(folder.id) }));
  return below(null);
}

/** All folders of a tree in the order in which they are shown, with their depth from 0. */
export function flatten(tree: readonly Branch[], depth = 0): { folder: Folder; depth: number }[] {
  return tree.flatMap(({ folder, inside }) => [{ folder, depth }, ...flatten(inside, depth + 1)]);
}

/** The ids of a folder and of all in it. */
export function idsInside(folders: readonly Folder[], id: string): Set<string> {
  const found = new Set([id]);
  // A set that grows is walked to its end.
  for (const each of found) for (const folder of folders) if (folder.parent_id === each) found.add(folder.id);
  return found;
}

/** A folder with those around it, the outermost first. */
export function pathTo(folders: readonly Folder[], id: string | null): Folder[] {
  const path: Folder[] = [];
  for (let at = id; at !== null && path.length < 100;) {
    const folder = folders.find((each) => each.id === at);
    if (!folder) break;
    path.unshift(folder);
    at = folder.parent_id;
  }
  return path;
}

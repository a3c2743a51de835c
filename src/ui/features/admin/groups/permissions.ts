import type { PermissionTree } from "./groups.ts";
import { texts } from "./texts.ts";

/** One switch of the permission tree. */
export interface Leaf {
  branch: string;
  leaf: string;
  name: string;
  hint: string;
}

/** The branches of a tree in the order of the texts, each with its leaves; what has no text yet is shown by its own name. */
export function branchesOf(tree: PermissionTree): { branch: string; name: string; leaves: Leaf[] }[] {
  const { branches, leaves } = texts.permissions;
  const order = Object.keys(branches);
  const place = (branch: string): number => (order.includes(branch) ? order.indexOf(branch) : order.length);
  return Object.keys(tree)
    .toSorted((one, other) => place(one) - place(other))
    .map((branch) => ({
      branch,
      name: branches[branch] ?? branch,
      leaves: Object.keys(tree[branch] ?? {}).map((leaf) => {
        const text = leaves[`${branch}.${leaf}`];
        return { branch, leaf, name: text?.name ?? leaf.replaceAll("_", " "), hint: text?.hint ?? "" };
      }),
    }));
}

export function isOn(tree: PermissionTree, branch: string, leaf: string): boolean {
  return tree[branch]?.[leaf] === true;
}

/** A copy with one leaf set. */
export function withLeaf(tree: PermissionTree, branch: string, leaf: string, on: boolean): PermissionTree {
  return { ...tree, [branch]: { ...tree[branch], [leaf]: on } };
}

/** The leaves that are on in one tree and not in the other; a leaf that is left out is off. */
function differing(one: PermissionTree, other: PermissionTree): Leaf[] {
  const all: PermissionTree = {};
  for (const tree of [one, other])
    for (const [branch, leaves] of Object.entries(tree)) all[branch] = { ...all[branch], ...leaves };
  return branchesOf(all).flatMap(({ leaves }) =>
    leaves.filter(({ branch, leaf }) => isOn(one, branch, leaf) !== isOn(other, branch, leaf)),
  );
}

/** The names of the leaves that are on in one tree and not in the other. */
export function changedLeaves(one: PermissionTree, other: PermissionTree): string[] {
  return differing(one, other).map(({ name }) => name);
}

/** A tree, which somebody else may have changed, with what was switched between two others. */
export function withSwitched(tree: PermissionTree, from: PermissionTree, to: PermissionTree): PermissionTree {
  return differing(from, to).reduce(
    (next, { branch, leaf }) => withLeaf(next, branch, leaf, isOn(to, branch, leaf)),
    tree,
  );
}

/** The names of what a group adds to the defaults. */
export function addedBy(group: PermissionTree, defaults: PermissionTree): string[] {
  return branchesOf(group).flatMap(({ leaves }) =>
    leaves
      .filter(({ branch, leaf }) => isOn(group, branch, leaf) && !isOn(defaults, branch, leaf))
      .map(({ name }) => name),
  );
}

import { expect, test } from "vitest";
import { flatten, idsInside, pathTo, treeOf } from "../../../../src/ui/features/chat/folders/folder-tree.ts";
import type { Folder } from "../../../../src/ui/features/chat/folders/folders-api.ts";

const folder = (id: string, parentId: string | null, name = id): Folder => ({
  id,
  name,
  parent_id: parentId,
  meta: {},
  is_expanded: false,
  created_at: 0,
  updated_at: 0,
  mayWrite: true,
});

const all = [
  folder("c", "a", "Zebra"),
  folder("a", null),
  folder("d", "a", "apple"),
  folder("b", "hidden"),
  folder("e", "c"),
];

test("folders stand below each other by name, and at the top where the one around them is not seen", () => {
  expect(flatten(treeOf(all)).map(({ folder: { id }, depth }) => [id, depth])).toEqual([
    ["a", 0],
    ["d", 1],
    ["c", 1],
    ["e", 2],
    ["b", 0],
  ]);
});

test("a folder has all folders in it, and those around it", () => {
  expect([...idsInside(all, "a")].toSorted()).toEqual(["a", "c", "d", "e"]);
  expect(pathTo(all, "e").map(({ id }) => id)).toEqual(["a", "c", "e"]);
  expect(pathTo(all, null)).toEqual([]);
});

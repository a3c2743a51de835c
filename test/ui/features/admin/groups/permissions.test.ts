import { expect, test } from "vitest";
import { factoryPermissions } from "../../../../../src/people/permissions.ts";
import {
  addedBy,
  branchesOf,
  changedLeaves,
  withLeaf,
  withSwitched,
} from "../../../../../src/ui/features/admin/groups/permissions.ts";
import { texts } from "../../../../../src/ui/features/admin/groups/texts.ts";

test("every leaf that decides something has a name and an explanation", () => {
  const leaves = branchesOf(factoryPermissions).flatMap((branch) => branch.leaves);
  expect(leaves.map(({ branch, leaf }) => `${branch}.${leaf}`).toSorted()).toEqual(
    Object.keys(texts.permissions.leaves).toSorted(),
  );
  expect(leaves.filter(({ hint }) => hint === "")).toEqual([]);
  expect(Object.keys(texts.permissions.branches).toSorted()).toEqual(Object.keys(factoryPermissions).toSorted());
});

test("a leaf without a text of its own is shown by its name, after those that have one", () => {
  const branches = branchesOf({ tools: { run_code: false }, chat: { edit: true } });
  expect(branches.map(({ name }) => name)).toEqual(["In chats", "tools"]);
  expect(branches[1]?.leaves[0]).toMatchObject({ name: "run code", hint: "" });
});

test("a leaf that is left out is off: only what really differs is a change", () => {
  expect(changedLeaves({ chat: { edit: false } }, {})).toEqual([]);
  expect(changedLeaves({ features: { api_keys: true } }, { chat: { edit: true } })).toEqual([
    "Edit messages",
    "Use API keys",
  ]);
});

test("only what was switched goes into a tree that somebody else has changed", () => {
  const from = { chat: { edit: true, delete: true }, features: { api_keys: false } };
  const to = { chat: { edit: false, delete: true }, features: { api_keys: false, notes: true } };
  const now = { chat: { edit: true, delete: false }, features: { api_keys: true } };
  expect(withSwitched(now, from, to)).toEqual({
    chat: { edit: false, delete: false },
    features: { api_keys: true, notes: true },
  });
  expect(withSwitched(now, from, from)).toEqual(now);
});

test("setting a leaf leaves the other ones and the tree before as they are", () => {
  const before = { chat: { edit: true, delete: false } };
  expect(withLeaf(before, "chat", "delete", true)).toEqual({ chat: { edit: true, delete: true } });
  expect(withLeaf(before, "features", "api_keys", true)["features"]).toEqual({ api_keys: true });
  expect(before).toEqual({ chat: { edit: true, delete: false } });
});

test("what a group adds is what everyone does not have already", () => {
  const group = { chat: { edit: true }, features: { api_keys: true }, workspace: { models: false } };
  expect(addedBy(group, { chat: { edit: true } })).toEqual(["Use API keys"]);
});

import { describe, expect, test } from "vitest";
import { describeDetail, findIds } from "../../../../../src/ui/features/admin/audit/describe-detail.ts";

const words = {
  yes: "yes",
  no: "no",
  nothing: "nothing",
  more: (count: number) => `and ${count} more`,
  grant: (who: string, permission: string) => `${who} may ${permission}`,
  everyone: "everyone",
  group: (name: string) => `the group ${name}`,
};
const lines = (detail: Record<string, unknown>) => describeDetail(detail, words);

describe("a detail in lines", () => {
  test("nothing is no line", () => {
    expect(lines({})).toEqual([]);
  });

  test("from and to are a change, wherever they stand", () => {
    expect(lines({ from: "user", to: "admin" })).toEqual([{ path: "", change: { from: "user", to: "admin" } }]);
    expect(lines({ ENABLE_API_KEYS: { from: false, to: true } })).toEqual([
      { path: "ENABLE_API_KEYS", change: { from: "no", to: "yes" } },
    ]);
  });

  test("of two objects only what differs is told, with its path", () => {
    const detail = {
      from: { features: { api_keys: false, notes: true }, chat: { delete: true } },
      to: { features: { api_keys: true, notes: true }, chat: {} },
    };
    expect(lines(detail)).toEqual([
      { path: "features.api_keys", change: { from: "no", to: "yes" } },
      { path: "chat.delete", change: { from: "yes", to: "nothing" } },
    ]);
  });

  test("before and after beside other facts", () => {
    const detail = {
      operation: "PATCH",
      before: { active: true, userName: "a@b.example" },
      after: { active: false, userName: "a@b.example" },
    };
    expect(lines(detail)).toEqual([
      { path: "operation", value: "PATCH" },
      { path: "active", change: { from: "yes", to: "no" } },
    ]);
  });

  test("something new is told whole; a state that nothing came of stays a state", () => {
    expect(lines({ before: null, after: { userName: "a@b.example", active: true } })).toEqual([
      { path: "userName", value: "a@b.example" },
      { path: "active", value: "yes" },
    ]);
    expect(lines({ error: "taken", before: { active: true } })).toEqual([
      { path: "error", value: "taken" },
      { path: "before.active", value: "yes" },
    ]);
  });

  test("long lists end, objects in lists stay readable, empty values have a word", () => {
    const [list] = lines({ user_ids: Array.from({ length: 25 }, (_, index) => index) });
    expect(list?.value).toMatch(/^0, 1, .*, 19, and 5 more$/);
    expect(lines({ grants: [{ principal_id: "g1", permission: "read" }] })).toEqual([
      { path: "grants", value: "principal id: g1; permission: read" },
    ]);
    expect(lines({ name: "", ids: [], gone: null })).toEqual([
      { path: "name", value: "nothing" },
      { path: "ids", value: "nothing" },
      { path: "gone", value: "nothing" },
    ]);
  });

  test("ids are called by the names that are known", () => {
    const nameOf = (id: string) => (id === "a" ? "Ada" : undefined);
    expect(describeDetail({ user_ids: ["a", "b"] }, { ...words, nameOf })).toEqual([
      { path: "user_ids", value: "Ada, b" },
    ]);
  });
});

describe("the ids in a detail", () => {
  test("are those of people and organizations, each once", () => {
    const detail = { user_id: "a", user_ids: ["a", "b"], after: { organization_id: "o" }, name: "c" };
    expect(findIds(detail)).toEqual({ people: ["a", "b"], organizations: ["o"] });
  });

  test("also where only from and to are said", () => {
    expect(findIds({ from: "o1", to: "o2" }, "organization_id").organizations).toEqual(["o1", "o2"]);
    expect(findIds({ from: "o1", to: "o2" }).organizations).toEqual([]);
  });
});

test("grants are read as who may do what, and fields that are named by their names", () => {
  const named = {
    ...words,
    nameOf: (id: string) => ({ b: "Bo", p: "Pilots" })[id],
    fieldOf: (name: string) => `<${name}>`,
  };
  const grants = [
    { principal_type: "user", principal_id: "b", permission: "write" },
    { principal_type: "group", principal_id: "p", permission: "read" },
    { principal_type: "user", principal_id: "*", permission: "read" },
  ];
  expect(describeDetail({ access_grants: grants, fields: ["meta"] }, named)).toEqual([
    { path: "access_grants", value: "Bo may write, the group Pilots may read, everyone may read" },
    { path: "fields", value: "<meta>" },
  ]);
});

test("a stored word is told in words of its own, and a quota of everyone names nobody", () => {
  const wordFor = (field: string, value: string) => (field === "role" && value === "user" ? "Member" : undefined);
  expect(describeDetail({ role: { from: "user", to: "x" }, subject_id: null }, { ...words, wordFor })).toEqual([
    { path: "role", change: { from: "Member", to: "x" } },
  ]);
});

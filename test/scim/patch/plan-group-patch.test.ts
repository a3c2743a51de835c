import { describe, expect, it } from "vitest";
import { parseFilter } from "../../../src/scim/filter/parse-filter.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import { type GroupPlan, planGroupPatch, readGroupDocument } from "../../../src/scim/patch/plan-group-patch.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";

type Sent = Record<string, unknown>;

function planned(...operations: Sent[]): GroupPlan {
  return planGroupPatch(parsePatch(JSON.parse(JSON.stringify({ Operations: operations }))));
}

const add = (...ids: string[]) => ({ kind: "add", ids });
const remove = (...ids: string[]) => ({ kind: "remove", ids });
const replace = (...ids: string[]) => ({ kind: "replace", ids });
const removeAll = { kind: "removeAll" };

describe("what identity providers send for groups (user-demands 1.1)", () => {
  it.each<[string, Sent[], Sent]>([
    [
      "Entra: add a member",
      [{ op: "Add", path: "members", value: [{ $ref: null, value: "a" }] }],
      { members: [add("a")] },
    ],
    [
      "Entra: several adds in one patch",
      ["a", "b", "a"].map((value) => ({ op: "Add", path: "members", value: [{ $ref: null, value }] })),
      { members: [add("a", "b")] },
    ],
    [
      "Entra: remove with a value is no removal of all",
      [{ op: "Remove", path: "members", value: [{ value: "a" }] }],
      { members: [remove("a")] },
    ],
    [
      "Entra with its flag: remove by filter",
      [{ op: "remove", path: 'members[value eq "a"]' }],
      { members: [remove("a")] },
    ],
    ["Entra: rename", [{ op: "Replace", path: "displayName", value: "Crew" }], { displayName: "Crew", members: [] }],
    [
      "Okta: rename with its id",
      [{ op: "replace", value: { id: "x", displayName: "Crew" } }],
      { displayName: "Crew", members: [] },
    ],
    ["Okta: its id alone", [{ op: "replace", value: { id: "x" } }], { members: [] }],
    [
      "Okta: remove one, add another",
      [
        { op: "remove", path: 'members[value eq "a"]' },
        { op: "add", path: "members", value: [{ value: "b", display: "b@x.example", displayName: "B" }] },
      ],
      { members: [remove("a"), add("b")] },
    ],
    [
      "Okta: replace the members",
      [{ op: "replace", path: "members", value: [{ value: "a" }, { value: "b" }] }],
      { members: [replace("a", "b")] },
    ],
    [
      "authentik: everything at once, with its id",
      [
        {
          op: "replace",
          value: { id: "x", schemas: [], displayName: "Crew", externalId: "e", members: [{ value: "a" }] },
        },
      ],
      { displayName: "Crew", externalId: "e", members: [replace("a")] },
    ],
    ["add without a path", [{ op: "add", value: { members: [{ value: "a" }] } }], { members: [add("a")] }],
    ["remove all, said so", [{ op: "remove", path: "members" }], { members: [removeAll] }],
    ["replace with nobody, said so", [{ op: "replace", path: "members", value: [] }], { members: [removeAll] }],
    ["replace with null", [{ op: "replace", path: "members", value: null }], { members: [removeAll] }],
    ["remove none", [{ op: "remove", path: "members", value: [] }], { members: [] }],
    ["add none", [{ op: "add", path: "members", value: [] }], { members: [] }],
    ["one object", [{ op: "add", path: "members", value: { value: "a" } }], { members: [add("a")] }],
    ["text", [{ op: "add", path: "members", value: ["a", "b"] }], { members: [add("a", "b")] }],
    ["one text", [{ op: "remove", path: "members", value: "a" }], { members: [remove("a")] }],
    ["names in any case", [{ op: "ADD", path: "MEMBERS", value: [{ VALUE: "a" }] }], { members: [add("a")] }],
    [
      "the URN before the name",
      [{ op: "add", path: "urn:ietf:params:scim:schemas:core:2.0:Group:members", value: [{ value: "a" }] }],
      { members: [add("a")] },
    ],
    [
      "several ids in a filter",
      [{ op: "remove", path: 'members[value eq "a" or (value eq "b" or VALUE EQ "c")]' }],
      { members: [remove("a", "b", "c")] },
    ],
    [
      "a member replaced by another",
      [{ op: "replace", path: 'members[value eq "a"]', value: { value: "b" } }],
      { members: [remove("a"), add("b")] },
    ],
    [
      "a member's value replaced",
      [{ op: "replace", path: 'members[value eq "a"].value', value: "b" }],
      { members: [remove("a"), add("b")] },
    ],
    ["values added", [{ op: "add", path: "members.value", value: "a" }], { members: [add("a")] }],
    ["externalId", [{ op: "add", path: "externalId", value: "e" }], { externalId: "e", members: [] }],
    ["externalId away", [{ op: "remove", path: "externalId" }], { externalId: null, members: [] }],
    ["externalId nulled", [{ op: "replace", value: { externalId: null } }], { externalId: null, members: [] }],
    [
      "an extension among others",
      [{ op: "replace", value: { "urn:ietf:params:scim:schemas:extension:x:2.0:Group": {}, displayName: "Crew" } }],
      { displayName: "Crew", members: [] },
    ],
    [
      "the later one wins",
      [
        { op: "add", path: "members", value: ["a", "b"] },
        { op: "remove", path: "members", value: ["a"] },
        { op: "replace", path: "displayName", value: "A" },
        { op: "replace", path: "displayName", value: "B" },
      ],
      { displayName: "B", members: [remove("a"), add("b")] },
    ],
    [
      "nothing is left of what a replacement overrules",
      [
        { op: "add", path: "members", value: ["a"] },
        { op: "remove", path: 'members[display sw "x"]' },
        { op: "replace", path: "members", value: ["b", "c"] },
        { op: "remove", path: "members", value: ["b"] },
        { op: "add", path: "members", value: ["d"] },
      ],
      { members: [replace("c", "d")] },
    ],
  ])("%s", (_, operations, expected) => {
    expect(planned(...operations)).toEqual(expected);
  });

  it("a filter over anything else stays one, in its place", () => {
    const { members } = planned(
      { op: "add", path: "members", value: ["a"] },
      { op: "remove", path: 'members[value eq "a" and display sw "x"]' },
      { op: "add", path: "members", value: ["b"] },
    );
    expect(members).toEqual([
      add("a"),
      { kind: "removeWhere", filter: parseFilter('value eq "a" and display sw "x"') },
      add("b"),
    ]);
    for (const filter of ['value ne "a"', 'not (value eq "a")', 'value eq "a" or type eq "User"', "value eq null"]) {
      const [step] = planned({ op: "remove", path: `members[${filter}]` }).members;
      expect(step).toEqual({ kind: "removeWhere", filter: parseFilter(filter) });
    }
  });

  it.each<[string, Sent, string]>([
    ["an unknown path", { op: "replace", path: "nonsense", value: 1 }, "invalidPath"],
    ["only unknown keys", { op: "replace", value: { nonsense: 1 } }, "invalidPath"],
    ["an unknown sub-attribute", { op: "replace", path: "members.nick", value: "x" }, "invalidPath"],
    ["what every object has", { op: "replace", path: "members.constructor", value: "x" }, "invalidPath"],
    ["a part of the name", { op: "replace", path: "displayName.x", value: "x" }, "invalidPath"],
    ["a member's display", { op: "replace", path: 'members[value eq "a"].display', value: "x" }, "mutability"],
    ["members' values removed", { op: "remove", path: "members.value" }, "mutability"],
    ["id", { op: "replace", path: "id", value: "x" }, "mutability"],
    ["the name removed", { op: "remove", path: "displayName" }, "mutability"],
    ["the name nulled", { op: "replace", value: { displayName: null } }, "mutability"],
    ["an empty name", { op: "replace", path: "displayName", value: "" }, "invalidValue"],
    ["a number as a name", { op: "replace", path: "displayName", value: 5 }, "invalidValue"],
    ["a number as a member", { op: "add", path: "members", value: [5] }, "invalidValue"],
    ["a member without an id", { op: "add", path: "members", value: [{ display: "x" }] }, "invalidValue"],
    ["a member with a null id", { op: "remove", path: "members", value: [{ value: null }] }, "invalidValue"],
    ["an empty id", { op: "add", path: "members", value: [{ value: "" }] }, "invalidValue"],
    ["lists in lists", { op: "add", path: "members", value: [["a", "b"]] }, "invalidValue"],
    ["an unknown attribute in the filter", { op: "remove", path: 'members[nick eq "a"]' }, "invalidFilter"],
    ["a number in the filter", { op: "remove", path: "members[value eq 5]" }, "invalidFilter"],
    ["a broken filter", { op: "remove", path: "members[value eq a]" }, "invalidFilter"],
  ])("%s is refused", (_, operation, scimType) => {
    expect(() => planned(operation)).toThrow(expect.objectContaining({ scimType, status: 400 }) as ScimError);
  });

  it("thousands of members in a thousand operations are two steps", () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => ({
      op: index % 2 === 0 ? "Add" : "Remove",
      path: "members",
      value: Array.from({ length: 20 }, (_, member) => ({ value: `${index}-${member}` })),
    }));
    const { members } = planned(...operations);
    expect(members.map((step) => [step.kind, "ids" in step ? step.ids.length : 0])).toEqual([
      ["remove", 10_000],
      ["add", 10_000],
    ]);
  });
});

describe("a whole group", () => {
  it("is read, absent keys as absent", () => {
    expect(readGroupDocument({})).toEqual({});
    expect(readGroupDocument({ displayName: "Crew", externalId: "", nonsense: 1, id: "x" })).toEqual({
      displayName: "Crew",
    });
    expect(
      readGroupDocument({ DisplayName: "Crew", externalId: "e", members: [{ value: "a" }, { value: "a" }] }),
    ).toEqual({ displayName: "Crew", externalId: "e", members: ["a"] });
    expect(readGroupDocument({ 'members[value eq "a"]': "b" })).toEqual({});
    expect(readGroupDocument({ members: [] })).toEqual({ members: [] });
    expect(readGroupDocument({ members: null, displayName: null })).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ["no object", "x", "invalidSyntax"],
    ["a number as a name", { displayName: 5 }, "invalidValue"],
    ["members that are none", { members: [5] }, "invalidValue"],
  ])("is refused with %s", (_, body, scimType) => {
    expect(() => readGroupDocument(body)).toThrow(expect.objectContaining({ scimType }) as ScimError);
  });
});

it("filters with more comparisons than the database takes in one PATCH are refused", () => {
  const path = `members[${Array.from({ length: 1000 }, () => 'display eq "a"').join(" or ")}]`;
  const operations = Array.from({ length: 6 }, () => ({ op: "remove", path }));
  expect(planned(...operations.slice(1)).members).toHaveLength(5);
  expect(() => planned(...operations)).toThrow(expect.objectContaining({ scimType: "tooMany" }));
});

import { describe, expect, it } from "vitest";
import type { ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import { home, patched, work, type Sent } from "./ada.ts";

describe("an operation on e-mails", () => {
  const other = { value: "o@x.example", type: "other" };
  it.each<[string, Sent, ScimUserDocument["emails"]]>([
    ["add appends", { op: "add", path: "emails", value: [other] }, [work, home, other]],
    ["add one object", { op: "add", path: "emails", value: other }, [work, home, other]],
    ["add text", { op: "add", path: "emails", value: "o@x.example" }, [work, home, { value: "o@x.example" }]],
    [
      "add what is there",
      { op: "add", path: "emails", value: [{ value: "ADA@home.example", type: "home" }] },
      [work, { ...home, value: "ADA@home.example" }],
    ],
    ["add what is there without its type", { op: "add", path: "emails", value: [{ value: home.value }] }, [work, home]],
    ["add without a path", { op: "add", value: { emails: [other] } }, [work, home, other]],
    ["add nothing", { op: "add", path: "emails", value: [] }, [work, home]],
    [
      "add a primary one: the other is none any more",
      { op: "add", path: "emails", value: [{ ...other, primary: "True" }] },
      [{ ...work, primary: false }, home, { ...other, primary: true }],
    ],
    ["replace", { op: "replace", path: "emails", value: [other] }, [other]],
    ["replace with nothing", { op: "replace", path: "emails", value: [] }, undefined],
    ["replace with null", { op: "replace", path: "emails", value: null }, undefined],
    ["replace without a path", { op: "replace", value: { emails: [other] } }, [other]],
    [
      "replace with several primary ones: the first is",
      { op: "replace", path: "emails", value: [{ ...other, primary: true }, work] },
      [
        { ...other, primary: true },
        { ...work, primary: false },
      ],
    ],
    [
      "add a primary one twice in one list",
      { op: "add", path: "emails", value: [{ ...other, primary: true }, { value: other.value }] },
      [{ ...work, primary: false }, home, { ...other, primary: true }],
    ],
    ["replace with the same one twice", { op: "replace", path: "emails", value: [other, other] }, [other]],
    ["remove", { op: "remove", path: "emails" }, undefined],
    ["remove by filter", { op: "remove", path: 'emails[type eq "home"]' }, [work]],
    [
      "remove by a filter with several terms",
      { op: "remove", path: 'emails[type eq "HOME" and not (primary eq true) or value ew "nowhere"]' },
      [work],
    ],
    ["remove by a filter without a match", { op: "remove", path: 'emails[type eq "other"]' }, [work, home]],
    [
      "remove by value and type",
      { op: "remove", path: "emails", value: [{ value: home.value, type: "work" }] },
      [work, home],
    ],
    ["remove by type", { op: "remove", path: "emails", value: { type: "home" } }, [work]],
    [
      "remove a sub-attribute of all",
      { op: "remove", path: "emails.type" },
      [{ value: work.value, primary: true }, { value: home.value }],
    ],
    [
      "remove a sub-attribute by filter",
      { op: "remove", path: 'emails[type eq "work"].primary' },
      [{ value: work.value, type: "work" }, home],
    ],
    ["remove the value by filter: no e-mail is left", { op: "remove", path: 'emails[type eq "work"].value' }, [home]],
    [
      "replace by filter with a new address",
      { op: "replace", path: 'emails[type eq "work"]', value: { value: "n@w.example", display: "N" } },
      [{ type: "work", value: "n@w.example", display: "N" }, home],
    ],
    [
      "replace by filter in a list of one",
      { op: "replace", path: 'emails[type eq "work"]', value: [{ value: "n@w.example", type: "work" }] },
      [{ type: "work", value: "n@w.example" }, home],
    ],
    [
      "replace parts by filter",
      { op: "replace", path: 'emails[type eq "home"]', value: { primary: true } },
      [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    ],
    [
      "add by filter merges",
      { op: "add", path: 'emails[type eq "home"]', value: { display: "H" } },
      [work, { ...home, display: "H" }],
    ],
    [
      "add by filter without a match makes one",
      { op: "add", path: 'emails[type eq "other"]', value: { value: "o@x.example" } },
      [work, home, other],
    ],
    [
      "set a sub-attribute by filter",
      { op: "replace", path: 'emails[value eq "ADA@HOME.example"].type', value: "private" },
      [work, { ...home, type: "private" }],
    ],
    [
      "set a sub-attribute of all",
      { op: "add", path: "emails.display", value: "A" },
      [
        { ...work, display: "A" },
        { ...home, display: "A" },
      ],
    ],
    [
      "set primary by filter, as text",
      { op: "replace", path: 'emails[type eq "home"].primary', value: "True" },
      [
        { ...work, primary: false },
        { ...home, primary: true },
      ],
    ],
    [
      "primary of all can only be one",
      { op: "replace", path: "emails.primary", value: true },
      [work, { ...home, primary: false }],
    ],
    [
      "the primary one's value",
      { op: "replace", path: "emails[primary eq true].value", value: "p@x.example" },
      [{ ...work, value: "p@x.example" }, home],
    ],
    [
      "the primary one's value, text in the filter",
      { op: "replace", path: 'emails[primary eq "True"].value', value: "p@x.example" },
      [{ ...work, value: "p@x.example" }, home],
    ],
    [
      "unknown keys of an element",
      { op: "replace", path: "emails", value: [{ ...other, $ref: "x", label: 5 }] },
      [other],
    ],
    ["keys in any case", { op: "replace", path: "EMAILS", value: [{ VALUE: "o@x.example", Type: "other" }] }, [other]],
  ])("%s", (_, operation, expected) => {
    expect(patched([operation]).emails).toEqual(expected);
  });

  it("an address may come after what else is said of it", () => {
    const operations = [
      { op: "Add", path: 'emails[type eq "other"].primary', value: "True" },
      { op: "Add", path: 'emails[type eq "other"].value', value: "o@x.example" },
    ];
    expect(patched(operations).emails).toEqual([{ ...work, primary: false }, home, { ...other, primary: true }]);
  });
});

import { describe, expect, it } from "vitest";
import { applyUserPatch, readUserDocument, type ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";
import { cpuTime } from "../../cpu-time.ts";
import { ada, all, core, enterprise, home, patched, work, type Sent } from "./ada.ts";

const { emails: _, ...withoutEmails } = ada;
const { displayName: __, ...withoutDisplayName } = ada;
const { externalId: ___, ...withoutExternalId } = ada;
const { name: ____, ...withoutName } = ada;

describe("what identity providers send (user-demands 1.1)", () => {
  const off = all(ada, { active: false });
  it.each<[string, Sent[], ScimUserDocument]>([
    ["Entra: disable with text", [{ op: "Replace", path: "active", value: "False" }], off],
    ["Entra: enable with text", [{ op: "Replace", path: "active", value: "True" }], ada],
    ["Entra: Add active", [{ op: "Add", path: "active", value: "False" }], off],
    ["Entra with its flag: disable", [{ op: "replace", path: "active", value: false }], off],
    [
      "Entra: one operation per attribute",
      [
        { op: "Replace", path: "displayName", value: "Ada L" },
        { op: "Add", path: "name.givenName", value: "Augusta" },
        { op: "Replace", path: "name.familyName", value: "Lovelace" },
        { op: "Replace", path: 'emails[type eq "work"].value', value: "augusta@work.example" },
        { op: "Add", path: "externalId", value: "ext-2" },
        { op: "Add", path: `${enterprise}:department`, value: "Engines" },
        { op: "Add", path: `${enterprise}:manager`, value: "m-1" },
        { op: "Add", path: "title", value: "Countess" },
        { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+44" },
        { op: "Add", path: 'addresses[type eq "work"].streetAddress', value: "12 St James Square" },
      ],
      {
        userName: "Ada@harbour.example",
        externalId: "ext-2",
        displayName: "Ada L",
        name: { givenName: "Augusta", familyName: "Lovelace" },
        emails: [{ ...work, value: "augusta@work.example" }, home],
        active: true,
      },
    ],
    [
      "Entra: an e-mail of another type",
      [{ op: "Replace", path: 'emails[type eq "other"].value', value: "o@x.example" }],
      all(ada, { emails: [work, home, { type: "other", value: "o@x.example" }] }),
    ],
    [
      "Entra with its flag: dotted and URN keys",
      [
        {
          op: "replace",
          value: {
            displayName: "Ada L",
            "name.givenName": "Augusta",
            'emails[type eq "work"].value': "augusta@work.example",
            [`${enterprise}:employeeNumber`]: "7",
            [`${core}:externalId`]: "ext-2",
            [enterprise]: { department: "Engines" },
          },
        },
      ],
      all(ada, {
        displayName: "Ada L",
        externalId: "ext-2",
        name: { givenName: "Augusta", familyName: "Byron" },
        emails: [{ ...work, value: "augusta@work.example" }, home],
      }),
    ],
    [
      "Entra as it was: a single value as a list",
      [{ op: "Replace", path: "displayName", value: [{ $ref: null, value: "Ada L" }] }],
      all(ada, { displayName: "Ada L" }),
    ],
    [
      "Entra: an e-mail taken away",
      [{ op: "Remove", path: 'emails[type eq "work"].value' }],
      all(ada, { emails: [home] }),
    ],
    [
      "Entra: e-mails removed by a list",
      [{ op: "Remove", path: "emails", value: [{ value: "ADA@home.example" }] }],
      all(ada, { emails: [work] }),
    ],
    ["Okta: disable without a path", [{ op: "replace", value: { active: false } }], off],
    [
      "Okta: with its id and what else is read-only",
      [{ op: "replace", value: { id: "x", schemas: [core], meta: {}, groups: [], active: false } }],
      off,
    ],
    ["Okta: its id alone", [{ op: "replace", value: { id: "x" } }], ada],
    [
      "OneLogin: old URNs",
      [{ op: "replace", path: "urn:scim:schemas:core:2.0:displayName", value: "A" }],
      all(ada, { displayName: "A" }),
    ],
    [
      "authentik: several attributes at once",
      [{ op: "replace", value: { userName: "ada2@harbour.example", name: { formatted: "A B" }, locale: "en" } }],
      all(ada, {
        userName: "ada2@harbour.example",
        name: { givenName: "Ada", familyName: "Byron", formatted: "A B" },
      }),
    ],
    [
      "names in any case",
      [{ op: "add", value: { DISPLAYNAME: "A", Name: { GIVENname: "B" } } }],
      all(ada, { displayName: "A", name: { givenName: "B", familyName: "Byron" } }),
    ],
    [
      "the core schema as a path or key",
      [
        { op: "replace", path: core, value: { displayName: "A" } },
        { op: "add", value: { [core]: { externalId: "ext-2" } } },
      ],
      all(ada, { displayName: "A", externalId: "ext-2" }),
    ],
    ["what it knows and does not among unknown", [{ op: "replace", value: { shoeSize: 5, active: "false" } }], off],
  ])("%s", (_, operations, expected) => {
    expect(patched(operations)).toEqual(expected);
  });

  it("Entra: the first work e-mail of a person without any", () => {
    expect(patched([{ op: "Add", path: 'emails[type eq "work"].value', value: "n@w.example" }], withoutEmails)).toEqual(
      {
        ...withoutEmails,
        emails: [{ type: "work", value: "n@w.example" }],
      },
    );
  });
});

describe("an operation on a simple attribute", () => {
  it.each<[string, Sent, ScimUserDocument]>([
    ["add is replace", { op: "add", path: "displayName", value: "A" }, all(ada, { displayName: "A" })],
    ["replace", { op: "replace", path: "userName", value: "B@x.example" }, all(ada, { userName: "B@x.example" })],
    ["remove", { op: "remove", path: "displayName" }, withoutDisplayName],
    ["null removes", { op: "replace", path: "displayName", value: null }, withoutDisplayName],
    ["null without a path removes", { op: "replace", value: { externalId: null } }, withoutExternalId],
    ["an empty externalId is none", { op: "replace", path: "externalId", value: "" }, withoutExternalId],
    ["empty text stays", { op: "replace", path: "displayName", value: "" }, all(ada, { displayName: "" })],
    [
      "add name merges",
      { op: "add", path: "name", value: { middleName: "K" } },
      all(ada, { name: { givenName: "Ada", familyName: "Byron", middleName: "K" } }),
    ],
    [
      "replace name merges too",
      { op: "replace", path: "name", value: { givenName: "A", familyName: null } },
      all(ada, { name: { givenName: "A" } }),
    ],
    ["remove a part", { op: "remove", path: "name.givenName" }, all(ada, { name: { familyName: "Byron" } })],
    [
      "remove a part by null",
      { op: "replace", path: "name.givenName", value: null },
      all(ada, { name: { familyName: "Byron" } }),
    ],
    ["remove the whole", { op: "remove", path: "name" }, withoutName],
    [
      "the whole goes with its parts",
      { op: "replace", path: "name", value: { givenName: null, familyName: null } },
      withoutName,
    ],
    ["remove what is not there", { op: "remove", path: "name.honorificPrefix" }, ada],
  ])("%s", (_, operation, expected) => {
    expect(patched([operation])).toEqual(expected);
  });
});

describe("hostile bodies", () => {
  it("pollute nothing", () => {
    const body = `{"Operations":[
      {"op":"add","value":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"active":false}},
      {"op":"add","path":"name","value":{"__proto__":{"polluted":1},"constructor":"x","givenName":"A"}},
      {"op":"add","path":"emails","value":[{"__proto__":{"polluted":1},"value":"x@x.example"}]}]}`;
    const user = applyUserPatch(ada, parsePatch(JSON.parse(body)));
    expect(user).toEqual(
      all(ada, {
        active: false,
        name: { givenName: "A", familyName: "Byron" },
        emails: [work, home, { value: "x@x.example" }],
      }),
    );
    expect(Object.keys(user.name!)).toEqual(["givenName", "familyName"]);
    expect(({} as Sent).polluted).toBeUndefined();
  });

  it("cost little: many operations, many keys, deep values", () => {
    const took = cpuTime(() => {
      const emails = Array.from({ length: 90 }, (_, index) => ({ value: `${index}@x.example` }));
      const many = Array.from({ length: 1_000 }, (_, index) => ({
        op: "add",
        path: "emails",
        value: emails[index % 90],
      }));
      patched(many);
      const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]));
      patched([{ op: "replace", value: { ...keys, active: true } }]);
      const deep: unknown = JSON.parse(`${'{"x":'.repeat(5_000)}1${"}".repeat(5_000)}`);
      expect(applyUserPatch(ada, parsePatch({ Operations: [{ op: "add", value: { name: deep } }] }))).toEqual(ada);
      const urns = `{"op":"add","value":${`{"${core}":`.repeat(3_000)}1${"}".repeat(3_000)}}`;
      expect(() => applyUserPatch(ada, parsePatch({ Operations: [JSON.parse(urns)] }))).toThrow("Unknown attribute");
    });
    expect(took).toBeLessThan(10_000);
  });
});

describe("a whole user", () => {
  it("is read with the same leniency", () => {
    const body = {
      schemas: [core, enterprise],
      id: "x",
      UserName: "Ada@harbour.example",
      externalId: "",
      displayName: null,
      "name.givenName": "Ada",
      name: { familyName: "Lovelace", nick: 5 },
      emails: [{ value: "a@x.example", primary: "true", $ref: null }, "b@x.example"],
      Active: "False",
      password: "x",
      nonsense: [],
      "emails!": 5,
      [enterprise]: { department: 5 },
    };
    expect(readUserDocument(body)).toEqual({
      userName: "Ada@harbour.example",
      name: { givenName: "Ada", familyName: "Lovelace" },
      emails: [{ value: "a@x.example", primary: true }, { value: "b@x.example" }],
      active: false,
    });
    expect(readUserDocument({ userName: "a@x.example" })).toEqual({ userName: "a@x.example" });
  });

  it.each<[string, unknown, string]>([
    ["no object", [], "invalidSyntax"],
    ["no userName", { active: true }, "invalidValue"],
    ["a null userName", { userName: null }, "invalidValue"],
    ["a number as userName", { userName: 5 }, "invalidValue"],
    ["text as active", { userName: "a", active: "on" }, "invalidValue"],
    ["an e-mail without a value", { userName: "a", emails: [{ type: "work" }] }, "invalidValue"],
  ])("is refused with %s", (_, body, scimType) => {
    expect(() => readUserDocument(body)).toThrow(expect.objectContaining({ scimType }) as ScimError);
  });
});

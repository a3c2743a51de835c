import { describe, expect, it } from "vitest";
import { applyUserPatch, readUserDocument, type ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const core = "urn:ietf:params:scim:schemas:core:2.0:User";

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const work = { value: "ada@work.example", type: "work", primary: true };
const home = { value: "ada@home.example", type: "home" };
const ada: ScimUserDocument = frozen({
  userName: "Ada@harbour.example",
  externalId: "ext-1",
  displayName: "Ada",
  name: { givenName: "Ada", familyName: "Byron" },
  emails: [work, home],
  active: true,
});
const { emails: _, ...withoutEmails } = ada;
const { displayName: __, ...withoutDisplayName } = ada;
const { externalId: ___, ...withoutExternalId } = ada;
const { name: ____, ...withoutName } = ada;

type Sent = Record<string, unknown>;

/** Over JSON, as it would come; twice, because identity providers repeat themselves: the second time changes nothing. */
function patched(operations: Sent[], user = ada): ScimUserDocument {
  const parsed = parsePatch(JSON.parse(JSON.stringify({ Operations: operations })));
  const once = applyUserPatch(user, parsed);
  expect(applyUserPatch(frozen(once), parsed)).toEqual(once);
  return once;
}

const all = <T>(from: T, change: Partial<T>): T => ({ ...from, ...change });

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

describe("an operation on e-mails", () => {
  const other = { value: "o@x.example", type: "other" };
  const cases: [string, Sent, ScimUserDocument["emails"]][] = [
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
      undefined,
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
  ];
  it.each(cases.filter(([name]) => name !== "set a sub-attribute by filter"))("%s", (_, operation, expected) => {
    expect(patched([operation]).emails).toEqual(expected);
  });

  it("set a sub-attribute by filter", () => {
    const path = 'emails[value eq "ADA@HOME.example"].type';
    expect(patched([{ op: "replace", path, value: "private" }]).emails).toEqual([work, { ...home, type: "private" }]);
  });

  it("an address may come after what else is said of it", () => {
    const operations = [
      { op: "Add", path: 'emails[type eq "other"].primary', value: "True" },
      { op: "Add", path: 'emails[type eq "other"].value', value: "o@x.example" },
    ];
    expect(patched(operations).emails).toEqual([{ ...work, primary: false }, home, { ...other, primary: true }]);
  });
});

describe("what cannot be applied is an error, and nothing is applied", () => {
  it.each<[string, Sent, string, string]>([
    ["an unknown path", { op: "replace", path: "nonsense", value: 1 }, "invalidPath", "nonsense"],
    ["an unknown path to remove", { op: "remove", path: "nonsense" }, "invalidPath", "nonsense"],
    ["only unknown keys", { op: "replace", value: { nonsense: 1 } }, "invalidPath", "nonsense"],
    ["an unknown sub-attribute", { op: "add", path: "name.nick", value: "x" }, "invalidPath", "name.nick"],
    [
      "an unknown sub-attribute of e-mails",
      { op: "add", path: "emails.nick", value: "x" },
      "invalidPath",
      "emails.nick",
    ],
    ["a part of a simple attribute", { op: "add", path: "userName.x", value: "x" }, "invalidPath", "userName.x"],
    [
      "a filter on a simple attribute",
      { op: "add", path: 'active[value eq "x"]', value: true },
      "invalidPath",
      "active",
    ],
    ["a filter on name", { op: "add", path: 'name[givenName eq "x"].givenName', value: "x" }, "invalidPath", "name"],
    ["an unknown attribute in a filter", { op: "remove", path: 'emails[foo eq "x"]' }, "invalidFilter", "foo"],
    ["a comparison that makes no sense", { op: "remove", path: "emails[primary gt true]" }, "invalidFilter", "primary"],
    ["a broken filter in a key", { op: "replace", value: { "emails[type].value": "x" } }, "invalidFilter", "]"],
    ["id", { op: "replace", path: "id", value: "x" }, "mutability", "id"],
    ["meta", { op: "replace", path: "meta.created", value: "x" }, "mutability", "meta.created"],
    ["groups", { op: "add", path: "groups", value: [{ value: "g" }] }, "mutability", "groups"],
    ["schemas", { op: "remove", path: "schemas" }, "mutability", "schemas"],
    ["removing userName", { op: "remove", path: "userName" }, "mutability", "userName"],
    ["nulling userName", { op: "replace", value: { userName: null } }, "mutability", "userName"],
    ["removing active", { op: "remove", path: "active" }, "mutability", "active"],
    ["an empty userName", { op: "replace", path: "userName", value: " " }, "invalidValue", "userName"],
    ["text for active", { op: "replace", path: "active", value: "yes" }, "invalidValue", "active"],
    ["a number for active", { op: "replace", path: "active", value: 0 }, "invalidValue", "active"],
    ["a number for text", { op: "replace", path: "displayName", value: 5 }, "invalidValue", "displayName"],
    ["true for text", { op: "replace", path: "externalId", value: true }, "invalidValue", "externalId"],
    ["an object for text", { op: "replace", path: "displayName", value: { a: 1 } }, "invalidValue", "displayName"],
    ["a list for text", { op: "replace", path: "displayName", value: ["a", "b"] }, "invalidValue", "displayName"],
    ["text for name", { op: "replace", path: "name", value: "Ada" }, "invalidValue", "name"],
    ["a number in name", { op: "replace", path: "name", value: { givenName: 5 } }, "invalidValue", "name.givenName"],
    ["numbers as e-mails", { op: "add", path: "emails", value: [5] }, "invalidValue", "emails"],
    ["an e-mail without its value", { op: "add", path: "emails", value: [{ type: "work" }] }, "invalidValue", "emails"],
    ["an empty address", { op: "replace", path: 'emails[type eq "work"].value', value: "" }, "invalidValue", "emails"],
    [
      "a primary that is neither",
      { op: "add", path: "emails", value: [{ value: "x", primary: 1 }] },
      "invalidValue",
      "emails.primary",
    ],
    [
      "two for one by filter",
      { op: "replace", path: 'emails[type eq "work"]', value: ["a", "b"] },
      "invalidValue",
      "emails",
    ],
    [
      "removing e-mails that are not said",
      { op: "remove", path: "emails", value: [{ display: "x" }] },
      "invalidValue",
      "emails",
    ],
    [
      "too many e-mails",
      { op: "add", path: "emails", value: Array.from({ length: 99 }, (_, i) => `${i}@x`) },
      "invalidValue",
      "emails",
    ],
    [
      "a made e-mail without an address",
      { op: "add", path: 'emails[type eq "x"].display', value: "x" },
      "noTarget",
      "x",
    ],
    [
      "an address that is not there",
      { op: "replace", path: 'emails[value eq "x"].type', value: "x" },
      "noTarget",
      "emails",
    ],
    [
      "a filter that does not say what to make",
      { op: "add", path: 'emails[type ne "work" and type ne "home"].value', value: "x" },
      "noTarget",
      "emails",
    ],
    [
      "a filter that nothing fits",
      { op: "add", path: 'emails[type eq "a" and type eq "b"].value', value: "x" },
      "noTarget",
      "emails",
    ],
    ["text without a path", { op: "replace", value: "x" }, "invalidValue", "path"],
    ["a list without a path", { op: "add", value: [{ active: false }] }, "invalidValue", "path"],
    ["half a character", { op: "replace", path: "displayName", value: "\ud800" }, "invalidValue", "displayName"],
    ["NUL", { op: "replace", path: "displayName", value: "a\0" }, "invalidValue", "displayName"],
    [
      "too long a text",
      { op: "replace", path: "displayName", value: "x".repeat(5_000) },
      "invalidValue",
      "displayName",
    ],
    [
      "what every object has",
      { op: "replace", path: "constructor", value: { prototype: 1 } },
      "invalidPath",
      "constructor",
    ],
    [
      "what every object has, below",
      { op: "replace", path: "name.constructor", value: "x" },
      "invalidPath",
      "name.constructor",
    ],
    ["__proto__", { op: "replace", path: "__proto__.polluted", value: "x" }, "invalidPath", "__proto__"],
  ])("%s", (_, operation, scimType, named) => {
    const operations = parseTolerant([{ op: "replace", path: "displayName", value: "first" }, operation]);
    expect(operations).toThrow(expect.objectContaining({ scimType, status: 400 }) as ScimError);
    expect(operations).toThrow(named);
    expect(ada.displayName).toBe("Ada");
  });

  function parseTolerant(operations: Sent[]): () => ScimUserDocument {
    return () => applyUserPatch(ada, parsePatch({ Operations: operations }));
  }
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
    const started = performance.now();
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
    expect(() => applyUserPatch(ada, parsePatch({ Operations: [JSON.parse(urns)] }))).toThrow("There is no attribute");
    expect(performance.now() - started).toBeLessThan(10_000);
  }, 30_000);
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

import { describe, expect, it } from "vitest";
import { applyUserPatch, type ScimUserDocument } from "../../../src/scim/patch/apply-user-patch.ts";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";
import { ada, type Sent } from "./ada.ts";

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

  it("and says so in a few words, however long a name was sent", () => {
    const operations = [{ op: "replace", value: { ["x".repeat(1_000_000)]: 1 } }];
    expect(parseTolerant(operations)).toThrow(/^Unknown attribute "x{100}…"\.$/);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePatch } from "../../../src/scim/patch/parse-patch.ts";
import { parsePath } from "../../../src/scim/patch/parse-path.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";
import { anyText } from "../any-text.ts";
import { unlessRefused } from "../unless-refused.ts";

const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
const core = "urn:ietf:params:scim:schemas:core:2.0:User";

describe("the path of a patch", () => {
  it.each([
    ["displayName", "displayname", null, false],
    ["name.givenName", "name", "givenname", false],
    ["NAME.GIVENNAME", "name", "givenname", false],
    ['emails[type eq "work"]', "emails", null, true],
    ['emails[type eq "work"].value', "emails", "value", true],
    ['members[value eq "a.b:c]"]', "members", null, true],
    [`${core}:name.familyName`, "name", "familyname", false],
    [`${core}:emails[type eq "work"].value`, "emails", "value", true],
    [`${enterprise}:manager.value`, `${enterprise.toLowerCase()}:manager.value`, null, false],
    [enterprise, enterprise.toLowerCase(), null, false],
  ])("%s", (written, name, sub, filtered) => {
    const path = parsePath(written);
    expect({ ...path, filter: path.filter !== null }).toEqual({
      written,
      attribute: { name, written },
      filter: filtered,
      sub,
    });
  });

  it.each([
    ["", "invalidPath"],
    ["   ", "invalidPath"],
    [".", "invalidPath"],
    ["name.", "invalidPath"],
    [".givenName", "invalidPath"],
    ["a.b.c", "invalidPath"],
    ["a b", "invalidPath"],
    ["__proto__", "invalidPath"],
    ["name.givenName[a pr]", "invalidPath"],
    ['emails[type eq "work"]value', "invalidPath"],
    ['emails[type eq "work"].', "invalidPath"],
    ['emails[type eq "work"].a.b', "invalidPath"],
    ['emails[type eq "work"].value[a pr]', "invalidPath"],
    ["emails[", "invalidFilter"],
    ["emails[]", "invalidFilter"],
    ["emails[0]", "invalidFilter"],
    ["emails[type]", "invalidFilter"],
    ["emails[type eq work]", "invalidFilter"],
    ['emails[type eq "work"', "invalidFilter"],
    ["emails[a[b pr]]", "invalidFilter"],
    [`emails[${"(".repeat(10_000)}`, "invalidFilter"],
    ["x".repeat(100_000), "invalidPath"],
  ])("%j is refused", (written, scimType) => {
    expect(() => parsePath(written)).toThrow(expect.objectContaining({ scimType, status: 400 }) as ScimError);
  });
});

describe("a patch body", () => {
  it("takes operations in any case, with any schemas or none", () => {
    const operations = [
      { op: "Add", path: "displayName", value: "x" },
      { OP: "REPLACE", Value: { active: false } },
      { op: "remove", path: "externalId" },
      { op: "replace", path: null, value: {} },
      { op: "replace", path: "", value: {} },
      { op: "replace", path: core, value: {} },
    ];
    const bodies = [
      { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations: operations },
      { schemas: "urn:scim:schemas:core:1.0", operations },
      { Operations: operations },
    ];
    for (const body of bodies) {
      expect(parsePatch(body).map(({ op, path }) => [op, path?.attribute.name])).toEqual([
        ["add", "displayname"],
        ["replace", undefined],
        ["remove", "externalid"],
        ["replace", undefined],
        ["replace", undefined],
        ["replace", undefined],
      ]);
    }
  });

  it.each([
    ["no object", [], "invalidSyntax"],
    ["null", null, "invalidSyntax"],
    ["text", "x", "invalidSyntax"],
    ["no operations", {}, "invalidSyntax"],
    ["an empty list", { Operations: [] }, "invalidSyntax"],
    ["operations that are no list", { Operations: { op: "add", path: "a", value: 1 } }, "invalidSyntax"],
    ["an operation that is no object", { Operations: ["add"] }, "invalidSyntax"],
    ["no op", { Operations: [{ path: "a", value: 1 }] }, "invalidSyntax"],
    ["an unknown op", { Operations: [{ op: "move", path: "a", value: 1 }] }, "invalidSyntax"],
    ["an op that is no text", { Operations: [{ op: ["add"], path: "a", value: 1 }] }, "invalidSyntax"],
    ["a path that is no text", { Operations: [{ op: "add", path: 5, value: 1 }] }, "invalidPath"],
    ["add without a value", { Operations: [{ op: "add", path: "a" }] }, "invalidValue"],
    ["replace without a value", { Operations: [{ op: "replace" }] }, "invalidValue"],
    ["remove without a path", { Operations: [{ op: "remove", value: { active: true } }] }, "noTarget"],
    ["remove with an empty path", { Operations: [{ op: "remove", path: "" }] }, "noTarget"],
    ["too many", { Operations: Array.from({ length: 1_001 }, () => ({ op: "remove", path: "a" })) }, "tooMany"],
  ])("with %s is refused", (_, body, scimType) => {
    expect(() => parsePatch(body)).toThrow(expect.objectContaining({ scimType, status: 400 }) as ScimError);
  });

  it("takes a thousand operations", () => {
    const Operations = Array.from({ length: 1_000 }, () => ({ op: "remove", path: "a" }));
    expect(parsePatch({ Operations })).toHaveLength(1_000);
  });

  it("never fails but as a SCIM error, whatever is sent", () => {
    const operation = fc.record(
      {
        op: fc.constantFrom("add", "remove", "replace", "Replace"),
        path: anyText,
        value: fc.json(),
      },
      { requiredKeys: ["op"] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ Operations: fc.array(operation) })), (body) => {
        const operations = unlessRefused(() => parsePatch(body));
        expect(operations?.length).not.toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

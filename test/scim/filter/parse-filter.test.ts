import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Filter } from "../../../src/scim/filter/filter.ts";
import { parseFilter } from "../../../src/scim/filter/parse-filter.ts";
import { ScimError } from "../../../src/scim/scim-error.ts";
import { cpuTime } from "../../cpu-time.ts";
import { anyText } from "../any-text.ts";
import { unlessRefused } from "../unless-refused.ts";

/** The filter with brackets around everything, so that one line shows what binds what. */
function shown(filter: Filter): string {
  switch (filter.kind) {
    case "and":
    case "or":
      return `(${filter.filters.map(shown).join(` ${filter.kind} `)})`;
    case "not":
      return `not (${shown(filter.filter)})`;
    case "values":
      return `${filter.attribute.name}[${shown(filter.filter)}]`;
    case "present":
      return `${filter.attribute.name} pr`;
    case "compare":
      return `${filter.attribute.name} ${filter.operator} ${JSON.stringify(filter.value)}`;
  }
}

function failure(text: string): ScimError {
  try {
    parseFilter(text);
  } catch (error) {
    if (error instanceof ScimError) return error;
    throw error;
  }
  throw new Error(`was taken for a filter: ${text}`);
}

const core = "urn:ietf:params:scim:schemas:core:2.0:User";

describe("a SCIM filter is read", () => {
  it.each([
    ["every operator", 'a eq "x"', 'a eq "x"'],
    ["ne", 'a ne "x"', 'a ne "x"'],
    ["co", 'a co "x"', 'a co "x"'],
    ["sw", 'a sw "x"', 'a sw "x"'],
    ["ew", 'a ew "x"', 'a ew "x"'],
    ["gt", 'a gt "x"', 'a gt "x"'],
    ["ge", 'a ge "x"', 'a ge "x"'],
    ["lt", 'a lt "x"', 'a lt "x"'],
    ["le", 'a le "x"', 'a le "x"'],
    ["pr", "a pr", "a pr"],
    ["names and operators in any case", 'USERNAME Eq "Ada"', 'username eq "Ada"'],
    ["and before or", "a pr or b pr and c pr or d pr", "(a pr or (b pr and c pr) or d pr)"],
    ["words in any case", "a pr AND b pr Or NOT (c pr)", "((a pr and b pr) or not (c pr))"],
    ["brackets", "(a pr or b pr) and c pr", "((a pr or b pr) and c pr)"],
    ["not before and", "not (a pr) and b pr", "(not (a pr) and b pr)"],
    ["not without a blank", "not(a pr or b pr)", "not ((a pr or b pr))"],
    [
      "an attribute that begins like a word",
      'order pr or notes eq "x" and android pr',
      '(order pr or (notes eq "x" and android pr))',
    ],
    ["blanks", '  ( a   eq   "x"  )  ', 'a eq "x"'],
    ["sub-attributes", 'name.familyName co "x"', 'name.familyname co "x"'],
    ["the core URN", `${core}:userName eq "x"`, 'username eq "x"'],
    ["the core URN with a sub-attribute", `${core.toUpperCase()}:name.givenName eq "x"`, 'name.givenname eq "x"'],
    ["the old core URN", 'urn:scim:schemas:core:2.0:userName eq "x"', 'username eq "x"'],
    [
      "an extension's URN",
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department eq "x"',
    ],
    ["a value path", 'emails[type eq "work" and value co "@x"]', 'emails[(type eq "work" and value co "@x")]'],
    [
      "a value path among others",
      'a pr and emails[type eq "work" or not (primary eq true)] or b pr',
      '((a pr and emails[(type eq "work" or not (primary eq true))]) or b pr)',
    ],
    [
      "Entra ID's value path with a sub-attribute behind it",
      'emails[type eq "work"].value eq "x"',
      'emails[(type eq "work" and value eq "x")]',
    ],
    ["$ref", 'members.$ref eq "x"', 'members.$ref eq "x"'],
    ["true, false and null", "a eq true and b eq FALSE and c ne null", "(a eq true and b eq false and c ne null)"],
    ["numbers", "a gt -1.5e2 and b eq 0", "(a gt -150 and b eq 0)"],
    [
      "JSON's escapes",
      String.raw`a eq "q\"b\\s\/n\nu\u00e9\ud83d\ude00"`,
      `a eq ${JSON.stringify('q"b\\s/n\nu\u00e9\u{1f600}')}`,
    ],
    ["words and brackets inside text", 'a eq ") and (b pr" or c eq "]"', '(a eq ") and (b pr" or c eq "]")'],
    ["empty text", 'a eq ""', 'a eq ""'],
  ])("%s", (_, text, expected) => {
    expect(shown(parseFilter(text))).toBe(expected);
  });

  it("keeps the name as it was sent for messages", () => {
    expect(parseFilter("UserName pr")).toEqual({
      kind: "present",
      attribute: { name: "username", written: "UserName" },
    });
  });

  it.each([
    ["", 1],
    ["   ", 4],
    ["userName", 9],
    ["userName eq", 12],
    ["userName eq ", 13],
    ["userName eq ada", 13],
    ['userName eq"ada"', 12],
    ["userName eq 'ada'", 13],
    ['userName eq "ada', 13],
    [String.raw`userName eq "a\x"`, 13],
    [String.raw`userName eq "\ud800"`, 13],
    [String.raw`userName eq "\u0000"`, 13],
    ['userName eq "a\nb"', 13],
    ["userName eq 01", 13],
    ["userName eq 1e999", 13],
    ["userName eq truely", 13],
    ['userName like "x"', 10],
    ['userName eq "x" and', 20],
    ['userName eq "x" or or a pr', 23],
    ['userName eq "x" a pr', 17],
    ['userName eq "x" xor a pr', 17],
    ["a pr order pr", 6],
    ["a pr android pr", 6],
    ["and a pr", 5],
    ["not a pr", 5],
    ["(a pr", 6],
    ["a pr)", 5],
    ["()", 2],
    ["a..b pr", 1],
    ["a.b.c pr", 1],
    ["http://x:a pr", 1],
    ["1a pr", 1],
    ["__proto__ pr", 1],
    ["emails[]", 8],
    ["emails[type pr", 15],
    ["emails[type pr]]", 16],
    ["emails[a[b pr]]", 9],
    ["emails[type pr].", 17],
    ["emails[type pr].value", 22],
    ["%20", 1],
    ["\u{1f600} pr", 1],
  ])("says where %j is broken", (text, character) => {
    const error = failure(text);
    expect(error).toMatchObject({ scimType: "invalidFilter", status: 400, code: "bad_request" });
    expect(error.message).toContain(`At character ${character} of the filter`);
  });

  it("refuses what is too long, too deep or too much, at once", () => {
    const took = cpuTime(() => {
      expect(failure(`a eq "${"x".repeat(1_000_000)}"`).message).toContain("longer than");
      expect(failure(`${"(".repeat(20_000)}a pr${")".repeat(10_000)}`).message).toContain("nested too deep");
      expect(failure("not (".repeat(6_000)).message).toContain("nested too deep");
      expect(failure(Array.from({ length: 1_001 }, () => "a pr").join(" or ")).message).toContain("comparisons");
      expect(failure(`a eq "${String.raw`\"`.repeat(16_000)}`).message).toContain("At character 6");
      expect(failure(`a pr${" ".repeat(32_000)}x`).message).toContain("expected the end");
    });
    expect(took).toBeLessThan(2_000);
  });

  it("never fails but as a SCIM error, whatever is sent", () => {
    const words = [
      "a",
      " ",
      "eq",
      "pr",
      '"x"',
      "and",
      "or",
      "not",
      "(",
      ")",
      "[",
      "]",
      ".",
      "\\",
      '"',
      "true",
      "1",
      "urn:",
      "%",
      "\n",
    ];
    const anything = fc.oneof(
      anyText,
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join("")),
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const filter = unlessRefused(() => parseFilter(text));
        // What was understood can be said again, and means the same.
        const again = filter && shown(parseFilter(shown(filter)));
        expect(again).toBe(filter && shown(filter));
      }),
      { numRuns: 2_000 },
    );
  });
});

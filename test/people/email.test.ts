import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeEmail } from "../../src/people/email.ts";

describe("addresses", () => {
  test.each([
    ["Ada@Harbour.Example", "ada@harbour.example"],
    ["  ada@harbour.example\n", "ada@harbour.example"],
    ["first.last+tag@sub.harbour.example", "first.last+tag@sub.harbour.example"],
    ["o'brien@harbour.example", "o'brien@harbour.example"],
    ["x@a.co", "x@a.co"],
    ["admin@localhost", "admin@localhost"],
    ["用户@例子.中国", "用户@例子.中国"],
    ["Zoe\u0308@harbour.example", "zo\u00eb@harbour.example"],
    ["user@xn--mnchen-3ya.example", "user@xn--mnchen-3ya.example"],
    ["12345@678.example", "12345@678.example"],
  ])("%j is %j", (text, expected) => {
    expect(normalizeEmail(text)).toBe(expected);
  });

  test.each([
    "",
    " ",
    "@",
    "ada",
    "ada@",
    "@harbour.example",
    "ada@harbour",
    "ada@@harbour.example",
    "a b@harbour.example",
    "ada@har bour.example",
    ".ada@harbour.example",
    "ada.@harbour.example",
    "a..da@harbour.example",
    "ada@.example",
    "ada@harbour.",
    "ada@harbour..example",
    "ada@-harbour.example",
    "ada@harbour-.example",
    "ada@harbour_office.example",
    "<ada@harbour.example>",
    "Ada <ada@harbour.example>",
    "ada@harbour.example,bob@harbour.example",
    "ada@[127.0.0.1]",
    '"ada"@harbour.example',
    "ada@harbour.example\u0000",
    "a\u200bda@harbour.example",
    `${"a".repeat(65)}@harbour.example`,
    `ada@${"a".repeat(64)}.example`,
    `ada@${"abcdefgh.".repeat(30)}example`,
  ])("%j is none", (text) => {
    expect(normalizeEmail(text)).toBeUndefined();
  });

  test("are one whatever their case and the space around them", () => {
    const atom = fc.stringMatching(/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,20}$/);
    const label = fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/);
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 3 }),
        fc.array(label, { minLength: 2, maxLength: 4 }),
        fc.boolean(),
        (atoms, labels, upper) => {
          const address = `${atoms.join(".")}@${labels.join(".")}`;
          const normal = normalizeEmail(address);
          expect(normal).toBe(address.toLowerCase());
          expect(normalizeEmail(` ${upper ? address.toUpperCase() : address}\t`)).toBe(normal);
        },
      ),
    );
  });

  test("in normal form are normal, short, without spaces, and as SQLite would fold them", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.tuple(fc.string({ unit: "grapheme" }), fc.domain()).map(([name, host]) => `${name}@${host}`),
          fc.emailAddress(),
        ),
        (text) => {
          const normal = normalizeEmail(text);
          if (normal === undefined) return;
          expect(normalizeEmail(normal)).toBe(normal);
          expect(normal.length).toBeLessThanOrEqual(254);
          expect(normal).toMatch(/^[^\s@]+@[^\s@]+$/);
          // `users.email` is checked against lower(), which folds ASCII only.
          expect(normal).not.toMatch(/[A-Z]/);
        },
      ),
      { numRuns: 500 },
    );
  });
});

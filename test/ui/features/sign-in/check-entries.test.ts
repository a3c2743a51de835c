import { expect, test } from "vitest";
import { checkEntries } from "../../../../src/ui/features/sign-in/check-entries.ts";

const good = { name: "Ada", email: "ada@harbour.example", password: "correct horse" };

test("complete entries are fine", () => {
  expect(checkEntries("sign-up", good)).toEqual({});
  expect(checkEntries("sign-in", { ...good, name: "", password: "x" })).toEqual({});
});

test.each([
  ["sign-up", { name: " " }, "name"],
  ["sign-up", { email: "ada" }, "email"],
  ["sign-up", { password: "short" }, "password"],
  ["sign-up", { password: "ä".repeat(513) }, "password"],
  ["sign-in", { email: "a b@c" }, "email"],
  ["sign-in", { password: "" }, "password"],
] as const)("%s with %j marks the %s", (kind, entries, field) => {
  expect(Object.keys(checkEntries(kind, { ...good, ...entries }))).toEqual([field]);
});

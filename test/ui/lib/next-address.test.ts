import { expect, test } from "vitest";
import { nextAddress } from "../../../src/ui/lib/next-address.ts";

const origin = "https://parley.harbour.example";

test.each([
  ["next=%2Fadmin%2Fpeople%3Fq%3Dada", "/admin/people?q=ada"],
  ["", "/"],
  ["next=", "/"],
  ["next=https%3A%2F%2Fevil.example%2F", "/"],
  ["next=%2F%2Fevil.example%2F", "/"],
  ["next=%2F%5Cevil.example", "/"],
  ["next=%2F.%2F%2Fevil.example", "/"],
  ["next=javascript%3Aalert(1)", "/"],
])("after signing in with ?%s people land on %s", (query, expected) => {
  expect(nextAddress(new URLSearchParams(query), origin)).toBe(expected);
});

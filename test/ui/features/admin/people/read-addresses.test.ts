import { expect, test } from "vitest";
import { readAddresses } from "../../../../../src/ui/features/admin/people/invitations/read-addresses.ts";

test.each([
  ["", []],
  ["  \n ", []],
  ["ada@harbour.example", ["ada@harbour.example"]],
  ["a@x.example, b@x.example;c@x.example\nd@x.example e@x.example", ["a@x", "b@x", "c@x", "d@x", "e@x"]],
  ['"Lindqvist, Ada" <a@x.example>, Bo Ek <b@x.example>', ["a@x", "b@x"]],
  ["a@x.example, a@x.example", ["a@x"]],
  ["ada at harbour", ["ada", "at", "harbour"]],
])("%j", (text, addresses) => {
  expect(readAddresses(text).map((address) => address.replace("@x.example", "@x"))).toEqual(addresses);
});

import { expect, test } from "vitest";
import type { FoundPerson } from "../../../../../src/ui/features/channels/mentions/find-people.ts";
import { rankPeople } from "../../../../../src/ui/features/channels/mentions/rank-people.ts";

const person = (name: string, isMember = true): FoundPerson => ({
  id: name,
  name,
  email: `${name.split(" ")[0]?.toLowerCase() ?? ""}@harbour.example`,
  isMember,
});
const all = [person("Ada Lindqvist"), person("Émile Boye"), person("Rambo"), person("Bo Ek"), person("Bob", false)];

test.each([
  ["bo", ["Bo Ek", "Émile Boye", "Rambo", "Ada Lindqvist", "Bob"]],
  ["Bo E", ["Bo Ek"]],
  ["emile", ["Émile Boye"]],
  ["zz", []],
])("%j means %j: names that begin so before those with it in their e-mail", (query, names) => {
  expect(rankPeople(all, query).map(({ name }) => name)).toEqual(names);
});

test("nothing typed yet leaves the order as it is", () => {
  expect(rankPeople(all.slice(0, 4), "")).toEqual(all.slice(0, 4));
});

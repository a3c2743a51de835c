import { createClient, type Client } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileFilter } from "../../../src/scim/filter/evaluate-filter.ts";
import { parseFilter } from "../../../src/scim/filter/parse-filter.ts";
import type { ScimError } from "../../../src/scim/scim-error.ts";
import { attributes, createTables, fill, select, statement, type PersonResource } from "./people-table.ts";

const people: PersonResource[] = [
  {
    id: "ada",
    userName: "Ada@Harbour.example",
    externalId: "Ext-1",
    displayName: "Ada Lovelace",
    active: true,
    name: { givenName: "Ada", familyName: "Lovelace" },
    emails: [
      { value: "ada@work.example", type: "work", primary: true },
      { value: "ada@home.example", type: "home" },
    ],
    groups: [{ value: "g1", display: "Crew" }],
    meta: { created: "2026-01-01T10:00:00Z", lastModified: "2026-01-02T10:00:00Z" },
  },
  {
    id: "ben",
    userName: "ben_50%@harbour.example",
    displayName: "",
    active: false,
    emails: [],
    meta: { created: "2026-01-01T12:00:00Z" },
  },
  {
    id: "cleo",
    userName: "benx50y@harbour.example",
    displayName: "CLÉO \\ \u{1f600}",
    active: true,
    name: {},
    emails: [{ value: "cleo@home.example", type: "home", primary: false }],
    groups: [
      { value: "g1", display: "Crew" },
      { value: "g2", display: "Pilots" },
    ],
    meta: { created: "2026-01-01T11:00:00+01:00" },
  },
];

let client: Client;
beforeAll(async () => {
  client = createClient({ url: ":memory:" });
  await createTables(client);
  await fill(client, people);
});
afterAll(() => client.close());

const everyone = ["ada", "ben", "cleo"];

describe("a filter", () => {
  it.each([
    ["eq without case", 'userName eq "ADA@HARBOUR.EXAMPLE"', ["ada"]],
    ["eq with case", 'externalId eq "ext-1"', []],
    ["eq with case, the same", 'externalId eq "Ext-1"', ["ada"]],
    ["a GUID where addresses are: nobody", 'userName eq "6f6f9e2e-7d12-4e2b-a0b1-d7e2f0c9a4d1"', []],
    ["ne also of who has none", 'externalId ne "Ext-1"', ["ben", "cleo"]],
    ["co", 'userName co "HARB"', everyone],
    ["co takes % as %", 'userName co "50%"', ["ben"]],
    ["co takes _ as _", 'userName co "n_5"', ["ben"]],
    ["co takes a backslash as one", String.raw`displayName co "\\"`, ["cleo"]],
    ["sw", 'userName sw "BEN"', ["ben", "cleo"]],
    ["sw takes % as %", 'userName sw "ben%"', []],
    ["ew", 'userName ew "Y@harbour.EXAMPLE"', ["cleo"]],
    ["ew counts characters, not units", 'displayName ew " \u{1f600}"', ["cleo"]],
    ["ew of more than there is", 'displayName ew "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"', []],
    ["only A to Z have no case", 'displayName co "cléo"', []],
    ["gt", 'userName gt "BEN_50%@harbour.example"', ["cleo"]],
    ["ge", 'userName ge "BEN_50%@harbour.example"', ["ben", "cleo"]],
    ["lt", 'userName lt "ben"', ["ada"]],
    ["le", 'id le "ben"', ["ada", "ben"]],
    ["pr not of empty text", "displayName pr", ["ada", "cleo"]],
    ["pr of false", "active pr", everyone],
    ["pr not of an empty list", "emails pr", ["ada", "cleo"]],
    ["pr of a complex value with something in it", "name pr", ["ada"]],
    ["eq null is the contrary of pr", "displayName eq null", ["ben"]],
    ["ne null is pr", "externalId ne null", ["ada"]],
    ["lists eq null", "emails eq null", ["ben"]],
    ["booleans", "active eq true", ["ada", "cleo"]],
    ["booleans, ne", "active ne true", ["ben"]],
    ["booleans in quotes", 'active eq "False"', ["ben"]],
    ["false is not nothing", "emails[primary eq false]", ["cleo"]],
    ["any element of a list", 'emails.type eq "home"', ["ada", "cleo"]],
    ["any element that is not", 'emails.type ne "home"', ["ada", "ben"]],
    ["the list means its value", 'emails co "@HOME"', ["ada", "cleo"]],
    ["one element has both", 'emails[type eq "work" and value co "home"]', []],
    ["two elements have each", 'emails.type eq "work" and emails.value co "home"', ["ada"]],
    ["not in a value path", 'emails[not (type eq "home")]', ["ada"]],
    ["rows of another table", 'groups.value eq "g2" or groups[display sw "cr"]', ["ada", "cleo"]],
    ["not over rows", 'not (groups.display eq "Pilots")', ["ada", "ben"]],
    ["times with another offset", 'meta.created eq "2026-01-01T11:00:00+01:00"', ["ada", "cleo"]],
    ["times, gt", 'meta.created gt "2026-01-01T10:59:59.5Z"', ["ben"]],
    ["times without a zone are UTC", 'meta.created ge "2026-01-01T12:00:00"', ["ben"]],
    ["a plus that a query string lost", 'meta.created le "2026-01-01T11:00:00 01:00"', ["ada", "cleo"]],
    ["a day", 'meta.lastModified gt "2026-01-02"', ["ada"]],
    ["not of a missing time", 'not (meta.lastModified gt "2030-01-01")', everyone],
    ["and before or", 'id eq "ben" or id eq "ada" and active eq false', ["ben"]],
    ["brackets first", '(id eq "ben" or id eq "ada") and active eq false', ["ben"]],
    ["injection is text", `userName eq "x' OR 1=1 --"`, []],
  ])("%s", async (_, text, expected) => {
    const filter = parseFilter(text);
    expect(await select(client, filter)).toEqual(expected);
    expect(people.filter((one) => compileFilter(filter, attributes)({ ...one })).map(({ id }) => id)).toEqual(expected);
  });

  it.each([
    ["an unknown attribute", 'nickNames eq "x"', '"nickNames"'],
    ["an unknown sub-attribute", 'name.nick eq "x"', '"name.nick"'],
    ["an unknown extension", 'urn:x:y:userName eq "x"', '"urn:x:y:userName"'],
    ["what every object has", 'constructor eq "x"', 'Unknown attribute "constructor"'],
    ["what every object has, below", 'emails.toString eq "x"', 'Unknown attribute "emails.toString"'],
    ["unknown in a value path", 'emails[foo eq "x"]', '"foo"'],
    ["the outer name in a value path", 'emails[emails.type eq "x"]', '"emails.type"'],
    ["a value path into text", 'userName[value eq "x"]', '"userName"'],
    ["a whole complex value", 'name eq "x"', '"name"'],
    ["true with gt", "active gt true", '"active"'],
    ["true with co", 'active co "t"', '"active"'],
    ["a boolean and text", 'active eq "yes"', '"active"'],
    ["a boolean and a number", "active eq 1", '"active"'],
    ["text and a number", "userName eq 5", '"userName"'],
    ["text and true", "userName eq true", '"userName"'],
    ["null with gt", "userName gt null", '"userName"'],
    ["null with co", "emails co null", '"emails"'],
    ["a time and text", 'meta.created gt "yesterday"', '"meta.created"'],
    ["a day that does not exist", 'meta.created gt "2026-02-30T00:00:00Z"', '"meta.created"'],
    ["a time with co", 'meta.created co "2026"', '"meta.created"'],
    ["behind what would do already", 'id pr or foo eq "x"', '"foo"'],
  ])("is refused for %s, by name", (_, text, named) => {
    const filter = parseFilter(text);
    for (const use of [() => statement(filter), () => compileFilter(filter, attributes)({})]) {
      expect(use).toThrow(expect.objectContaining({ scimType: "invalidFilter", status: 400 }) as ScimError);
      expect(use).toThrow(named);
    }
  });

  it("puts values into parameters only", () => {
    const { sql, args } = statement(
      parseFilter('userName eq "se\'cret" and emails[value sw "SECRET"] or active eq true'),
    );
    expect(sql).not.toMatch(/secret/i);
    expect(args).toEqual(["se'cret", "se'cret", "secret", "secreu", 1]);
  });

  it.each([
    ['userName eq "Ada@harbour.example"', ["people_user_name", "people_email"]],
    ['userName sw "Ada"', ["people_user_name", "people_email"]],
    ['externalId eq "Ext-1"', ["sqlite_autoindex_outside_1", "sqlite_autoindex_people_1"]],
    ['displayName eq "Crew"', ["people_display_name"]],
    ['displayName sw "Cr"', ["people_display_name"]],
    ['id eq "a" or id eq "b"', ["sqlite_autoindex_people_1"]],
    ['displayName eq "Crew" and active eq true', ["people_display_name"]],
  ])("is answered by indexes: %s", async (text, indexes) => {
    const { sql, args } = statement(parseFilter(text));
    const plan = (await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args })).rows.map((row) =>
      String(row.detail),
    );
    expect(plan.filter((line) => line.startsWith("SCAN p"))).toEqual([]);
    for (const index of indexes) expect(plan.join("\n")).toContain(index);
  });

  it("takes a thousand comparisons and forty levels", async () => {
    const wide = Array.from({ length: 1_000 }, (_, index) => `userName eq "${index}" `).join("or ");
    expect(await select(client, parseFilter(wide))).toEqual([]);
    const deep = `${"not (".repeat(40)}id eq "ada"${")".repeat(40)}`;
    expect(await select(client, parseFilter(deep))).toEqual(["ada"]);
  });
});

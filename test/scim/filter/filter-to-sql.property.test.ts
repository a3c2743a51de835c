import { createClient, type Client } from "@libsql/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileFilter } from "../../../src/scim/filter/evaluate-filter.ts";
import { parseFilter } from "../../../src/scim/filter/parse-filter.ts";
import { attributes, createTables, fill, select, type PersonResource } from "./people-table.ts";

let client: Client;
beforeAll(async () => {
  client = createClient({ url: ":memory:" });
  await createTables(client);
});
afterAll(() => client.close());

/** Few letters, so that texts meet; with everything that LIKE, JSON, case folding and UTF-16 could trip over. */
const letters = [
  "a",
  "A",
  "b",
  "Z",
  "z",
  "[",
  "@",
  "_",
  "%",
  "\\",
  '"',
  "'",
  "é",
  "É",
  "ı",
  "\u{1f600}",
  "\ufffd",
  "\ud7ff",
  "\ue000",
  "\u{10ffff}",
  " ",
  "\n",
];
const text = fc.array(fc.constantFrom(...letters), { maxLength: 4 }).map((parts) => parts.join(""));
const filled = text.filter((value) => value !== "");
const kind = fc.constantFrom("work", "Work", "home", "other");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const second = fc.integer({ min: 1_700_000_000, max: 1_700_000_004 });
const iso = second.map((seconds) => new Date(seconds * 1000).toISOString());

const person = fc.record({
  userName: filled,
  externalId: maybe(filled),
  displayName: maybe(text),
  active: fc.boolean(),
  name: maybe(fc.record({ givenName: maybe(text), familyName: maybe(text) })),
  emails: maybe(
    fc.array(fc.record({ value: maybe(text), type: maybe(kind), primary: maybe(fc.boolean()) }), { maxLength: 3 }),
  ),
  groups: maybe(
    fc.uniqueArray(fc.record({ value: fc.constantFrom("g1", "g2", "G1"), display: filled }), {
      maxLength: 2,
      selector: ({ value }) => value,
    }),
  ),
  meta: fc.record({ created: iso, lastModified: maybe(iso) }),
});
const fold = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const people: fc.Arbitrary<PersonResource[]> = fc
  .uniqueArray(person, { minLength: 1, maxLength: 8, selector: ({ userName }) => fold(userName) })
  .map((list) =>
    list.map((one, index) => {
      const taken = list.findIndex((other) => other.externalId === one.externalId) < index;
      return { ...one, id: `p${index}`, externalId: taken ? undefined : one.externalId };
    }),
  );

const anyCase = (name: string) =>
  fc.constantFrom(name, name.toUpperCase(), name.toLowerCase(), `urn:ietf:params:scim:schemas:core:2.0:User:${name}`);
const bare = (name: string) => fc.constantFrom(name, name.toUpperCase());
const quoted = (value: fc.Arbitrary<string>) => value.map((one) => JSON.stringify(one));
const textual = (names: fc.Arbitrary<string>, values: fc.Arbitrary<string>) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(names, fc.constantFrom("eq", "ne", "co", "sw", "EW", "gt", "ge", "lt", "le"), quoted(values)),
    },
    { weight: 1, arbitrary: fc.tuple(names, fc.constantFrom("eq", "ne"), fc.constant("null")) },
    { weight: 1, arbitrary: fc.tuple(names, fc.constantFrom("pr", "PR")) },
  );
const boolean = (names: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.tuple(names, fc.constantFrom("eq", "ne"), fc.constantFrom("true", "false", "null", '"True"', '"false"')),
    fc.tuple(names, fc.constant("pr")),
  );
const instant = fc
  .tuple(second, fc.constantFrom(0, 0.25), fc.constantFrom(0, 330, -480))
  .map(([seconds, fraction, minutes]) => {
    const local = new Date((seconds + fraction + minutes * 60) * 1000).toISOString().slice(0, -1);
    const clock = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
    return `"${local}${minutes === 0 ? "Z" : (minutes < 0 ? "-" : "+") + clock}"`;
  });
const comparison = fc
  .oneof(
    textual(fc.constantFrom("userName", "displayName", "name.givenName", "name.familyName").chain(anyCase), text),
    textual(fc.constantFrom("externalId", "id").chain(anyCase), text),
    textual(fc.constantFrom("emails", "emails.value", "groups.display").chain(anyCase), text),
    textual(anyCase("emails.type"), kind),
    textual(fc.constantFrom("groups", "groups.value").chain(anyCase), fc.constantFrom("g1", "G1", "g2")),
    boolean(fc.constantFrom("active", "emails.primary").chain(anyCase)),
    fc.tuple(
      fc.constantFrom("meta.created", "meta.lastModified").chain(anyCase),
      fc.constantFrom("eq", "ne", "gt", "ge", "lt", "le"),
      instant,
    ),
    fc.tuple(fc.constantFrom("name", "emails", "groups", "meta").chain(anyCase), fc.constant("pr")),
    fc.tuple(fc.constantFrom("name", "emails"), fc.constantFrom("eq", "ne"), fc.constant("null")),
  )
  .map((parts) => parts.join(" "));
const within = (leaf: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: fc.tuple(leaf, fc.constantFrom(" and ", " OR "), leaf).map((parts) => parts.join("")) },
    { weight: 1, arbitrary: leaf.map((one) => `not (${one})`) },
  );
const elementFilter = within(
  fc
    .oneof(textual(bare("value"), text), textual(bare("type"), kind), boolean(bare("primary")))
    .map((parts) => parts.join(" ")),
);
const valuePath = fc.oneof(
  elementFilter.map((inner) => `emails[${inner}]`),
  fc.tuple(elementFilter, quoted(text)).map(([inner, value]) => `emails[${inner}].value sw ${value}`),
  quoted(text).map((value) => `name[givenName eq ${value} or familyName sw ${value}]`),
  within(textual(bare("display"), text).map((parts) => parts.join(" "))).map((inner) => `groups[${inner}]`),
);
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    valuePath,
    fc.tuple(tie("filter"), fc.constantFrom(" and ", " or ", " AND "), tie("filter")).map((parts) => parts.join("")),
    tie("filter").map((inner) => `not (${inner})`),
    tie("filter").map((inner) => `(${inner})`),
  ),
}));

describe("a filter in SQL", () => {
  it("finds whom the plain evaluator finds in their JSON", async () => {
    let [found, sought] = [0, 0];
    await fc.assert(
      fc.asyncProperty(people, fc.array(filter, { minLength: 4, maxLength: 12 }), async (list, filters) => {
        await fill(client, list);
        for (const text of filters) {
          const parsed = parseFilter(text);
          const expected = list.filter((one) => compileFilter(parsed, attributes)({ ...one })).map(({ id }) => id);
          expect(await select(client, parsed), text).toEqual(expected);
          found += expected.length;
          sought += list.length;
        }
      }),
      { numRuns: 200 },
    );
    // Neither everyone nor no one: the property has seen both sides.
    expect(found).toBeGreaterThan(sought / 10);
    expect(found).toBeLessThan((sought * 9) / 10);
  }, 120_000);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../../src/errors.ts";
import { checkableSchema } from "../../../src/plugins/checkable-schema.ts";
import type { JsonSchema } from "../../../src/plugins/plugin-host.ts";
import { changeValves, usableValves } from "../../../src/plugins/valves/check-valves.ts";
import { cpuTime } from "../../cpu-time.ts";

/** As pydantic writes it. */
const schema: JsonSchema = {
  title: "Valves",
  type: "object",
  required: ["url"],
  $defs: { Mode: { enum: ["fast", "slow"], type: "string" }, "a/b": { type: "integer" } },
  properties: {
    url: { type: "string", title: "Url" },
    retries: { type: "integer", minimum: 0, maximum: 5, default: 1 },
    ratio: { anyOf: [{ type: "number" }, { type: "null" }], default: null },
    mode: { $ref: "#/$defs/Mode", default: "fast" },
    odd: { $ref: "#/$defs/a~1b" },
    tags: { type: "array", items: { type: "string" }, default: [] },
    pattern: { type: "string", default: "" },
  },
};

function problems(change: Record<string, unknown>, stored = {}, by = schema): string[] {
  try {
    changeValves(by, stored, change);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.issues!.map(({ path }) => path);
  }
}

describe("valves", () => {
  test("name every field that does not fit, once", () => {
    expect(problems({ retries: 9, mode: "idle", tags: ["a", 1], odd: "x", nothing: 1 }).sort()).toEqual([
      "mode",
      "nothing",
      "odd",
      "retries",
      "tags",
    ]);
  });

  test("say what was expected", () => {
    const messages = (change: Record<string, unknown>) => {
      try {
        return changeValves(schema, {}, change);
      } catch (error) {
        return (error as AppError).issues!.map(({ message }) => message);
      }
    };
    expect(messages({ retries: "many" })).toEqual(["Expected a whole number"]);
    expect(messages({ retries: 9 })).toEqual(["9 is greater than 5."]);
    expect(messages({ mode: "idle" })).toEqual(['Expected one of "fast", "slow"']);
    expect(messages({ ratio: "half" })).toEqual(["Expected a number"]);
    expect(messages({ tags: "a" })).toEqual(["Expected a list"]);
    expect(messages({ tags: ["a", 1] })).toEqual(["Expected text"]);
    expect(messages({ url: false })).toEqual(["Expected text"]);
  });

  test("need not all be there", () => {
    expect(changeValves(schema, {}, { retries: 2 })).toEqual({ retries: 2 });
  });

  test("take texts of forms for what they say", () => {
    const change = { retries: " 3 ", ratio: "0.5", url: "7", tags: ["x"] };
    expect(changeValves(schema, {}, change)).toEqual({ retries: 3, ratio: 0.5, url: "7", tags: ["x"] });
    expect(problems({ retries: "" })).toEqual(["retries"]);
    expect(problems({ retries: "1e999" })).toEqual(["retries"]);
  });

  test("have names of their own, whatever those are", () => {
    expect(changeValves(schema, {}, { pattern: "x" })).toEqual({ pattern: "x" });
    const named: JsonSchema = {
      type: "object",
      properties: { $defs: { type: "string" }, "a/b c": { type: "integer" } },
    };
    expect(changeValves(named, {}, { $defs: "y", "a/b c": 2 })).toEqual({ $defs: "y", "a/b c": 2 });
    expect(problems({ "a/b c": "x", $defs: 5 }, {}, named).sort()).toEqual(["$defs", "a/b c"]);
    expect(problems({ constructor: 1, toString: 2 })).toEqual(["constructor", "toString"]);
    expect(problems(JSON.parse('{"__proto__": {"url": 5}}') as Record<string, unknown>)).toEqual(["__proto__"]);
  });

  test("take any name where the plugin says so", () => {
    expect(changeValves({ type: "object", additionalProperties: true }, {}, { anything: [1] })).toEqual({
      anything: [1],
    });
  });

  test("are refused at great length", () => {
    expect(() => changeValves(schema, {}, { url: "x".repeat(250_000) })).toThrow(/,000 characters/);
  });

  test("that fit no more are left out, and what fits stays", () => {
    expect(usableValves(schema, { retries: 99, mode: "slow", gone: 1, url: "u" })).toEqual({ mode: "slow", url: "u" });
    expect(usableValves(null, { a: 1 })).toEqual({});
  });

  test("are what was set, whatever was set before", () => {
    const values = fc.record(
      { url: fc.string(), retries: fc.integer({ min: 0, max: 5 }), mode: fc.constantFrom("fast", "slow") },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, values, (stored, change) => {
        expect(changeValves(schema, stored, change)).toEqual({ ...stored, ...change });
        const reset = Object.fromEntries(Object.keys(change).map((name) => [name, null]));
        const left = Object.entries(stored).filter(([name]) => !(name in change));
        expect(changeValves(schema, stored, reset)).toEqual(Object.fromEntries(left));
      }),
    );
  });
});

describe("a schema that means harm", () => {
  const of = (property: unknown, $defs: unknown = {}): JsonSchema => ({
    type: "object",
    $defs,
    properties: { a: property },
  });
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `d${n}`,
      n === 59 ? { type: "integer" } : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  );
  const nested = JSON.parse(`${'{"allOf":['.repeat(20_000)}{}${"]}".repeat(20_000)}`) as JsonSchema;

  test.each([
    ["a regular expression without an end", of({ type: "string", pattern: "^(a+)+$" }), `${"a".repeat(50)}!`],
    ["one for names", of({ type: "object", patternProperties: { "^(a+)+$": {} } }), { [`${"a".repeat(50)}!`]: 1 }],
    ["references that double", of({ $ref: "#/$defs/d0" }, doubling), 1],
    ["a circle", of({ $ref: "#/properties/a" }), 1],
    ["a circle through names", of({ $ref: "#/$defs/x~1y" }, { "x/y": { allOf: [{ $ref: "#/$defs/x~1y" }] } }), 1],
    ["a reference to everything", of({ $ref: "#" }), 1],
    ["a reference that leads nowhere", of({ $ref: "#/$defs/none" }), 1],
    ["a reference elsewhere", of({ $ref: "https://example.com/schema.json" }), 1],
    ["a depth without end", of(nested), 1],
    [
      "a comparison of each with each",
      of({ type: "array", uniqueItems: true }),
      Array.from({ length: 25_000 }, (_, n) => n),
    ],
    [
      "a long list of choices for a long list of values",
      of({ type: "array", items: { enum: Array.from({ length: 20_000 }, (_, n) => `v${n}`) } }),
      Array.from({ length: 20_000 }, () => "x"),
    ],
    [
      "a long text that is measured again and again",
      of({ allOf: Array.from({ length: 10_000 }, () => ({ minLength: 1 })) }),
      "x".repeat(190_000),
    ],
    [
      "names that a long list of values lacks",
      of({ type: "array", items: { required: Array.from({ length: 20_000 }, (_, n) => `v${n}`) } }),
      Array.from({ length: 20_000 }, () => ({})),
    ],
    ["no schema", { type: "object", properties: { a: 5 } } as JsonSchema, 1],
  ])("holds nobody up: %s", (_what, hostile, value) => {
    let changed: unknown;
    const took = cpuTime(() => (changed = changeValves(hostile, {}, { a: value })));
    expect(changed).toEqual({ a: value });
    expect(took).toBeLessThan(1000);
  });

  test("is not checked, and one that repeats itself moderately is", () => {
    expect(checkableSchema(of({ $ref: "#/$defs/d0" }, doubling), { a: 1 })).toBeUndefined();
    expect(checkableSchema(of({ $ref: "#/$defs/d55" }, doubling), { a: 1 })).toBeDefined();
    expect(checkableSchema(schema, { retries: 1 })).toBeDefined();
  });
});

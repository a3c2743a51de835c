import { describe, expect, it } from "vitest";
import { readArguments } from "../../../src/chat/tools/read-arguments.ts";
import { sumUsage } from "../../../src/chat/tools/sum-usage.ts";
import { titleOf } from "../../../src/chat/tools/title-of.ts";
import { joinValues, readToolValue } from "../../../src/chat/tools/tool-value.ts";
import { withUniqueNames } from "../../../src/chat/tools/unique-names.ts";
import { cutText } from "../../../src/lib/cut-text.ts";
import { cpuTime } from "../../cpu-time.ts";
import { say, tool } from "./tool-turn.ts";

describe("arguments that a model wrote", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      days: { type: "integer", minimum: 1 },
      unit: { enum: ["C", "F"] },
      place: { $ref: "#/$defs/place" },
    },
    $defs: { place: { type: "object", properties: { lat: { type: "number" } }, required: ["lat"] } },
    required: ["city"],
    additionalProperties: false,
  };

  it.each([
    ['{"city":"Oslo"}', { city: "Oslo" }],
    [' {"city":"Oslo","days":2,"place":{"lat":1}} ', { city: "Oslo", days: 2, place: { lat: 1 } }],
    ['"{\\"city\\":\\"Oslo\\"}"', { city: "Oslo" }],
  ])("%s are taken", (written, args) => {
    expect(readArguments(written, schema)).toEqual({ ok: true, args });
  });

  it.each([
    ['{"city":5}', "city: Instance type"],
    ['{"city":"x","days":0}', "days: 0 is less than 1"],
    ['{"city":"x","unit":"K"}', "unit: "],
    ['{"city":"x","place":{}}', 'place: Instance does not have required property "lat"'],
    ['{"city":"x","more":1}', '"more"'],
    ["{}", '"city"'],
    ["null", '"city"'],
    ["", '"city"'],
    ["[]", "one JSON object"],
    ["5", "one JSON object"],
    ['{"city":', "not valid JSON"],
  ])("%s are refused with what is wrong", (written, said) => {
    const read = readArguments(written, schema);
    expect(read.ok ? read : read.message).toContain(said);
  });

  it("are not held against a schema that is broken, or against its regular expressions", () => {
    expect(readArguments('{"a":1}', { $ref: "#/nowhere" }).ok).toBe(true);
    expect(readArguments('{"a":1}', { $ref: "#" }).ok).toBe(true);
    const slow = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    expect(readArguments(`{"a":"${"a".repeat(40)}!"}`, slow).ok).toBe(true);
    const byPattern = { type: "object", patternProperties: { "^x": {} }, additionalProperties: false };
    expect(readArguments('{"x1":1}', byPattern).ok).toBe(true);
    // A property that has the name of a keyword is one like any other.
    const named = { type: "object", properties: { pattern: { type: "string" }, format: { type: "string" } } };
    expect(readArguments('{"pattern":5}', named).ok).toBe(false);
    expect(readArguments('{"format":5}', named).ok).toBe(false);
  });

  it("hold nobody up, whatever the schema asks for", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        n === 39 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const list = JSON.stringify({ a: Array.from({ length: 50_000 }, (_, n) => n) });
    const took = cpuTime(() => {
      expect(readArguments('{"a":1}', { $defs: doubling, $ref: "#/$defs/d0" }).ok).toBe(true);
      expect(readArguments(list, { properties: { a: { type: "array", uniqueItems: true } } }).ok).toBe(true);
    });
    expect(took).toBeLessThan(1000);
  });

  it("may be nested as deep as they like", () => {
    const deep = `{"city":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect(readArguments(deep, { type: "object" }).ok).toBeTypeOf("boolean");
  });
});

describe("what a tool returned", () => {
  it.each([
    ["text", "text"],
    [null, ""],
    [undefined, ""],
    [0, "0"],
    [false, "false"],
    [{ a: [1] }, '{"a":[1]}'],
    [["a", "b"], '["a","b"]'],
    [["a", { b: 1 }], '["a",{"b":1}]'],
    [["<b>x</b>", { "Content-Type": "text/html" }], "<b>x</b>"],
    [[{ a: 1 }, { "content-type": "application/json" }], '{"a":1}'],
  ])("%j is told as text", (value, content) => {
    expect(readToolValue(value)).toEqual({ content, embeds: [] });
  });

  it("is shown where it is a page that says so", () => {
    const headers = { "Content-Type": "text/html; charset=utf-8", "content-disposition": "inline" };
    expect(readToolValue(["<b>x</b>", headers])).toEqual({
      content: "The page is shown to the person.",
      embeds: ["<b>x</b>"],
    });
  });

  it("in pieces is one text, if all of them are texts", () => {
    expect(joinValues(["a", "b"])).toBe("ab");
    expect(joinValues(["a", { b: 1 }])).toEqual(["a", { b: 1 }]);
    expect(joinValues([])).toBe("");
  });
});

it("names of tools are plain, and each is there once", () => {
  const long = "n".repeat(70);
  const names = ["get", "get", "get", "get weather!", "", long, long, "plugin_get_get"].map((name) =>
    tool(name, () => say("")),
  );
  const unique = withUniqueNames(names).map(({ spec }) => spec.name);
  expect(new Set(unique).size).toBe(names.length);
  for (const name of unique) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(unique.slice(0, 5)).toEqual(["get", "plugin_get_get", "get_2", "get_weather_", "tool"]);
});

it.each([
  ["get_current_weather", "Get current weather"],
  ["getCurrentWeather", "Get current weather"],
  ["search-web", "Search web"],
  ["query_SQL", "Query SQL"],
  ["__", "__"],
  ["x", "X"],
])("%s is called %s", (name, title) => {
  expect(titleOf(name)).toBe(title);
});

describe("usage", () => {
  it("of one call is that call's", () => {
    const usage = { prompt_tokens: 3, extra: 1 };
    expect(sumUsage([usage])).toBe(usage);
    expect(sumUsage([undefined, usage])).toBe(usage);
    expect(sumUsage([])).toBeUndefined();
  });

  it("of several is the last one's and the sum", () => {
    expect(
      sumUsage([
        { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, cost: 5 },
        undefined,
        { prompt_tokens: 20, completion_tokens: 2 },
        { input_tokens: 30, output_tokens: 3, total_tokens: "many" },
      ]),
    ).toEqual({ input_tokens: 60, output_tokens: 6, total_tokens: 66 });
  });
});

it("text is never cut within a character", () => {
  expect(cutText("a😀b", 2)).toBe("a");
  expect(cutText("a😀b", 3)).toBe("a😀");
  expect(cutText("ab", 5)).toBe("ab");
  expect(cutText("ab", 0)).toBe("");
});

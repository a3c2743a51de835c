import { describe, expect, it } from "vitest";
import { checkValues } from "../../../../src/ui/components/schema-form/check-values.ts";
import { humanize } from "../../../../src/ui/components/schema-form/humanize.ts";
import { readSchema } from "../../../../src/ui/components/schema-form/read-schema.ts";
import { Unparsed } from "../../../../src/ui/components/schema-form/unparsed.ts";
import { valueChanges } from "../../../../src/ui/components/schema-form/value-changes.ts";

/** As pydantic writes the model of a plugin's valves. */
const valves = {
  $defs: {
    Level: { enum: ["low", "high"], title: "Level", type: "string" },
    Limits: {
      properties: { retries: { default: 3, minimum: 0, maximum: 9, title: "Retries", type: "integer" } },
      title: "Limits",
      type: "object",
    },
  },
  properties: {
    priority: { default: 0, description: "Order of the filters.", title: "Priority", type: "integer" },
    API_BASE_URL: { default: "https://api.example.com/v1", title: "Api Base Url", type: "string" },
    api_key: { format: "password", title: "Api Key", type: "string", writeOnly: true },
    system_prompt: { default: "", title: "System Prompt", type: "string" },
    temperature: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "null" }], default: null },
    enabled: { default: true, title: "Enabled", type: "boolean" },
    level: { $ref: "#/$defs/Level", default: "low" },
    mode: { default: "fast", enum: ["fast", "slow"], title: "Mode", type: "string" },
    region: {
      default: "eu",
      type: "string",
      input: { type: "select", options: [{ value: "eu", label: "Europe" }, "us"] },
    },
    hosts: { default: [], items: { type: "string" }, minItems: 0, maxItems: 2, title: "Hosts", type: "array" },
    limits: { allOf: [{ $ref: "#/$defs/Limits" }] },
    extra: { additionalProperties: true, default: {}, title: "Extra", type: "object" },
    size: { anyOf: [{ const: 1 }, { const: 2 }], default: 1 },
  },
  required: ["api_key"],
  title: "Valves",
  type: "object",
};
const fields = readSchema(valves);
const field = (name: string) => fields.find((each) => each.name === name);

describe("fields of a schema", () => {
  it("have the kind that fits what may be entered", () => {
    expect(Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))).toEqual({
      priority: "integer",
      API_BASE_URL: "text",
      api_key: "password",
      system_prompt: "multiline",
      temperature: "number",
      enabled: "boolean",
      level: "choice",
      mode: "choice",
      region: "choice",
      hosts: "list",
      limits: "object",
      extra: "json",
      size: "choice",
    });
  });

  it("know what must be given, what may be null and what holds otherwise", () => {
    expect(field("api_key")).toMatchObject({ required: true, nullable: false });
    expect(field("temperature")).toMatchObject({ required: false, nullable: true, default: null });
    expect(field("level")).toMatchObject({ default: "low", label: "Level" });
    expect(field("region")?.choices).toEqual([
      { value: "eu", label: "Europe" },
      { value: "us", label: "us" },
    ]);
    expect(field("limits")?.fields).toMatchObject([
      { name: "retries", default: 3, limits: { minimum: 0, maximum: 9 } },
    ]);
  });

  it("survive schemas that are none, refer to nothing or contain themselves", () => {
    const node: Record<string, unknown> = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
    for (const schema of [undefined, null, 3, "x", [], {}, { properties: 3 }, { properties: { a: 4 } }]) {
      expect(Array.isArray(readSchema(schema))).toBe(true);
    }
    expect(readSchema({ properties: { a: { $ref: "#/$defs/Gone" } } })).toMatchObject([{ kind: "json" }]);
    expect(JSON.stringify(readSchema({ $defs: { Node: node }, ...node })).length).toBeLessThan(10_000);
    expect(readSchema({ $defs: { A: { $ref: "#/$defs/A" } }, properties: { a: { $ref: "#/$defs/A" } } })).toMatchObject(
      [{ kind: "json" }],
    );
  });

  it("are named in words", () => {
    expect(humanize("api_base_url")).toBe("Api base url");
    expect(humanize("maxTokens")).toBe("Max tokens");
    expect(humanize("")).toBe("");
  });
});

describe("what is sent", () => {
  it("is what has changed, and null for what goes back to its default", () => {
    expect(valueChanges({ a: 1, b: [1], c: "x" }, { a: 1, b: [1, 2], d: false })).toEqual({
      b: [1, 2],
      c: null,
      d: false,
    });
    expect(valueChanges({ a: { b: 1 } }, { a: { b: 1 } })).toEqual({});
  });
});

describe("the check before saving", () => {
  const check = (values: Record<string, unknown>) => checkValues(fields, { api_key: "k", ...values });

  it("finds nothing where all is well, with defaults and without", () => {
    expect(check({})).toEqual({});
    expect(
      check({ temperature: null, priority: -3, hosts: ["a"], limits: { retries: 0 }, size: 2, extra: { a: 1 } }),
    ).toEqual({});
  });

  it.each([
    ["api_key", { api_key: undefined }, "required"],
    ["priority", { priority: new Unparsed("x") }, "number"],
    ["priority", { priority: 1.5 }, "whole"],
    ["priority", { priority: null }, "required"],
    ["temperature", { temperature: 0 }, "More than 0"],
    ["mode", { mode: "other" }, "Choose"],
    ["hosts", { hosts: ["a", "b", "c"] }, "At most 2"],
    ["limits.retries", { limits: { retries: 10 } }, "At most 9"],
    ["extra", { extra: new Unparsed("{") }, "JSON"],
  ])("says what is wrong with %s: %j", (path, values, said) => {
    const errors = check(values);
    expect(Object.keys(errors)).toEqual([path]);
    expect(errors[path]).toContain(said);
  });

  it("keeps to lengths and patterns, counts characters, and leaves foreign patterns to the service", () => {
    const texts = readSchema({
      properties: {
        short: { type: "string", maxLength: 2 },
        code: { type: "string", pattern: "^[a-z]+$" },
        foreign: { type: "string", pattern: "(?P<name>x)" },
        step: { type: "number", multipleOf: 0.1 },
      },
    });
    expect(checkValues(texts, { short: "👍👍", code: "ab", foreign: "y", step: 0.3 })).toEqual({});
    expect(Object.keys(checkValues(texts, { short: "abc", code: "A", step: 0.35 }))).toEqual(["short", "code", "step"]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTextFields, replaceTexts } from "../../src/local-models/json-fields.ts";

const names = ["model", "name"];
const read = (json: string) => readTextFields(json, names).map(({ name, value }) => [name, value]);

describe("the names in a body", () => {
  test.each([
    ['{"model":"a"}', [["model", "a"]]],
    ['  { "x" : [1,{"model":"no"}], "model"\t:\n"a" }', [["model", "a"]]],
    ['{"x":"\\"model\\":\\"no\\"","model":"a"}', [["model", "a"]]],
    [
      '{"x":"model","model":"a","name":"b"}',
      [
        ["model", "a"],
        ["name", "b"],
      ],
    ],
    ['{"\\u006dodel":"a"}', [["model", "a"]]],
    ['{"model":"caf\\u00e9 \\"x\\""}', [["model", 'café "x"']]],
    ['{"model":7}', []],
    ['{"model":null,"messages":[{"model":"no"}]}', []],
    ['{"Model":"a"}', []],
    ['["model","a"]', []],
    ["{}", []],
  ])("%s", (json, found) => {
    expect(read(json)).toEqual(found);
  });

  test.each([
    '{"model":"a","model":"b"}',
    '{"model":"a","MODEL":"b"}',
    '{"Name":"a","name":"b"}',
    '{"model":"a","mo\\u0064el":null}',
  ])("%s is refused: runtimes do not agree which of them counts", (json) => {
    expect(() => read(json)).toThrow("more than once");
  });

  test("are found and replaced in any document, and nothing else is touched", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.string(),
        fc.string(),
        fc.nat(3),
        (rest, name, other, indent) => {
          const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !names.includes(key.toLowerCase())));
          const json = JSON.stringify({ ...others, model: name, last: [1.5, { model: "no" }] }, null, indent);
          const fields = readTextFields(json, names);
          expect(fields.map(({ value }) => value)).toEqual([name]);
          expect(replaceTexts(json, fields, ({ value }) => value)).toBe(json);
          const replaced = JSON.parse(replaceTexts(json, fields, () => other)) as Record<string, unknown>;
          expect(replaced).toEqual({ ...(JSON.parse(json) as object), model: other });
        },
      ),
    );
  });
});

import { expect, test } from "vitest";
import { readExample } from "../../../../../src/ui/features/admin/plugins/examples.ts";
import { sampleArguments } from "../../../../../src/ui/features/admin/plugins/sample-arguments.ts";

test("an example is known by its first comment, in either language", () => {
  const python = readExample(
    "../examples/search.py",
    '"""\ntitle: Search\ndescription: Finds: things\nhosts: a.example, *.b.example\n"""\n\nclass Tools:\n    pass\n',
  );
  expect(python).toMatchObject({
    name: "Search",
    description: "Finds: things",
    language: "python",
    family: "tool",
    hosts: ["a.example", "*.b.example"],
  });
  const script = readExample("x/style.ts", "/**\n * title: Style\n */\nexport default class Filter {}\n");
  expect(script).toMatchObject({
    name: "Style",
    description: "",
    language: "javascript",
    family: "function",
    hosts: [],
  });
  expect(readExample("x/bare.py", "class Pipe:\n    pass\n")).toMatchObject({ name: "bare.py", family: "function" });
});

test("what a function is tried with fits its schema", () => {
  const specs = [
    {
      name: "find",
      parameters: {
        properties: {
          text: { type: "string" },
          most: { type: "integer", default: 3 },
          kind: { enum: ["new", "old"] },
          tags: { type: "array" },
          near: { type: "object" },
          exact: { type: "boolean" },
        },
      },
    },
  ];
  expect(sampleArguments("find", specs)).toEqual({ text: "", most: 3, kind: "new", tags: [], near: {}, exact: true });
  expect(sampleArguments("inlet", [])).toMatchObject({ body: { messages: [{ role: "user" }] } });
  expect(sampleArguments("stream", [])).toHaveProperty("event.choices");
  expect(sampleArguments("pipes", [])).toEqual({});
});

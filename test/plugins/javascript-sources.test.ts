import { describe, expect, it } from "vitest";
import { weather } from "./call-source.ts";
import { createNodePluginHost } from "./node-plugin-host.ts";

const host = createNodePluginHost();

describe("what is found out about a source", () => {
  it("describes tools by their types and comments", async () => {
    const { info, problems } = await host.describe(weather, []);
    expect(problems).toEqual([]);
    expect(info).toMatchObject({
      type: "tools",
      language: "javascript",
      manifest: { title: "Weather", author: "Ada", version: "1.2.0", description: "What it is like outside" },
      hooks: [],
      valveDefaults: { priority: 0, apiKey: "", units: "metric" },
    });
    expect(info?.specs).toEqual([
      {
        name: "today",
        description: "The weather of today.",
        parameters: {
          type: "object",
          properties: {
            city: { type: "string", description: "Name of the city" },
            days: { type: "number", description: "How far ahead", default: 3 },
            kind: { enum: ["hourly", "daily"] },
          },
          required: ["city"],
        },
      },
      {
        name: "nested",
        description: "nested",
        parameters: {
          type: "object",
          properties: {
            place: {
              type: "object",
              properties: { city: { type: "string" }, country: { type: "string" } },
              required: ["city"],
              description: "Where",
            },
            tags: { type: "array", items: { type: "string" }, default: ["a"] },
          },
          required: ["place"],
        },
      },
      {
        name: "arrow",
        description: "arrow",
        parameters: {
          type: "object",
          properties: {
            maybe: { type: ["string", "null"] },
            either: { type: ["number", "string"] },
            map: { type: "object", additionalProperties: { type: "boolean" } },
          },
          required: ["maybe"],
        },
      },
    ]);
    expect(info?.valvesSchema).toEqual({
      type: "object",
      title: "Valves",
      properties: {
        priority: { title: "Priority", type: "number", description: "Sooner than others when lower.", default: 0 },
        apiKey: {
          title: "Api Key",
          type: "string",
          description: "Key of the service.",
          default: "",
          input: { type: "password" },
        },
        units: { title: "Units", type: "string", enum: ["metric", "imperial"], default: "metric" },
        days: { title: "Days", type: "number", minimum: 1, maximum: 5 },
      },
      required: ["days"],
    });
    expect(info?.userValvesSchema).toEqual({
      type: "object",
      title: "UserValves",
      properties: { home: { title: "Home", type: "string", description: "Where one is when nothing else is said." } },
    });
  });

  it("reads plain JavaScript with types in comments", async () => {
    const { info } = await host.describe(
      `export class Tools {
        /**
         * Adds.
         * @param {integer} a - One
         * @param {("x"|"y")[]} [b] The others
         * @param {{deep: string}} c
         */
        add(a, b, c) { return a }
      }`,
      [],
    );
    expect(info?.specs[0]?.parameters).toEqual({
      type: "object",
      properties: {
        a: { type: "integer", description: "One" },
        b: { type: "array", items: { type: "string", enum: ["x", "y"] }, description: "The others" },
        c: { type: "object", properties: { deep: { type: "string" } }, required: ["deep"] },
      },
      required: ["a", "c"],
    });
  });

  it("knows the kinds by name, or by what they can do", async () => {
    const cases: [string, string, string[]][] = [
      ["export class Pipe { pipes = [{id: 'a', name: 'A'}]; async pipe(body) {} }", "pipe", ["pipe"]],
      ["export default class { inlet(body) { return body } outlet(body) {} }", "filter", ["inlet", "outlet"]],
      ["class Mine { action(body) {} } export { Mine as Action }", "action", ["action"]],
      ["export default { stream(event) { return event } }", "filter", ["stream"]],
      ["class Base { pipe() {} } export class Pipe extends Base {}", "pipe", ["pipe"]],
      ["export const Tools = { hello: () => 1 } satisfies object", "tools", []],
    ];
    for (const [source, type, hooks] of cases) {
      const { info, problems } = await host.describe(source, []);
      expect({ source, type: info?.type, hooks: info?.hooks, problems }).toEqual({ source, type, hooks, problems: [] });
    }
    const { info } = await host.describe(
      `export class Filter { toggle = true; icon = "data:x"; file_handler = true; inlet(b) { return b } }`,
      [],
    );
    expect(info).toMatchObject({ toggle: true, icon: "data:x", fileHandler: true });
  });

  it.each([
    ["export class Tools { broken( }", /Unexpected token/, 1],
    ["import fs from 'node:fs';\nexport class Tools {}", /node:fs/, 1],
    ["const a = 1;", /Export one class/, undefined],
    ["export class Tools { a() {} }\nexport class Pipe { pipe() {} }", /only one/, 2],
    ["export class Pipe { run() {} }", /none of the functions.*pipe\(\)/, 1],
    ["export class Tools {\n a() {}\n constructor() { throw new RangeError('no') } }", /RangeError: no/, 3],
    ["/* requirements: lodash */ export class Tools {}", /requirements/, undefined],
    ["export class Tools { grüße() {} }", /cannot call a tool/, 1],
  ])("refuses %s", async (source, message, line) => {
    const { info, code, problems } = await host.describe(source, []);
    expect(info).toBeUndefined();
    expect(code).toBeUndefined();
    expect(problems[0]?.severity).toBe("error");
    expect(problems[0]?.message).toMatch(message);
    expect(problems[0]?.line).toBe(line);
  });

  it("ends types that refer to themselves", async () => {
    const { info } = await host.describe(
      `interface Tree extends Tree { left?: Tree; right?: Tree[]; value: Loop }
      type Loop = Loop | string;
      type A = { b: B }; type B = { a: A };
      export class Tools { grow(tree: Tree, a: A) {} }`,
      [],
    );
    expect(info?.specs[0]?.parameters["properties"]).toEqual({
      tree: {
        type: "object",
        properties: { left: {}, right: { type: "array", items: {} }, value: {} },
        required: ["value"],
      },
      a: {
        type: "object",
        properties: { b: { type: "object", properties: { a: {} }, required: ["a"] } },
        required: ["b"],
      },
    });
  });

  it("does not break on sources without end", async () => {
    const nested = `export class Tools { a() { return ${"[".repeat(50_000)}${"]".repeat(50_000)} } }`;
    const long = `export class Tools { ${Array.from({ length: 3000 }, (_, n) => `t${n}(a: string) {}`).join("\n")} }`;
    expect((await host.describe(nested, [])).problems).toMatchObject([{ severity: "error" }]);
    expect((await host.describe(long, [])).info?.specs).toHaveLength(3000);
    for (const odd of [
      "\0",
      "\ud800",
      "export",
      "export default",
      "#!/usr/bin/env node",
      "<script>",
      "{".repeat(1000),
    ]) {
      const { info, problems } = await host.describe(odd, []);
      expect({ odd, info }).toEqual({ odd, info: undefined });
      expect(problems.length).toBeGreaterThan(0);
    }
  });

  it("warns of reserved names that nobody fills", async () => {
    const { info, problems } = await host.describe("export class Tools { a(__usr__, __user__) {} }", []);
    expect(info?.specs[0]?.parameters["properties"]).toEqual({});
    expect(problems).toMatchObject([{ severity: "warning", message: expect.stringContaining("__usr__") as string }]);
  });

  it("loads nothing else, wherever it tries", async () => {
    for (const attempt of [
      `async a() { return import("cloudflare:workers") }`,
      `a = [() => \`\${(async () => [await import("x")])()}\`]; b() {}`,
      `a(x = import("x")) {}`,
      `[(import("x"), "a")]() {} b() {}`,
      `a() { return <any>import/* */\n("x") }`,
    ]) {
      const { code, problems } = await host.describe(`export class Tools { ${attempt} }`, []);
      expect({ attempt, code, problems }).toMatchObject({
        code: undefined,
        problems: [{ severity: "error", line: 1, message: expect.stringMatching(/must be a single file$/) as string }],
      });
    }
    const harmless = `type A = import("x").A; // import("x")
      export class Tools { import(a: A) { return "import(x)" + import.meta } b() { return this.import({}) } }`;
    expect((await host.describe(harmless, [])).problems).toEqual([]);
  });
});

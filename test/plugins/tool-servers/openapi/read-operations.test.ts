import { describe, expect, test } from "vitest";
import { readDocument } from "../../../../src/plugins/tool-servers/openapi/read-openapi-document.ts";
import { readOperations } from "../../../../src/plugins/tool-servers/openapi/read-operations.ts";
import { cpuTime } from "../../../cpu-time.ts";
import { boats, document } from "../documents.ts";

const entered = "https://tools.example/base";
const at = new URL("https://tools.example/base/openapi.json");
const read = (described: Record<string, unknown>, url = entered, where = at) => readOperations(described, url, where);
const get = (values: Record<string, unknown> = {}) => ({ get: { responses: {}, ...values } });
const bytes = (text: string) => new TextEncoder().encode(text);

describe("functions of a document", () => {
  test("are named by operationId or by method and path, in a form that models take, once each", () => {
    const long = "a".repeat(200);
    const { functions } = read(
      document({
        "/a/{b}": get(),
        "/a_b": get(),
        "/c": get({ operationId: "Größe messen!" }),
        "/d": get({ operationId: "dup" }),
        "/e": get({ operationId: "dup" }),
        "/f": get({ operationId: long }),
        "/g": get({ operationId: long }),
        "/h": get({ operationId: "日本" }),
      }),
    );
    const names = functions.map(({ spec }) => spec.name);
    expect(names.slice(0, 5)).toEqual(["get_a_b", "get_a_b_2", "Gro_e_messen", "dup", "dup_2"]);
    expect(names[5]).toBe("a".repeat(64));
    expect(names[6]).toBe(`${"a".repeat(62)}_2`);
    expect(names[7]).toBe("function");
    expect(new Set(names).size).toBe(8);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  test("take their arguments from every place, with names that do not collide", () => {
    const { functions, name } = read(boats);
    expect(name).toBe("Harbour");
    const [look, rename] = functions;
    expect(look!.spec).toEqual({
      name: "get_boat",
      description: "Look a boat up",
      parameters: {
        type: "object",
        properties: {
          id: { type: "integer" },
          tags: { type: "array", items: { type: "string" } },
          "X-Depth": { type: "string" },
          flavour: { type: "string" },
        },
        required: ["id"],
      },
    });
    expect(rename!.spec.parameters).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        id_body: { type: "string", description: "Hull" },
        name: { type: "string" },
      },
      required: ["id", "name"],
    });
  });

  test("have parameters of the template that nobody described, and none that the template lacks", () => {
    const { functions } = read(
      document({ "/x/{here}": get({ parameters: [{ name: "gone", in: "path", required: true, schema: {} }] }) }),
    );
    expect(functions[0]!.spec.parameters).toEqual({
      type: "object",
      properties: { here: { type: "string" } },
      required: ["here"],
    });
  });

  test("say what OpenAPI 3.0 says in its own way in the usual one", () => {
    const schema = {
      type: "object",
      properties: {
        depth: { type: "number", nullable: true, minimum: 0, exclusiveMinimum: true, example: 5, xml: {} },
        made: { type: "string", readOnly: true },
        kind: { type: "string", enum: ["a"], nullable: true },
      },
      required: ["depth", "made"],
    };
    const { functions } = read(
      document(
        {
          "/x": {
            post: { requestBody: { required: true, content: { "application/json": { schema } } }, responses: {} },
          },
        },
        { openapi: "3.0.3" },
      ),
    );
    expect(functions[0]!.spec.parameters).toEqual({
      type: "object",
      properties: {
        depth: { type: ["number", "null"], exclusiveMinimum: 0 },
        kind: { type: ["string", "null"], enum: ["a", null] },
      },
      required: ["depth"],
    });
  });
});

describe("references", () => {
  const components = {
    parameters: { Id: { name: "id", in: "query", schema: { $ref: "#/components/schemas/A~1b" } } },
    schemas: {
      "A/b": { type: "string", description: "odd name" },
      Node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/Node" } } },
      Loop: { $ref: "#/components/schemas/Loop" },
    },
  };
  const body = (schema: unknown) => ({
    post: { requestBody: { content: { "application/json": { schema } } }, responses: {} },
  });

  test("are followed within the document", () => {
    const { functions } = read(
      document({ "/x": get({ parameters: [{ $ref: "#/components/parameters/Id" }] }) }, { components }),
    );
    expect(functions[0]!.spec.parameters["properties"]).toEqual({ id: { type: "string", description: "odd name" } });
  });

  test("may lead in circles: a tree ends where it would repeat itself", () => {
    const { functions } = read(
      document(
        {
          "/tree": body({ $ref: "#/components/schemas/Node" }),
          "/loop": body({ $ref: "#/components/schemas/Loop" }),
          "/itself": { $ref: "#/paths/~1itself" },
        },
        { components },
      ),
    );
    expect(functions).toHaveLength(2);
    expect(functions[0]!.spec.parameters["properties"]).toEqual({ name: { type: "string" }, next: {} });
    expect(functions[1]!.spec.parameters["properties"]).toEqual({ body: {} });
  });

  test("that lead nowhere or elsewhere allow anything, and are named", () => {
    const { functions, warnings } = read(
      document({
        "/x": body({ properties: { a: { $ref: "#/nothing" }, b: { $ref: "https://evil.example/b.json" } } }),
      }),
    );
    expect(functions[0]!.spec.parameters["properties"]).toEqual({ a: {}, b: {} });
    expect(warnings).toEqual([
      "The reference cannot be resolved: #/nothing",
      "References to other documents are not followed",
    ]);
  });

  test("that would grow beyond all bounds are cut, quickly", () => {
    const schemas: Record<string, unknown> = { L0: { type: "string" } };
    for (let level = 1; level <= 30; level++) {
      const below = { $ref: `#/components/schemas/L${level - 1}` };
      schemas[`L${level}`] = { type: "object", properties: { a: below, b: below, c: below } };
    }
    const paths: Record<string, unknown> = {};
    for (let path = 0; path < 100; path++) paths[`/p${path}`] = body({ $ref: "#/components/schemas/L30" });
    const { functions, warnings } = read(document(paths, { components: { schemas } }));
    expect(functions).toHaveLength(100);
    expect(warnings).toContain("Very deep or very large parts are shortened");
    expect(JSON.stringify(functions).length).toBeLessThan(20_000_000);
  });

  test("100,000 of them in one document are read", () => {
    const properties: Record<string, unknown> = {};
    for (let at = 0; at < 100_000; at++) properties[`p${at}`] = { $ref: "#/components/schemas/A~1b" };
    const { functions } = read(document({ "/x": body({ type: "object", properties }) }, { components }));
    expect(functions).toHaveLength(1);
  });
});

describe("what is no well-formed document", () => {
  test("gives what can be had of it", () => {
    const { functions } = read(
      document({
        nonsense: get(),
        "/null": null,
        "/list": [],
        "/text": { get: "text" },
        "/odd": get({ parameters: [null, 7, { name: 5, in: "query" }, { name: "q", in: "nowhere" }, { in: "query" }] }),
        "/proto": get({ operationId: "__proto__", parameters: [{ name: "__proto__", in: "query", schema: {} }] }),
        "/body": { post: { requestBody: { content: { "application/json": null } } } },
      }),
    );
    expect(functions.map(({ spec }) => spec.name)).toEqual(["get_odd", "proto", "post_body"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("says what it is instead", () => {
    const say = (text: string) => () => readDocument(bytes(text), "tools.example");
    expect(say("<!doctype html><p>hello")).toThrow("a web page instead of an OpenAPI document");
    expect(say("")).toThrow("nothing");
    expect(say('{"swagger":"2.0"}')).toThrow("Swagger 2.0: OpenAPI 3 is required");
    expect(say('{"a":1}')).toThrow("did not return an OpenAPI 3 document");
    expect(say('{"openapi":"3.1.0","paths":[]}')).toThrow("paths is not an object");
    expect(say("a: 'b")).toThrow("neither JSON nor YAML");
    expect(say('{"openapi": broken')).toThrow("instead of an OpenAPI document");
    expect(say("\u{0}\u{1}\u{2}")).toThrow("tools.example");
  });

  test.each([
    ["many keys", numbered("k%: v", 30_000), /^$/],
    ["many aliases", ["x:", ...numbered("- &a%", 10_000), ...numbered("- *a%", 10_000)], /too many aliases/],
    ["merged keys", ["b: &b", ...numbered("  k%: v", 9000), ...numbered("c%:\n  <<: *b", 150)], /too many aliases/],
  ])("YAML with %s holds nobody up", (_what, lines, refusal) => {
    const reading = () => readDocument(bytes(`openapi: 3.1.0\n${lines.join("\n")}`), "x");
    expect(cpuTime(() => expect(said(reading)).toMatch(refusal))).toBeLessThan(8000);
  });

  test("YAML is read, anchors within reason", () => {
    const yaml =
      "openapi: 3.0.1\ninfo: {title: Yaml}\npaths:\n  /x:\n    get: &op\n      operationId: one\n    delete: *op\n";
    expect(read(readDocument(bytes(yaml), "x")).functions.map(({ spec }) => spec.name)).toEqual(["one", "one_2"]);
    const lines = ["openapi: 3.0.1", 'a0: &a0 ["x","x","x","x","x","x","x","x","x"]'];
    for (let level = 1; level < 12; level++)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(",")}]`);
    expect(() => readDocument(bytes(lines.join("\n")), "x")).toThrow("neither JSON nor YAML");
  });
});

describe("where operations are called", () => {
  const base = (servers: unknown, url = entered, where = at) =>
    (read(document({ "/x": get() }, { servers }), url, where).functions[0]!.plan as { baseUrl: string }).baseUrl;

  test("is where the document says, relative to itself", () => {
    expect(base([{ url: "/api/v3" }])).toBe("https://tools.example/api/v3");
    expect(base([{ url: "v2/" }])).toBe("https://tools.example/base/v2");
    expect(base([{ url: "https://tools.example/{v}", variables: { v: { default: "v7" } } }])).toBe(
      "https://tools.example/v7",
    );
  });

  test("is what was entered where the document says nothing, or another host", () => {
    for (const servers of [
      undefined,
      [],
      "x",
      [{ url: "/" }],
      [{ url: "http://localhost:8000" }],
      [{ url: "javascript:alert(1)" }],
    ])
      expect(base(servers)).toBe(entered);
    expect(base([{ url: "http://169.254.169.254/latest" }, { url: "https://tools.example/second" }])).toBe(
      "https://tools.example/second",
    );
    expect(base([{ url: "/v1" }], entered, new URL("https://specs.example/openapi.json"))).toBe(entered);
  });

  test("may differ by path and operation", () => {
    const { functions } = read(
      document(
        { "/x": { servers: [{ url: "/path" }], get: { servers: [{ url: "/own" }] }, put: {} } },
        { servers: [{ url: "/all" }] },
      ),
    );
    expect(functions.map(({ plan }) => (plan as { baseUrl: string }).baseUrl)).toEqual([
      "https://tools.example/own",
      "https://tools.example/path",
    ]);
  });
});

/** Lines with numbers in the place of `%`. */
function numbered(line: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => line.replaceAll("%", String(n)));
}

/** What the work is refused with; empty where it is not. */
function said(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

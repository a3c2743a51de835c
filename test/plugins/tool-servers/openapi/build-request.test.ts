import { describe, expect, test } from "vitest";
import { buildRequest } from "../../../../src/plugins/tool-servers/openapi/build-request.ts";
import type { OperationPlan } from "../../../../src/plugins/tool-servers/openapi/operation-plan.ts";
import { readOperations } from "../../../../src/plugins/tool-servers/openapi/read-operations.ts";
import { document } from "../documents.ts";

const at = new URL("https://tools.example/openapi.json");

function planOf(path: string, operation: Record<string, unknown>, method = "post"): OperationPlan {
  const { functions } = readOperations(document({ [path]: { [method]: operation } }), "https://tools.example", at);
  return functions[0]!.plan as OperationPlan;
}
const query = (parameter: Record<string, unknown>, value: unknown) =>
  buildRequest(planOf("/x", { parameters: [{ name: "q", in: "query", ...parameter }] }), { q: value }).url.search;
const inPath = (parameter: Record<string, unknown>, value: unknown) =>
  buildRequest(planOf("/x/{p}", { parameters: [{ name: "p", in: "path", ...parameter }] }), { p: value }).url.pathname;
const body = (contentType: string, schema: unknown, args: Record<string, unknown>, required = true) =>
  buildRequest(planOf("/x", { requestBody: { required, content: { [contentType]: { schema } } } }), args);
const object = { type: "object", properties: { a: { type: "string" }, n: { type: "integer" } } };

describe("a call", () => {
  test("has each argument in its place, and only there", async () => {
    const plan = planOf("/boats/{id}", {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer" } },
        { name: "q", in: "query", schema: {} },
        { name: "X-Depth", in: "header", schema: {} },
        { name: "flavour", in: "cookie", schema: {} },
        { name: "filter[name]", in: "query", schema: {} },
      ],
      requestBody: { required: true, content: { "application/json": { schema: object } } },
    });
    const {
      url,
      method,
      headers,
      body: sent,
    } = buildRequest(plan, {
      id: 7,
      q: "deep & wide",
      "X-Depth": "9 m",
      flavour: "salt; path=/",
      filter_name: "x",
      a: "b",
      n: 2,
      unknown: "nothing",
    });
    expect(url.href).toBe("https://tools.example/boats/7?q=deep%20%26%20wide&filter%5Bname%5D=x");
    expect(method).toBe("POST");
    expect(headers.get("x-depth")).toBe("9 m");
    expect(headers.get("cookie")).toBe("flavour=salt%3B%20path%3D%2F");
    expect(headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(sent as string)).toEqual({ a: "b", n: 2 });
  });

  test("says which argument is missing, and sends none that was not given", () => {
    const plan = planOf("/x/{p}", { parameters: [{ name: "q", in: "query", schema: {} }] });
    expect(() => buildRequest(plan, {})).toThrow("The argument p is missing");
    expect(buildRequest(plan, { p: "1", q: null }).url.search).toBe("");
    expect(() => body("application/json", { ...object, required: ["a"] }, { n: 1 })).toThrow(
      "The argument a is missing",
    );
  });

  test("does not leave its path, whatever the arguments are", () => {
    for (const value of ["..", "."]) expect(() => inPath({}, value)).toThrow("cannot be . or ..");
    expect(() => inPath({}, "")).toThrow("The argument p is part of the path and cannot be empty");
    expect(inPath({}, "../admin")).toBe("/x/..%2Fadmin");
    expect(inPath({}, "a/b?c#d")).toBe("/x/a%2Fb%3Fc%23d");
    expect(inPath({}, "%2e%2e")).toBe("/x/%252e%252e");
    expect(inPath({}, "\ud800")).toBe("/x/%EF%BF%BD");
  });

  test("refuses headers that belong to the connection or break the line", () => {
    const header = (name: string, value: unknown) => () =>
      buildRequest(planOf("/x", { parameters: [{ name, in: "header", schema: {} }] }), { [name]: value });
    expect(header("Host", "evil.example")).toThrow("The header Host cannot be sent");
    expect(header("Cookie", "token=1")).toThrow("The header Cookie cannot be sent");
    expect(header("X-A", "a\r\nX-B: c")().headers.get("x-a")).toBe("a%0D%0AX-B: c");
    expect(header("X-A", "Zürich")().headers.get("x-a")).toBe("Z%C3%BCrich");
  });

  test("ignores parameters that the standard says are none", () => {
    const plan = planOf("/x", { parameters: [{ name: "Authorization", in: "header", schema: {} }] });
    expect(plan.parameters).toEqual([]);
  });
});

describe("styles (OpenAPI 3.1, 4.8.12.4)", () => {
  const color = ["blue", "black"];
  const rgb = { R: 100, G: 200 };

  test.each([
    [{}, color, "?q=blue&q=black"],
    [{ explode: false }, color, "?q=blue,black"],
    [{ style: "spaceDelimited", explode: false }, color, "?q=blue%20black"],
    [{ style: "pipeDelimited", explode: false }, color, "?q=blue%7Cblack"],
    [{}, rgb, "?R=100&G=200"],
    [{ explode: false }, rgb, "?q=R,100,G,200"],
    [{ style: "deepObject", explode: true }, rgb, "?q%5BR%5D=100&q%5BG%5D=200"],
    [{ content: { "application/json": { schema: {} } } }, rgb, "?q=%7B%22R%22%3A100%2C%22G%22%3A200%7D"],
    [{}, true, "?q=true"],
    [{ allowReserved: true }, "a/b?c&d", "?q=a/b?c%26d"],
    [{}, [], ""],
  ])("query %j of %j is %s", (parameter, value, expected) => {
    expect(query(parameter, value)).toBe(expected);
  });

  test.each([
    [{}, color, "/x/blue,black"],
    [{ style: "label" }, color, "/x/.blue,black"],
    [{ style: "label", explode: true }, color, "/x/.blue.black"],
    [{ style: "matrix" }, color, "/x/;p=blue,black"],
    [{ style: "matrix", explode: true }, color, "/x/;p=blue;p=black"],
    [{}, rgb, "/x/R,100,G,200"],
    [{ explode: true }, rgb, "/x/R=100,G=200"],
    [{ style: "matrix", explode: true }, rgb, "/x/;R=100;G=200"],
  ])("path %j of %j is %s", (parameter, value, expected) => {
    expect(inPath(parameter, value)).toBe(expected);
  });
});

describe("bodies", () => {
  test("are JSON, forms, multipart forms or text", async () => {
    expect(body("application/json", object, { a: "x" }).body).toBe('{"a":"x"}');
    expect(body("application/vnd.harbour+json", { type: "array" }, { body: [1] }).body).toBe("[1]");
    const form = body("application/x-www-form-urlencoded", object, { a: "x y", n: 3 });
    expect(form.body).toBe("a=x+y&n=3");
    expect(form.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
    const multi = body("multipart/form-data", object, { a: "x" });
    expect(multi.headers.has("content-type")).toBe(false);
    expect([...(multi.body as FormData)]).toEqual([["a", "x"]]);
    const text = body("text/plain", { type: "string" }, { body: "ahoy" });
    expect(text.body).toBe("ahoy");
    expect(text.headers.get("content-type")).toBe("text/plain");
  });

  test("JSON is chosen where there are several", () => {
    const plan = planOf("/x", {
      requestBody: { content: { "text/plain": {}, "application/json": { schema: object }, "text/xml": {} } },
    });
    expect(plan.body?.contentType).toBe("application/json");
  });

  test("are left out where none is needed and none is given", () => {
    expect(body("application/json", object, {}, false).body).toBeUndefined();
    expect(body("application/json", object, {}, true).body).toBe("{}");
    expect(() => body("application/json", { type: "array" }, {}, true)).toThrow("The argument body is missing");
  });

  test("that are one of several shapes are given whole", () => {
    const schema = { oneOf: [object, { type: "string" }] };
    expect(body("application/json", schema, { body: { a: "x" } }).body).toBe('{"a":"x"}');
    const both = { allOf: [object, { type: "object", properties: { more: {} }, required: ["more"] }] };
    expect(body("application/json", both, { a: "x", more: 1 }).body).toBe('{"a":"x","more":1}');
  });
});

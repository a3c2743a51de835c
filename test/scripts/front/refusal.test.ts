import { afterEach, describe, expect, it } from "vitest";
import { dialectOf, Refusal, renderRefusal } from "../../../scripts/launch/front/refusal.ts";
import { createRouters } from "../../../src/compose/routes.ts";
import { renderMessagesError } from "../../../src/http/render-messages-error.ts";
import { declaredRoutes } from "../../../src/http/route-table.ts";
import { renderScimError } from "../../../src/scim/render-error.ts";
import { closeAll, type Line, request, Stage } from "./lines.ts";

afterEach(closeAll);

interface Answered {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

function parse(text: string): Answered {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ") as [string, string]));
  expect(headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) as Record<string, unknown> };
}

const refused = async (line: Line) => parse(await line.until(/\}$/));
const scim = "urn:ietf:params:scim:api:messages:2.0:Error";
const id = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/;

describe("an answer of the front", () => {
  it("has a request id, in the header and in the body, and never the same twice", () => {
    const [first, second] = [1, 2].map(() => parse(renderRefusal(new Refusal(400, "Bad.")).toString()));
    expect(first!.headers.get("x-request-id")).toMatch(id);
    expect(first!.body["request_id"]).toBe(first!.headers.get("x-request-id"));
    expect(first!.headers.get("x-request-id")).not.toBe(second!.headers.get("x-request-id"));
    expect(first!.headers.get("x-content-type-options")).toBe("nosniff");
    expect(first!.body).toMatchObject({ status: 400, detail: "Bad.", code: "bad_request", error: { message: "Bad." } });
  });

  it.each([
    [400, "invalid_request_error"],
    [408, "invalid_request_error"],
    [421, "invalid_request_error"],
    [429, "rate_limit_error"],
    [431, "invalid_request_error"],
    [503, "overloaded_error"],
    [505, "api_error"],
  ] as const)("to a client of the Messages API has its form: %i is %s", (status, type) => {
    const { headers, body } = parse(renderRefusal(new Refusal(status, "No."), "/api/v1/messages").toString());
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("request-id")).toMatch(id);
    expect(headers.get("x-request-id")).toBe(headers.get("request-id"));
    expect(body).toEqual({ type: "error", error: { type, message: "No." }, request_id: headers.get("request-id") });
    expect(headers.get("retry-after")).toBe(status === 429 || status === 503 ? "5" : null);
  });

  it("to an identity provider has SCIM's form", () => {
    const { headers, body } = parse(renderRefusal(new Refusal(503, "Full."), "/api/v1/scim/v2/Users?a=b").toString());
    expect(headers.get("content-type")).toBe("application/scim+json");
    expect(headers.get("x-request-id")).toMatch(id);
    expect(body).toEqual({ schemas: [scim], status: "503", detail: "Full." });
  });

  it("speaks as the service does on the same path", () => {
    const routes = declaredRoutes(createRouters());
    const expected = ({ path, policy }: (typeof routes)[number]) => {
      if (policy.dialect === renderScimError) return "scim";
      return policy.dialect === renderMessagesError || /\/v1\/messages(?:\/|$)/.test(path) ? "messages" : "usual";
    };
    const wrong = routes.filter((route) => dialectOf(route.path.replaceAll(/:\w+/g, "0")) !== expected(route));
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(new Set(routes.map(expected))).toEqual(new Set(["scim", "messages", "usual"]));
  });

  it.each([
    ["/v1/messages", "messages"],
    ["/v1/messages/count_tokens?beta=true", "messages"],
    ["http://localhost:8080/api/v1/messages", "messages"],
    ["/localmodel/v1/messages", "messages"],
    ["/ollama/2/v1/messages", "messages"],
    ["/api/v1/messagesque", "usual"],
    ["/api/v1/channels/1/messages", "usual"],
    ["/?/api/v1/messages", "usual"],
    ["/api/v1/scim/v2//Users", "scim"],
    ["/api/v1/scim/v20", "usual"],
    ["*", "usual"],
    ["", "usual"],
  ])("for %j is %s", (target, dialect) => {
    expect(dialectOf(target)).toBe(dialect);
  });
});

describe("the request that is refused decides the form", () => {
  it("when its head is wrong", async () => {
    const stage = await Stage.open();
    const line = await stage.call("POST /api/v1/messages HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    expect(await refused(line)).toMatchObject({ status: 400, body: { type: "error" } });
    const inPieces = await stage.call("POST /api/v1/scim/v2/Users HTTP/1.1\r\nHost: loc");
    inPieces.socket.write("alhost\r\nX-A: \0\r\n\r\n");
    expect(await refused(inPieces)).toMatchObject({ status: 400, body: { schemas: [scim] } });
    const bad = await stage.call("POST /api/v1/messages HTTP/3\r\n\r\n");
    expect(await refused(bad)).toMatchObject({ status: 505, body: { type: "error", error: { type: "api_error" } } });
  });

  it("when it is for another host, whatever comes behind it", async () => {
    const stage = await Stage.open({ WEBUI_URL: "https://chat.example" });
    const line = await stage.call(
      "GET /api/v1/messages HTTP/1.1\r\nHost: x.example\r\n\r\nGET /api/v1/scim/v2/Users HTTP/1.1\r\nHost: x.example\r\n\r\n",
    );
    expect(await refused(line)).toMatchObject({ status: 421, body: { type: "error" } });
  });

  it("when it is too slow, in its head and in its body", async () => {
    const stage = await Stage.open({}, { headMs: 20, bodyMs: 20 });
    const inHead = await stage.call("POST /api/v1/messages HTTP/1.1\r\nHost:");
    expect(await refused(inHead)).toMatchObject({ status: 408, body: { type: "error" } });
    const inBody = await stage.call(request("POST /api/v1/scim/v2/Users HTTP/1.1", ["Content-Length: 5"]));
    expect(await refused(inBody)).toMatchObject({ status: 408, body: { schemas: [scim] } });
  });

  it("when its body is wrong, or there is no room", async () => {
    const stage = await Stage.open({ MAX_CONNECTIONS: "1" });
    const first = await stage.call(request("POST /v1/messages HTTP/1.1", ["Transfer-Encoding: chunked"]));
    await (await stage.opened(0)).until(/\r\n\r\n$/);
    const second = await stage.call(request("POST /api/message HTTP/1.1"));
    expect(await refused(second)).toMatchObject({ status: 503, body: { error: { type: "overloaded_error" } } });
    first.socket.write("z\r\n");
    expect(await refused(first)).toMatchObject({ status: 400, body: { type: "error" } });
  });
});

import { describe, expect, test } from "vitest";
import { ApiError, readError, toApiError } from "../../../src/ui/lib/api-error.ts";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

describe("a failed answer", () => {
  test("in problem+json gives code, sentence, fields and request id", async () => {
    const error = await readError(
      answer(422, {
        title: "x",
        detail: "The name is empty",
        code: "validation_failed",
        request_id: "r1",
        issues: [
          { path: "name", message: "is empty" },
          { path: "name", message: "second" },
        ],
      }),
    );
    expect(error).toMatchObject({
      status: 422,
      code: "validation_failed",
      message: "The name is empty",
      requestId: "r1",
      issues: { name: "is empty" },
    });
  });

  test("in the dialect of completions gives its code and message", async () => {
    const error = await readError(
      answer(
        404,
        { error: { message: "No such model", type: "invalid_request_error", code: "model_not_found" } },
        { "x-request-id": "r2" },
      ),
    );
    expect(error).toMatchObject({ status: 404, code: "model_not_found", message: "No such model", requestId: "r2" });
  });

  test.each([
    ["<html>bad gateway</html>", 502, "http_502"],
    ["", 500, "http_500"],
    ["[]", 500, "http_500"],
  ])("that is no JSON object (%j) still has a status and a code", async (body, status, code) => {
    expect(await readError(answer(status, body))).toMatchObject({ status, code, issues: {} });
  });

  test("names the seconds to wait, given as seconds or as a date", async () => {
    expect((await readError(answer(429, {}, { "retry-after": "72" }))).retryAfter).toBe(72);
    const date = new Date(Date.now() + 30_000).toUTCString();
    const { retryAfter } = await readError(answer(429, {}, { "retry-after": date }));
    expect(retryAfter).toBeGreaterThan(25);
    expect(retryAfter).toBeLessThan(32);
    expect((await readError(answer(429, {}, { "retry-after": "soon" }))).retryAfter).toBeUndefined();
  });
});

test("whatever was thrown becomes one shape", () => {
  const known = new ApiError(403, "forbidden", "no");
  expect(toApiError(known)).toBe(known);
  expect(toApiError(new TypeError("x"))).toMatchObject({ status: 0, code: "unexpected", message: "x" });
  expect(toApiError("text")).toMatchObject({ message: "text" });
});

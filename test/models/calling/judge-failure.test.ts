import { describe, expect, test } from "vitest";
import { judgeRejection, judgeStatus } from "../../../src/models/calling/judge-failure.ts";
import { networkFailure } from "../../../src/upstream/errors/network-failure.ts";
import { UpstreamError } from "../../../src/upstream/errors/upstream-error.ts";

const now = Date.parse("2026-11-22T10:00:00Z");

describe("a bad answer", () => {
  test.each([
    [400, {}, "never", undefined, false],
    [403, {}, "never", undefined, false],
    [408, {}, "never", undefined, false],
    [422, {}, "never", undefined, false],
    [500, {}, "never", undefined, false],
    [501, {}, "never", undefined, false],
    [301, {}, "never", undefined, false],
    [401, {}, "elsewhere", undefined, false],
    [404, {}, "elsewhere", undefined, false],
    [502, {}, "here", undefined, true],
    [504, {}, "here", undefined, true],
    [524, {}, "here", undefined, true],
    [503, {}, "elsewhere", undefined, true],
    [503, { "retry-after": "2" }, "here", 2000, true],
    [529, { "retry-after": "0" }, "here", 0, true],
    [429, {}, "elsewhere", undefined, false],
    [429, { "retry-after": "1.5" }, "here", 1500, false],
    [429, { "retry-after": "60", "retry-after-ms": "120" }, "here", 120, false],
    [429, { "retry-after": "Sun, 22 Nov 2026 10:00:07 GMT" }, "here", 7000, false],
    [429, { "retry-after": "Sun, 22 Nov 2026 09:00:00 GMT" }, "here", 0, false],
    [429, { "retry-after": "soon" }, "elsewhere", undefined, false],
  ] as const)("%i with %j", (status, headers, again, waitMs, counts) => {
    expect(judgeStatus(status, new Headers(headers), now)).toEqual({ again, waitMs, counts });
  });
});

describe("no answer", () => {
  test.each([
    ["connect ECONNREFUSED 127.0.0.1:1", "here", true],
    ["Network connection lost.", "here", true],
    ["internal error; reference = 5", "here", true],
    ["unable to verify the first certificate", "here", true],
    ["The operation timed out", "elsewhere", true],
    ["address_not_allowed", "elsewhere", false],
    ["incorrect header check", "never", false],
  ] as const)("%s", (message, again, counts) => {
    expect(judgeRejection(networkFailure(new Error(message)))).toEqual({ again, counts, waitMs: undefined });
  });

  test("that a driver words itself is judged by its status", () => {
    expect(judgeRejection(new UpstreamError(400, "No such part"))).toMatchObject({ again: "never", counts: false });
    expect(judgeRejection(new UpstreamError(503, "Busy"))).toMatchObject({ again: "elsewhere", counts: true });
  });
});

import { describe, expect, test } from "vitest";
import { readTarget } from "../../src/local-models/read-target.ts";

const at = "http://parley.test:8080";
const connection = "0192d3a0-0000-7000-8000-000000000001";

describe("the address of a call", () => {
  test.each([
    ["GET", "/localmodel/api/tags", undefined, "/api/tags", ""],
    ["GET", "/ollama/api/tags?x=1&y=%2f", undefined, "/api/tags", "?x=1&y=%2f"],
    ["POST", "/localmodel/1/api/chat", "1", "/api/chat", ""],
    ["POST", `/localmodel/${connection}/api/chat`, connection, "/api/chat", ""],
    ["POST", "/localmodel/env-local-0/v1/chat/completions", "env-local-0", "/v1/chat/completions", ""],
    // As the peer has it.
    ["POST", "/ollama/api/chat/1", "1", "/api/chat", ""],
    ["GET", "/ollama/v1/models/0", "0", "/v1/models", ""],
    ["HEAD", "/ollama/api/tags/0", "0", "/api/tags", ""],
    // A number behind what is not known is the runtime's own.
    ["GET", "/localmodel/slots/1", undefined, "/slots/1", ""],
    ["GET", "/localmodel", undefined, "/", ""],
    ["GET", "/localmodel/", undefined, "/", ""],
    ["GET", "/localmodel/1/", "1", "/", ""],
    ["HEAD", "/localmodel/api/blobs/sha256:0a", undefined, "/api/blobs/sha256:0a", ""],
    ["GET", "/localmodel/v1/models/hf.co%2Fx", undefined, "/v1/models/hf.co%2Fx", ""],
  ])("%s %s", (method, path, runtime, call, query) => {
    expect(readTarget(method, at + path)).toEqual({ runtime, path: call, query });
  });

  test.each([
    "/localmodel/api/x/../pull",
    "/localmodel/api/%2e%2e/api/pull",
    "/localmodel/api/.%2E/pull",
    "/localmodel/./api/pull",
    "/localmodel//api/pull",
    "/localmodel/1//api/pull",
    "/localmodel/api\\pull",
    "/localmode%6c/api/pull",
    "/LOCALMODEL/api/pull",
    "/localmodel-2/api/pull",
  ])("%s is refused: it may mean another one", (path) => {
    expect(() => readTarget("POST", at + path)).toThrow("must not be escaped");
  });
});

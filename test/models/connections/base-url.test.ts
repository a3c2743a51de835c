import { describe, expect, test } from "vitest";
import { apiRoots, normalizeBaseUrl } from "../../../src/models/connections/base-url.ts";

describe("the base address of a provider", () => {
  test.each([
    ["https://api.openai.com/v1", "https://api.openai.com/v1"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1"],
    ["https://api.openai.com/v1///", "https://api.openai.com/v1"],
    [" https://api.openai.com ", "https://api.openai.com"],
    ["https://api.openai.com/", "https://api.openai.com"],
    ["https://openrouter.ai/api/v1/chat/completions", "https://openrouter.ai/api/v1"],
    ["https://openrouter.ai/api/v1/models/", "https://openrouter.ai/api/v1"],
    ["https://host.example/v1beta/openai/", "https://host.example/v1beta/openai"],
    ["http://localhost:1234/v1?x=1#y", "http://localhost:1234/v1"],
    ["HTTP://LOCALHOST:1234", "http://localhost:1234"],
    ["http://[::1]:8000/v1", "http://[::1]:8000/v1"],
  ])("%j is kept as %j", (given, kept) => {
    expect(normalizeBaseUrl("openai", given)).toBe(kept);
  });

  test.each([
    "http://127.0.0.1:11434",
    "http://127.0.0.1:11434/",
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:11434/v1/",
    "http://127.0.0.1:11434/api",
    "http://127.0.0.1:11434/api/tags",
    "http://127.0.0.1:11434/v1/chat/completions",
  ])("%j of a local runtime is its root", (given) => {
    expect(normalizeBaseUrl("local", given)).toBe("http://127.0.0.1:11434");
  });

  test("a local runtime behind a path keeps the path", () => {
    expect(normalizeBaseUrl("local", "https://gpu.example/ollama/v1/")).toBe("https://gpu.example/ollama");
  });

  test.each([
    "",
    "api.openai.com/v1",
    "ftp://host/v1",
    "file:///etc/passwd",
    "http://",
    "javascript:alert(1)",
    "https://user:secret@host/v1",
  ])("%j is refused", (given) => {
    expect(normalizeBaseUrl("openai", given)).toBeUndefined();
  });

  test("a bare host is tried under /v1 first, an address with a path only as it is", () => {
    expect(apiRoots("https://api.example")).toEqual(["https://api.example/v1", "https://api.example"]);
    expect(apiRoots("https://api.example/v1")).toEqual(["https://api.example/v1"]);
  });
});

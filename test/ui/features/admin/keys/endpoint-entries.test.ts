import { describe, expect, test } from "vitest";
import { explainEntry, joinEntries, splitEntries } from "../../../../../src/ui/features/admin/keys/endpoint-entries.ts";

const routes = [
  "GET /api/models",
  "POST /api/chat/completions",
  "GET /api/v1/chats/",
  "GET /api/v1/chats/:id",
  "DELETE /api/v1/chats/:id",
  "POST /api/v1/chats/:id/share",
  "GET /health",
];

describe("a list of endpoints", () => {
  test("is taken apart by commas and lines, each entry once", () => {
    expect(splitEntries("GET  /api/models, /health\n/health,,\n ")).toEqual(["GET /api/models", "/health"]);
    expect(joinEntries(["/a", "/b"])).toBe("/a, /b");
  });
});

describe("an entry", () => {
  test.each([
    ["/api/models", ["GET /api/models"]],
    ["get /api/models", ["GET /api/models"]],
    ["HEAD /api/models", ["GET /api/models"]],
    ["/api/v1/chats", ["GET /api/v1/chats/"]],
    ["/api/v1/chats/{chat_id}", ["GET /api/v1/chats/:id", "DELETE /api/v1/chats/:id"]],
    ["DELETE /api/v1/chats/*", ["DELETE /api/v1/chats/:id"]],
  ])("%j means %j", (entry, expected) => {
    expect(explainEntry(entry, routes)).toEqual({ entry, routes: expected });
  });

  test.each([
    ["/api/modles", "unknown", "/api/models"],
    ["POST /api/models", "unknown", "/api/models"],
    ["/models", "unknown", "/api/models"],
    ["/api/v1", "unknown", "/api/v1/*"],
    ["/API/Models", "unknown", "/api/models"],
    ["api/models", "form", "/api/models"],
    ["https://parley.example/api/models", "form", undefined],
    ["/nothing/like/it/at/all", "unknown", undefined],
  ])("%j is wrong (%s); meant was probably %j", (entry, wrong, suggestion) => {
    const state = explainEntry(entry, routes);
    expect([state.routes, state.wrong, state.suggestion]).toEqual([[], wrong, suggestion]);
  });

  test.each(["/api/modles", "POST /api/models", "/api/v1", "api/models"])("what is offered for %j works", (entry) => {
    const { suggestion = "" } = explainEntry(entry, routes);
    expect(explainEntry(suggestion, routes).routes).not.toEqual([]);
  });
});

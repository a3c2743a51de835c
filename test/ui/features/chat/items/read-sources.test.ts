import { describe, expect, it } from "vitest";
import { readTool } from "../../../../../src/ui/features/chat/items/message-items.ts";
import { readFiles } from "../../../../../src/ui/features/chat/items/read-files.ts";
import { readSources } from "../../../../../src/ui/features/chat/items/read-sources.ts";
import { safeLink } from "../../../../../src/ui/features/chat/items/safe-link.ts";
import { splitSegments } from "../../../../../src/ui/features/chat/items/split-segments.ts";

describe("sources", () => {
  it("are numbered documents, with all their passages wherever those came from", () => {
    const sources = readSources([
      {
        source: { name: "Timetables" },
        document: ["one", "two"],
        metadata: [
          { source: "a.pdf", page: 3 },
          { source: "b.pdf", page_label: "iv" },
        ],
        distances: [0.1, 0.2],
      },
      { source: { name: "a.pdf" }, document: ["three", "one"], metadata: [{ source: "a.pdf" }, { source: "a.pdf" }] },
      { source: { name: "The page", url: "https://example.com/x" }, document: "whole", metadata: {} },
      { source: "plain words" },
    ]);
    expect(sources).toEqual([
      {
        name: "Timetables",
        url: undefined,
        passages: [
          { text: "one", page: "4", distance: 0.1 },
          { text: "three", page: "", distance: undefined },
        ],
      },
      { name: "Timetables", url: undefined, passages: [{ text: "two", page: "iv", distance: 0.2 }] },
      {
        name: "The page",
        url: "https://example.com/x",
        passages: [{ text: "whole", page: "", distance: undefined }],
      },
      { name: "plain words", url: undefined, passages: [] },
    ]);
  });

  it("survive everything that is none", () => {
    expect(readSources([null, 3, "x", {}, { source: 4, document: [5], metadata: "x", distances: 1 }, []])).toEqual([]);
  });
});

describe("files", () => {
  it("are read from what uploads, tools and plugins write", () => {
    expect(
      readFiles([
        { type: "file", id: "f1", name: "a b.csv", size: 12 },
        { type: "image", url: "data:image/png;base64,AAAA" },
        { file: { id: "f2", filename: "x.pdf", meta: { content_type: "application/pdf", size: 3 } } },
        { url: "/api/v1/files/9/content", content_type: "image/webp", name: "pic" },
        "https://example.com/files/re%20port.txt?x=1",
        { type: "file", name: "bad", url: "javascript:alert(1)" },
        null,
        {},
      ]),
    ).toEqual([
      { name: "a b.csv", url: "/api/v1/files/f1/content", isImage: false, size: 12 },
      { name: "", url: "data:image/png;base64,AAAA", isImage: true, size: undefined },
      { name: "x.pdf", url: "/api/v1/files/f2/content", isImage: false, size: 3 },
      { name: "pic", url: "/api/v1/files/9/content", isImage: true, size: undefined },
      { name: "re port.txt", url: "https://example.com/files/re%20port.txt?x=1", isImage: false, size: undefined },
      { name: "bad", url: undefined, isImage: false, size: undefined },
    ]);
  });

  it("never lead to anything but pages and this service", () => {
    for (const bad of [
      "javascript:x",
      "data:text/html,x",
      "//evil.example",
      "/\\evil.example",
      "ftp://x",
      "http://",
      "x",
    ])
      expect(safeLink(bad)).toBeUndefined();
    expect(safeLink("/api/v1/x")).toBe("/api/v1/x");
    expect(safeLink("https://example.com/")).toBe("https://example.com/");
  });
});

describe("an answer with calls of tools", () => {
  const step = (callId: string, at: number) => readTool({ call_id: callId, state: "done", at })!;

  it("is split where they were called; calls at one place stand together", () => {
    expect(splitSegments("Let me look. Done.", [step("b", 12), step("a", 12), step("c", 99)])).toMatchObject([
      { kind: "text", text: "Let me look." },
      { kind: "tools", steps: [{ callId: "b" }, { callId: "a" }] },
      { kind: "text", text: " Done." },
      { kind: "tools", steps: [{ callId: "c" }] },
    ]);
  });

  it("keeps the calls when there is no text, and characters whole", () => {
    expect(splitSegments("", [step("a", 0), step("b", 5)])).toMatchObject([{ kind: "tools", steps: [{}, {}] }]);
    expect(splitSegments("  \n", [step("a", 1), step("b", 2)])).toHaveLength(1);
    expect(splitSegments("x👍y", [step("a", 2), step("b", -4)])).toMatchObject([
      { kind: "tools" },
      { kind: "text", text: "x" },
      { kind: "tools" },
      { kind: "text", text: "👍y" },
    ]);
    expect(splitSegments("text", [])).toEqual([{ kind: "text", text: "text" }]);
  });
});

import { describe, expect, it } from "vitest";
import { readTool } from "../../../../../src/ui/features/chat/items/message-items.ts";
import { readFiles } from "../../../../../src/ui/features/chat/items/read-files.ts";
import { readSources, sourceEntries } from "../../../../../src/ui/features/chat/items/read-sources.ts";
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
        number: 1,
        passages: [
          { text: "one", page: "4", pageNumber: 4, headings: [], distance: 0.1 },
          { text: "three", page: "", headings: [] },
        ],
      },
      { name: "Timetables", number: 2, passages: [{ text: "two", page: "iv", headings: [], distance: 0.2 }] },
      {
        name: "The page",
        number: 3,
        url: "https://example.com/x",
        passages: [{ text: "whole", page: "", headings: [] }],
      },
      { name: "plain words", number: 4, passages: [] },
    ]);
    expect(sourceEntries(sources).map(({ number, passage }) => [number, passage])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
      [4, undefined],
    ]);
  });

  it("have the numbers that the answer uses, one for each passage of a file; others get the next ones", () => {
    const meta = { file_id: "f", name: "a.pdf", source: "a.pdf", label: null, headings: ["Rules", 3], end: 90 };
    const sources = readSources([
      { source: { name: "A tool" }, document: ["said"], metadata: [{}] },
      {
        source: { type: "file", id: "f", name: "a.pdf" },
        document: ["one", "two"],
        metadata: [
          { ...meta, page: 7, start: 0, number: 3 },
          { ...meta, page: 2, label: "Winter", start: 40, number: 1 },
        ],
        distances: [0.2, 0.4],
      },
      {
        source: { type: "text", id: null, name: "Note" },
        document: ["x"],
        metadata: [{ start: 0, end: 1, number: 2 }],
      },
    ]);
    expect(sourceEntries(sources).map(({ number, source, passage }) => [number, source.name, passage?.text])).toEqual([
      [1, "a.pdf", "two"],
      [2, "Note", "x"],
      [3, "a.pdf", "one"],
      [4, "A tool", undefined],
    ]);
    expect(sources[1]).toMatchObject({
      fileId: "f",
      passages: [
        { page: "7", pageNumber: 7, headings: ["Rules"], start: 0, end: 90 },
        { page: "Winter", pageNumber: 2, start: 40 },
      ],
    });
    expect(sources[2]?.fileId).toBeUndefined();
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
        { type: "collection", id: "k1", name: "Rules" },
        { type: "collection" },
        null,
        {},
      ]),
    ).toEqual([
      { kind: "file", id: "f1", name: "a b.csv", url: "/api/v1/files/f1/content", isImage: false, size: 12 },
      { kind: "file", name: "", url: "data:image/png;base64,AAAA", isImage: true },
      { kind: "file", id: "f2", name: "x.pdf", url: "/api/v1/files/f2/content", isImage: false, size: 3 },
      { kind: "file", name: "pic", url: "/api/v1/files/9/content", isImage: true },
      { kind: "file", name: "re port.txt", url: "https://example.com/files/re%20port.txt?x=1", isImage: false },
      { kind: "file", name: "bad", isImage: false },
      { kind: "collection", id: "k1", name: "Rules", url: "/knowledge/k1", isImage: false },
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

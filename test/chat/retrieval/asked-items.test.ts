import { describe, expect, it } from "vitest";
import { hasItems, readAskedItems } from "../../../src/chat/retrieval/asked-items.ts";

const documentsIn = (...files: unknown[]) =>
  readAskedItems(files).documents.map(({ type, id, isWhole }) => `${type} ${id}${isWhole ? " whole" : ""}`);

describe("what a request names", () => {
  it("files and collections, as clients of the peer spell them", () => {
    expect(
      documentsIn(
        { type: "file", id: "a" },
        { type: "file", file: { id: "b" }, name: "b.pdf" },
        { type: "doc", collection_name: "file-c" },
        { type: "collection", id: "k" },
        { type: "collection", id: "none", collection_names: ["l", "m"] },
        { type: "collection", collection_name: "file-d" },
        { collection_name: "n" },
        { id: "e" },
      ),
    ).toEqual([
      "file a",
      "file b",
      "file c",
      "collection k",
      "collection l",
      "collection m",
      "file d",
      "collection n",
      "file e",
    ]);
  });

  it("each once, as it was named last", () => {
    const full = { type: "file", id: "a", context: "full" };
    expect(documentsIn({ type: "file", id: "a" }, full)).toEqual(["file a whole"]);
    expect(documentsIn(full, { type: "file", id: "a" })).toEqual(["file a"]);
    expect(documentsIn({ type: "file", id: "a" }, { type: "collection", id: "a" })).toEqual(["file a", "collection a"]);
  });

  it("texts with what is in them, once", () => {
    const { texts } = readAskedItems([
      { type: "text", name: "Notes", content: "One" },
      { type: "text", url: "https://x.example", file: { data: { content: "Two" } }, context: "full" },
      { type: "text", content: "One" },
      { type: "text", content: "  \n" },
    ]);
    expect(texts.map(({ name, content }) => [name, content])).toEqual([
      ["Notes", "One"],
      ["https://x.example", "Two"],
    ]);
  });

  it("what nothing can be looked up in, and no pictures", () => {
    const { documents, texts, others } = readAskedItems([
      { type: "note", id: "n", name: "Shopping" },
      { type: "file" },
      { type: "text" },
      { type: "file", id: "x".repeat(300), name: "Long" },
      { type: "image", url: "data:image/png;base64,AA==" },
      {},
    ]);
    expect([documents, texts]).toEqual([[], []]);
    expect(others.map(({ name }) => name)).toEqual(["Shopping", "file", "text", "Long", "An attachment"]);
  });

  it.each([undefined, null, "files", { 0: {} }, 7, [null, "a", 3]])("nothing in %j", (given) => {
    expect(readAskedItems(given)).toEqual({ documents: [], texts: [], others: [] });
    expect(hasItems(given)).toBe(false);
  });

  it("is nothing to look into where there are pictures alone", () => {
    expect(hasItems([{ type: "image", url: "https://x.example/a.png" }])).toBe(false);
    expect(hasItems([{ type: "image" }, { type: "file", id: "a" }])).toBe(true);
  });
});

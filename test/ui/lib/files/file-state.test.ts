import { describe, expect, it } from "vitest";
import { mayReadAgain, readFileState } from "../../../../src/ui/lib/files/file-state.ts";
import { refuseFile } from "../../../../src/ui/lib/files/refuse-file.ts";
import { readStoredFile } from "../../../../src/ui/lib/files/stored-file.ts";
import { describeSize, fileTexts } from "../../../../src/ui/lib/files/texts.ts";

const said = (data: unknown): string => fileTexts.state(readFileState(data));
const pending = (stage: string | null, done: number, total: number | null, unit: string): string =>
  said({ status: "pending", stage, progress: { done, total, unit } });

describe("how far a file is read", () => {
  it("is said with the unit of the file", () => {
    expect(said({ status: "pending", stage: "waiting", progress: null })).toBe("Waiting to be read");
    expect(pending("extracting", 2, 12, "pages")).toBe("Reading page 3 of 12");
    expect(pending("extracting", 12, 12, "pages")).toBe("Reading page 12 of 12");
    expect(pending("extracting", 0, null, "slides")).toBe("Reading");
    expect(pending("extracting", 1, null, "slides")).toBe("Reading, 1 slide so far");
    expect(pending("extracting", 3, null, "sheets")).toBe("Reading, 3 sheets so far");
    expect(pending("extracting", 999, 1000, "bytes")).toBe("Reading, 99%");
    expect(pending("embedding", 30, 1200, "chunks")).toBe("Making it searchable, 30 of 1,200 passages");
    expect(pending("embedding", 0, null, "chunks")).toBe("Making it searchable");
  });

  it("ends ready, or with the reason", () => {
    expect(said({ status: "completed", stage: null, progress: null })).toBe("Ready");
    expect(said({ status: "failed", error: "The file is damaged", code: "file_corrupt" })).toBe("The file is damaged");
    expect(said({ status: "failed" })).toBe("Couldn't be read");
    expect(said({ status: "pending", code: "file_not_processed" })).toBe("Not read");
  });

  it("counts as waiting whatever else comes", () => {
    for (const data of [undefined, null, 3, "x", [], { status: "new", stage: 4, progress: "much" }])
      expect(readFileState(data)).toMatchObject({ status: "pending", done: 0, total: undefined, stage: undefined });
  });

  it("offers to read again only where that may help", () => {
    const may = (data: unknown): boolean => mayReadAgain(readFileState(data));
    expect(may({ status: "failed", code: "reader_failed" })).toBe(true);
    expect(may({ status: "failed", code: "file_timeout" })).toBe(true);
    expect(may({ status: "failed", code: "file_encrypted" })).toBe(false);
    expect(may({ status: "pending", code: "file_not_processed" })).toBe(true);
    expect(may({ status: "pending" })).toBe(false);
    expect(may({ status: "completed" })).toBe(false);
  });
});

it("reads a file of the API, and something that is none", () => {
  expect(
    readStoredFile({
      id: "f",
      filename: "a.pdf",
      data: { status: "completed" },
      meta: { name: "a.pdf", content_type: "application/pdf", size: 12, pages: 3, chunks: 9 },
      created_at: 5,
    }),
  ).toMatchObject({ id: "f", name: "a.pdf", contentType: "application/pdf", size: 12, pages: 3, passages: 9 });
  expect(readStoredFile(null)).toMatchObject({ id: "", name: "", size: 0, pages: undefined });
});

it("says sizes with the unit that people would use", () => {
  expect([0, 1, 999, 1536, 15_000, 1_500_000, 2_000_000_000].map(describeSize)).toEqual([
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.5 kB",
    "15 kB",
    "1.5 MB",
    "2 GB",
  ]);
});

it("refuses before sending what the service would refuse", () => {
  const limits = { max_size: 1, extensions: ["pdf", "docx"] };
  const file = (name: string, size: number): File => new File([new Uint8Array(size)], name);
  expect(refuseFile(file("a.pdf", 10), limits)).toBeUndefined();
  expect(refuseFile(file("A.PDF", 1024 * 1024), limits)).toBeUndefined();
  expect(refuseFile(file("a.pdf", 1024 * 1024 + 1), limits)).toContain("larger than");
  expect(refuseFile(file("a.pdf", 0), limits)).toContain("empty");
  expect(refuseFile(file("a.exe", 10), limits)).toContain("pdf or docx");
  expect(refuseFile(file("pdf", 10), limits)).toContain("can't be uploaded");
  expect(refuseFile(file("a.exe", 10), { max_size: 1, extensions: [] })).toBeUndefined();
  expect(refuseFile(file("a.exe", 10), undefined)).toBeUndefined();
});

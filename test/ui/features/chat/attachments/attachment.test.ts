import { describe, expect, it } from "vitest";
import { fromSent, readSent, toSent } from "../../../../../src/ui/features/chat/attachments/attachment.ts";
import { filesOfPaste } from "../../../../../src/ui/features/chat/attachments/files-of-paste.ts";

describe("what is attached", () => {
  it("goes with the message as it came, and not before it is uploaded", () => {
    const sent = { type: "file" as const, id: "f", name: "a.pdf", content_type: "application/pdf", size: 3 };
    expect(toSent(fromSent(sent, "k"))).toEqual(sent);
    expect(toSent(fromSent({ type: "collection", id: "c", name: "Rules" }, "k"))).toEqual({
      type: "collection",
      id: "c",
      name: "Rules",
    });
    expect(toSent({ ...fromSent(sent, "k"), id: undefined })).toBeUndefined();
  });

  it("is read from what other clients store, without what is none", () => {
    expect(
      readSent([
        { type: "file", id: "f", name: "a.pdf", size: 4, content_type: "application/pdf", surprise: 1 },
        { type: "collection", id: "c" },
        { type: "image", id: "i", url: "data:image/png;base64,AA" },
        { type: "file", name: "without an id" },
        null,
        "x",
      ]),
    ).toEqual([
      { type: "file", id: "f", name: "a.pdf", size: 4, content_type: "application/pdf" },
      { type: "collection", id: "c", name: "c" },
    ]);
    expect(readSent(undefined)).toEqual([]);
  });
});

describe("a paste", () => {
  const paste = (types: string[], files: File[]) => ({ types, files }) as unknown as DataTransfer;
  const picture = new File(["x"], "image.png", { type: "image/png" });

  it("of a file or a picture of the screen is an attachment, with a name that says what it is", () => {
    const [named] = filesOfPaste(paste(["Files"], [picture]), new Date(2026, 10, 21, 9, 30, 5));
    expect(named?.name).toMatch(/^Pasted .*9-30-05.*\.png$/u);
    expect(named?.name).not.toMatch(/[/\\:]/u);
    expect(named?.type).toBe("image/png");
    const own = new File(["x"], "report.pdf");
    expect(filesOfPaste(paste(["text/plain", "Files"], [own]))).toEqual([own]);
  });

  it("of text from an office program is text, though a picture of it comes along", () => {
    expect(filesOfPaste(paste(["text/plain", "text/html", "Files"], [picture]))).toEqual([]);
    expect(filesOfPaste(paste(["text/plain"], []))).toEqual([]);
    expect(filesOfPaste(null)).toEqual([]);
  });
});

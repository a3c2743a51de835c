import { expect, test } from "vitest";
import { sniffType } from "../../../src/documents/files/sniff-type.ts";
import { cpuTime } from "../../cpu-time.ts";

const office = "application/vnd.openxmlformats-officedocument.";
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const sniff = (content: string | Uint8Array, filename = "", contentType = "") =>
  sniffType(typeof content === "string" ? bytesOf(content) : content, { filename, contentType });

/** A local header of a ZIP archive with what follows. */
function entry(name: string, content = ""): string {
  const header = new Uint8Array(30);
  header.set([0x50, 0x4b, 3, 4]);
  header[26] = name.length;
  return String.fromCharCode(...header) + name + content;
}

const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".padEnd(512, "\0");
const wide = (text: string) => [...text].map((character) => `${character}\0`).join("");

test.each([
  ["%PDF-1.7\n", "notes.txt", "application/pdf"],
  ["\r\n\x01junk%PDF-1.4", "x", "application/pdf"],
  ["\x89PNG\r\n\x1a\n...", "picture.jpg", "image/png"],
  ["\xff\xd8\xff\xe0", "", "image/jpeg"],
  ["RIFF....WEBPVP8 ", "", "image/webp"],
  ["RIFF....WAVEfmt ", "song.webp", "audio/wav"],
  ["\0\0\0\x18ftypheic", "", "image/heic"],
  ["\0\0\0\x18ftypisom", "", "video/mp4"],
  ["{\\rtf1\\ansi", "letter.doc", "application/rtf"],
  ["\x1f\x8b\x08", "a.tar.gz", "application/gzip"],
  ["BMW is a brand of cars", "brands.txt", "text/plain"],
])("%j by its content, named %j, is %s", (content, filename, expected) => {
  expect(sniff(content, filename)).toBe(expected);
});

test.each([
  [entry("[Content_Types].xml") + entry("word/document.xml"), "a.zip", `${office}wordprocessingml.document`],
  [entry("_rels/.rels") + entry("ppt/slides/slide1.xml"), "", `${office}presentationml.presentation`],
  [entry("xl/workbook.xml"), "letter.docx", `${office}spreadsheetml.sheet`],
  [entry("mimetype", "application/epub+zip"), "book", "application/epub+zip"],
  [
    entry("mimetype", "application/vnd.oasis.opendocument.text-template"),
    "",
    "application/vnd.oasis.opendocument.text",
  ],
  [entry("[Content_Types].xml"), "letter.DOCX", `${office}wordprocessingml.document`],
  [entry("readme.txt"), "all.zip", "application/zip"],
  ["PK\x05\x06", "", "application/zip"],
  [ole, "old.xls", "application/vnd.ms-excel"],
  [ole + wide("WordDocument"), "old.xls", "application/msword"],
  [ole + wide("EncryptedPackage"), "plan.xlsx", `${office}spreadsheetml.sheet`],
  [ole, "unknown", "application/x-ole-storage"],
])("containers: %#", (content, filename, expected) => {
  expect(sniff(content, filename)).toBe(expected);
});

test.each([
  ["words", "", "", "text/plain"],
  ["# words", "read.MD", "", "text/markdown"],
  ["words", "notes", "text/markdown; charset=utf-8", "text/markdown"],
  ["words", "notes", "application/pdf", "text/plain"],
  ["<!DOCTYPE html><p>", "page", "", "text/html"],
  ["<!DOCTYPE html><p>", "example.txt", "", "text/plain"],
  ["\xef\xbb\xbf<?xml version='1.0'?><a/>", "", "", "application/xml"],
  ["<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "", "", "image/svg+xml"],
  ['{"a": [1]}', "", "", "application/json"],
  ["[draft] words", "", "", "text/plain"],
  ["a = 1", "run.py", "text/plain", "text/x-python"],
  ["FROM node", "Dockerfile", "", "text/x-dockerfile"],
  ["From: a@b.c\r\nTo: d@e.f\r\nSubject: x\r\n\r\nwords", "", "", "message/rfc822"],
  ["Dear all,\nSubject: none\n", "", "", "text/plain"],
  ["w\0o\0r\0d\0s\0", "", "", "text/plain"],
  ["\xff\xfew\0o\0", "", "", "text/plain"],
])("texts: %j, named %j, said to be %j, is %s", (content, filename, said, expected) => {
  expect(sniff(content, filename, said)).toBe(expected);
});

test("what is no text is none, whatever its name", () => {
  const bytes = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 251);
  expect(sniff(bytes, "notes.txt")).toBe("application/octet-stream");
  expect(sniff(`words${"\0".repeat(100)}`, "notes.md")).toBe("application/octet-stream");
});

test("nothing is what its name says", () => {
  expect(sniff("", "notes.md")).toBe("text/markdown");
  expect(sniff("", "x", "Application/PDF; q=1")).toBe("application/pdf");
  expect(sniff("", "x")).toBe("application/octet-stream");
});

test.each([
  ["<".repeat(16_384)],
  ["[".repeat(16_384)],
  ["a: b\n".repeat(4000)],
  ["%PD".repeat(6000)],
  ["PK\x03\x04".repeat(4000)],
])("hostile beginnings take no time: %#", (content) => {
  expect(cpuTime(() => sniff(content, "x"))).toBeLessThan(500);
});

import { pictureTypeOf } from "../../lib/picture-type.ts";
import { sniffContainer } from "./sniff-container.ts";
import { textTypeOf } from "./text-types.ts";
import { guessUtf16 } from "./utf16.ts";

/** This many bytes from the beginning are enough to detect the type of a file. */
export const sniffLength = 16_384;

/** What is known about a file. */
export interface TypeHint {
  filename: string;
  contentType: string;
}

/** What a file of another kind does not begin with; pictures of web pages are in lib/picture-type.ts. `at` in bytes. */
const signatures: { type: string; begins: string; at?: number; also?: { at: number; is: string } }[] = [
  { type: "audio/wav", begins: "RIFF", also: { at: 8, is: "WAVE" } },
  { type: "video/x-msvideo", begins: "RIFF", also: { at: 8, is: "AVI " } },
  { type: "image/tiff", begins: "II*\0" },
  { type: "image/tiff", begins: "MM\0*" },
  { type: "image/bmp", begins: "BM", also: { at: 6, is: "\0\0\0\0" } },
  { type: "image/x-icon", begins: "\0\0\x01\0" },
  { type: "image/heic", begins: "ftyphei", at: 4 },
  { type: "image/heic", begins: "ftypmif1", at: 4 },
  { type: "audio/mp4", begins: "ftypM4A", at: 4 },
  { type: "video/quicktime", begins: "ftypqt", at: 4 },
  { type: "video/mp4", begins: "ftyp", at: 4 },
  { type: "video/webm", begins: "\x1a\x45\xdf\xa3" },
  { type: "audio/ogg", begins: "OggS" },
  { type: "audio/flac", begins: "fLaC" },
  { type: "audio/mpeg", begins: "ID3" },
  { type: "application/rtf", begins: "{\\rtf" },
  { type: "application/gzip", begins: "\x1f\x8b" },
  { type: "application/x-7z-compressed", begins: "7z\xbc\xaf\x27\x1c" },
  { type: "application/vnd.rar", begins: "Rar!\x1a\x07" },
  { type: "application/x-xz", begins: "\xfd7zXZ\0" },
  { type: "application/x-bzip2", begins: "BZh", also: { at: 4, is: "1AY&SY" } },
  { type: "application/zstd", begins: "\x28\xb5\x2f\xfd" },
  { type: "application/x-tar", begins: "ustar", at: 257 },
  { type: "application/vnd.sqlite3", begins: "SQLite format 3\0" },
  { type: "application/postscript", begins: "%!PS" },
  { type: "font/woff2", begins: "wOF2" },
  { type: "application/wasm", begins: "\0asm" },
  { type: "application/x-executable", begins: "\x7fELF" },
];

const unknown = "application/octet-stream";

/**
 * The type of a file by its content; its name decides only between kinds of text, and between kinds of the same
 * container.
 * @param head the first `sniffLength` bytes, or all of them
 */
export function sniffType(head: Uint8Array, hint: TypeHint): string {
  if (head.length === 0) return typeOfNothing(hint);
  const picture = pictureTypeOf(head);
  if (picture) return picture;
  const signature = signatures.find(
    ({ begins, at = 0, also }) => has(head, begins, at) && (also === undefined || has(head, also.is, also.at)),
  );
  if (signature) return signature.type;
  const container = sniffContainer(head, hint);
  if (container) return container;
  // Some programs put something before it.
  if (findText(head.subarray(0, 1024), "%PDF-") !== -1) return "application/pdf";
  const text = readText(head);
  return text === undefined ? unknown : sniffText(text, hint);
}

/** Nothing contradicts its name. */
function typeOfNothing({ filename, contentType }: TypeHint): string {
  return textTypeOf(filename) ?? (/^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0].toLowerCase() || unknown);
}

/** Undefined for what is no text. */
function readText(head: Uint8Array): string | undefined {
  const utf16 = has(head, "\xff\xfe", 0) ? "utf-16le" : has(head, "\xfe\xff", 0) ? "utf-16be" : guessUtf16(head);
  if (utf16) {
    const text = new TextDecoder(utf16).decode(head.subarray(0, head.length & ~1));
    return isBinary(text) ? undefined : text;
  }
  // Every charset that is left has ASCII where it has it.
  const text = new TextDecoder("windows-1252").decode(head);
  return isBinary(text) ? undefined : text.replace(/^ï»¿/, "");
}

/** A text may hold a few control characters by mistake. */
function isBinary(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0 || unit === 0xfffd) count += 4;
    else if (unit < 0x20 && unit !== 0x1b && (unit < 0x07 || unit > 0x0d)) count++;
  }
  return count > text.length / 100 + 1;
}

function sniffText(text: string, hint: TypeHint): string {
  const named = textTypeOf(hint.filename);
  if (named) return named;
  const begin = text.slice(0, 4000).trimStart();
  if (/^<!doctype\s+html|^<(?:html|head|body)[\s>]/i.test(begin)) return "text/html";
  if (/^<\?xml[\s]/.test(begin)) return /<html[\s>]/i.test(begin) ? "text/html" : xmlType(begin);
  if (/^<svg[\s>]/.test(begin)) return "image/svg+xml";
  if (/^From \S+ .*\n(?:[\w-]+:.*\n){2}/.test(begin)) return "application/mbox";
  if (isMail(begin)) return "message/rfc822";
  if (/^[[{]/.test(begin) && isJson(text)) return "application/json";
  const said = /^[\w.+-]+\/[\w.+-]+/.exec(hint.contentType)?.[0].toLowerCase();
  return said !== undefined && saidTypes.has(said) ? said : "text/plain";
}

/** What is believed of a text whose name and content say nothing. */
const saidTypes = new Set([
  "text/markdown",
  "text/html",
  "text/csv",
  "text/tab-separated-values",
  "application/json",
  "application/xml",
  "application/yaml",
  "message/rfc822",
]);

function xmlType(begin: string): string {
  return /<svg[\s>]/.test(begin) ? "image/svg+xml" : "application/xml";
}

const mailField =
  /^(?:received|return-path|from|to|cc|subject|date|mime-version|message-id|delivered-to|reply-to|content-type|dkim-signature|x-[\w-]+):/i;

function isMail(begin: string): boolean {
  const lines = begin.split(/\r?\n/).slice(0, 40);
  const end = lines.indexOf("");
  const fields = lines.slice(0, end === -1 ? lines.length : end).filter((line) => !/^[ \t]/.test(line));
  return fields.length >= 3 && fields.filter((line) => mailField.test(line)).length >= Math.max(3, fields.length / 2);
}

/** Complete JSON; of what goes on only its beginning can be looked at. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return text.length >= sniffLength / 2 && /^\s*[[{]\s*(?:"(?:[^"\\]|\\.){0,200}"\s*[:,]|[[{])/.test(text);
  }
}

function has(bytes: Uint8Array, text: string, at: number): boolean {
  if (bytes.length < at + text.length) return false;
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

function findText(bytes: Uint8Array, text: string): number {
  for (let at = bytes.indexOf(text.charCodeAt(0)); at !== -1; at = bytes.indexOf(text.charCodeAt(0), at + 1)) {
    if (has(bytes, text, at)) return at;
  }
  return -1;
}
